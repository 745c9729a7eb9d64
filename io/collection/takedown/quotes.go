package takedown

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Quotes reports whether a row of structured data names a listed page, as its item or as its value.
func (t *List) Quotes(row *schemas.Datum) bool {
	for _, s := range []string{row.ID, row.Value} {
		// Most values are not URLs, and making the key of a URL is slow.
		if (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")) && t.Has(s) {
			return true
		}
	}
	return false
}
