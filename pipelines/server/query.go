package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// readable refuses what follows a question mark where it cannot be read: package url leaves such a parameter out,
// and who asked for one host would be shown all. A semicolon, for which it does the same, is a sign as any other:
// addresses of pages have it, and people paste them as they are.
func (s *server) readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Of Memento all that follows the path's beginning is the address of a page, and is not ours to read.
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
		// A copy, since logs have the address as it came.
		read, u := *r, *r.URL
		u.RawQuery, read.URL = query, &u
		next.ServeHTTP(w, &read)
	})
}

// isMemento reports whether a path ends with the address of a page.
func isMemento(path string) bool {
	return under(path, "/timemap/") || under(path, "/timegate/") || under(path, "/memento/")
}
