package contentdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Explain says for people which way a question goes.
func (db *DB) Explain(_ context.Context, q query.Query) (string, error) {
	if err := q.Check(); err != nil {
		return "", err
	}
	var b strings.Builder
	where := "everything"
	if q.Where != nil {
		where = q.Where.String()
	}
	fmt.Fprintf(&b, "filter   %s\n", where)
	fmt.Fprintf(&b, "shards   all are read, of %d units; columns the filter needs: %s\n", len(db.manifest.Units),
		strings.Join(query.Columns(q.Where), ", "))
	return b.String(), nil
}
