package server

import "testing"

// TestUnder: names of collections that begin as a service does are none.
func TestUnder(t *testing.T) {
	for _, test := range []struct {
		path, service string
		want          bool
	}{
		{"/jobs", "/jobs", true},
		{"/jobs/7", "/jobs", true},
		{"/jobs-2025/search", "/jobs", false},
		{"/cdx", "/cdx", true},
		{"/cdx-2024", "/cdx", false},
		{"/openapi.json", "/openapi", true},
		{"/openapi-x", "/openapi", false},
		{"/timemap/link/http://example.org/", "/timemap/", true},
		{"/wasapi/v1/files/a", "/wasapi/v1/files/", true},
	} {
		if got := under(test.path, test.service); got != test.want {
			t.Errorf("under(%q, %q) = %t, want %t", test.path, test.service, got, test.want)
		}
	}
}
