package index

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// shortURL is the URL of a document as the index has it: empty where urlOf tells it, which saves a tenth of index.db.
func shortURL(d *schemas.Document) string {
	if d.URL == urlOf(d.Host, d.SURT) {
		return ""
	}
	return d.URL
}

// urlOf is the URL of a capture of which the index has none: that of https whose path and query stand in the SURT as
// they are. It is empty where the SURT is of no host.
func urlOf(host, surt string) string {
	_, rest, ok := strings.Cut(surt, ")")
	if !ok {
		return ""
	}
	return "https://" + host + rest
}
