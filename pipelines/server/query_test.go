package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestReadable: an invalid parameter is never ignored silently, as package url does.
func TestReadable(t *testing.T) {
	for _, c := range []struct {
		name, path, want string
		status           int
	}{
		{"as it is", "/api/v1/search?query=a%20b", "a b", 200},
		{"semicolon", "/api/v1/search?query=a;b", "a;b", 200},
		{"semicolon of an address", "/cdx?query=http://a.example/x;id=1&url=1", "http://a.example/x;id=1", 200},
		{"half a code", "/api/v1/search?query=%zz", "", 400},
		{"a sign alone", "/cdx?url=a&query=100%", "", 400},
		{"the address of a memento is not ours", "/timemap/link/http://a.example/?query=%zz;b", "", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			h := (&server{}).readable(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = r.URL.Query().Get("query")
			}))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path, nil))
			if w.Code != c.status || got != c.want {
				t.Errorf("%s: status %d, query %q; want %d, %q", c.path, w.Code, got, c.status, c.want)
			}
		})
	}
}
