package enrich

import (
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/pagedata"
)

// setData sets the kinds of items in the structured data of the page, and the rows if they are requested. Items
// and values beyond the limits of a page, and blocks of JSON-LD, are an error of the document.
func (w *work) setData() {
	p := w.html()
	if p == nil {
		return
	}
	items, left := pagedata.Extract(pagedata.Input{Page: p, LD: w.jsonLD()})
	w.d.Data = pagedata.Summary(items)
	if w.e.data {
		w.data = pagedata.Rows(items, pagedata.Source{
			SURT: w.d.SURT, URL: w.d.URL, Host: w.d.Host, Domain: w.d.Domain, Timestamp: w.d.Timestamp,
		})
	}
	if n := p.ScriptsLeft(jsonld.Type); n > 0 {
		w.fail("data", schemas.KindLimit, fmt.Sprintf("%d blocks of JSON-LD are left out: too long or too many", n))
	}
	if left += w.ldLeft; left > 0 {
		w.fail("data", schemas.KindLimit,
			fmt.Sprintf("%d items and values are left out or cut, beyond the limits of a page", left))
	}
}
