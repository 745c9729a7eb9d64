package view

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// versionOf makes a version of a page from a capture.
func versionOf(collection string, d *schemas.Document) Version {
	v := Version{Capture: captureOf(collection, d), BodyBytes: d.BodyBytes}
	// A document without text has no quality.
	if d.Quality != nil {
		v.Words = d.Quality.Words
	}
	return v
}

// linkTo makes a link of a page to an address, which the collection may not have. Looking it up would need a query for
// each link of a page.
func linkTo(collection, address, text, kind string) Link {
	return Link{URL: address, Text: text, Type: kind, There: page(collection, "resource", ResourceRequest{URL: address})}
}

// textOf finds the version whose text a revisit refers to.
func (res *Resource) textOf(f *found) {
	if f.shown.Text != "" {
		return
	}
	o := f.original(f.shown)
	if i := slices.Index(f.list, o); i >= 0 && o.Quality != nil && o.Quality.Words > 0 {
		res.TextAt = res.Versions[i].Link
	}
}
