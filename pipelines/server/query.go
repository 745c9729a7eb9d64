package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// readable refuses a query that cannot be parsed. Package url leaves out such a parameter, and a user who requested
// one host would get all. It also does this with semicolons, but they are accepted here as ordinary characters.
// Addresses of pages contain them, and people paste such addresses unchanged.
func (s *server) readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// In Memento, the rest of the path is the address of a page, and is not parsed here.
		if r.URL.RawQuery == "" || isMemento(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		query := strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")
		if _, err := url.ParseQuery(query); err != nil {
			s.fail(w, r, &view.Error{
				Kind: view.Invalid, Title: "The request cannot be read",
				Detail: "A % in its URL is not followed by two hexadecimal digits.", Remedy: "Write %25 for the sign itself.",
			})
			return
		}
		// This is a copy, since logs show the original address.
		read, u := *r, *r.URL
		u.RawQuery, read.URL = query, &u
		next.ServeHTTP(w, &read)
	})
}

// isMemento reports whether a path ends with the address of a page.
func isMemento(path string) bool {
	return under(path, "/timemap/") || under(path, "/timegate/") || under(path, "/memento/") || under(path, "/replay/")
}
