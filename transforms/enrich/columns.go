package enrich

import (
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// OfCapture reports whether a column of documents is recognised by the archive's record alone: see Base.
func OfCapture(column string) bool { return filledBy(column) == schemas.ByCapture }

// MakerOf is the extractor that makes a column; empty for columns that none makes.
func MakerOf(column string) string {
	if OfCapture(column) {
		return ""
	}
	return filledBy(column)
}

func filledBy(column string) string {
	for _, c := range schemas.Columns() {
		if c.Name == column {
			return c.By
		}
	}
	return ""
}

// Base is the document of c before anything is extracted: the columns of which OfCapture is true.
func Base(c *schemas.Capture) *schemas.Document {
	d := base(c)
	d.SURT = urlkey.SURT(c.URL)
	d.Host, d.Domain = urlkey.Site(c.URL)
	return d
}
