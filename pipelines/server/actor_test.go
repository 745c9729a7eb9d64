package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
)

// TestBelieved: headers of proxies are only believed if the proxies were named.
func TestBelieved(t *testing.T) {
	s := &server{o: Options{Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}}
	for from, want := range map[string]string{
		"192.0.2.7:4711": "https://archive.example.org", "198.51.100.7:4711": "http://archive.example.org",
		"@": "http://archive.example.org",
	} {
		r := httptest.NewRequest("GET", "http://archive.example.org/", http.NoBody)
		r.RemoteAddr = from
		r.Header.Set("X-Forwarded-Proto", "https")
		got := ""
		s.believed(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = api.Base(r) })).
			ServeHTTP(httptest.NewRecorder(), r)
		if got != want {
			t.Errorf("from %s: %s, want %s", from, got, want)
		}
	}
}
