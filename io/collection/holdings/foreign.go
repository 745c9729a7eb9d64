package holdings

import (
	"cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Complete fills in what other programs need not know of a document: its place, and the keys of its URL. Searches,
// versions of a page and access rules need them. No two documents may have the same place, so a missing one becomes
// the file and the number of the document in it, from 1.
func Complete(d *schemas.Document, file string, number int64) {
	if d.Filename == "" {
		d.Filename, d.Offset, d.Sequence = file, 0, int(number)
	}
	// Filters look for our key and host of a URL.
	host, domain := urlkey.Site(d.URL)
	if d.SURT = urlkey.SURT(d.URL); d.Host != host {
		d.Host, d.Domain = host, ""
	}
	d.Domain = cmp.Or(d.Domain, domain)
}
