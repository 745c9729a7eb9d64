package index

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// shortURL returns a document's URL for the index: "" if urlOf returns it, which saves a tenth of index.db.
func shortURL(d *schemas.Document) string {
	if d.URL == urlOf(d.Host, d.SURT) {
		return ""
	}
	return d.URL
}

// urlOf returns the URL for which the index stores "": https, with path and query as in the SURT. It is "" if the SURT
// has no host.
func urlOf(host, surt string) string {
	_, rest, ok := strings.Cut(surt, ")")
	if !ok {
		return ""
	}
	return "https://" + host + rest
}
