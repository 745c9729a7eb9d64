package contentdb

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Lacks returns the extractors that fill the fields of a filter and that the collection's last run left out, sorted.
// They are a reason why nothing matches. It returns none if the manifest does not say which ran.
func (db *DB) Lacks(e query.Expr) (names []string) {
	list, ok := db.manifest.Options["extract"].([]any)
	if !ok || db.o.Files != nil {
		return nil
	}
	asked := query.Columns(e)
	for _, c := range schemas.Columns() {
		if c.By == "" || c.By == schemas.ByCapture || !slices.Contains(asked, c.Name) || slices.Contains(list, any(c.By)) {
			continue
		}
		names = append(names, c.By)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
