package rowstore

import (
	"context"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/schemas/odm"
)

// ODM returns a table in the form that collections of package odm use.
func ODM(s Store) odm.Store { return table{s} }

// table adapts a Store. Package schemas/odm imports nothing of io, so it has its own names for rows and cells.
type table struct{ s Store }

// PutCells writes cells of a row.
func (t table) PutCells(ctx context.Context, row odm.Cells) error {
	r := Row{Key: row.Key}
	for _, c := range row.Cells {
		r.Cells = append(r.Cells, Cell{c.Family, c.Qualifier, c.Time, c.Value})
	}
	return t.s.Put(ctx, []Row{r})
}

// DeleteCells removes cells of a row.
func (t table) DeleteCells(ctx context.Context, key string, till time.Time) error {
	return t.s.Delete(ctx, key, till)
}

// ScanCells returns rows.
func (t table) ScanCells(ctx context.Context, from, to string, since, till time.Time) iter.Seq2[odm.Cells, error] {
	return func(yield func(odm.Cells, error) bool) {
		// All versions, because odm chooses among them itself.
		for r, err := range t.s.Scan(ctx, Range{Span: Span{from, to}, Since: since, Till: till, Versions: -1}) {
			out := odm.Cells{Key: r.Key}
			for _, c := range r.Cells {
				column := odm.Column{Family: c.Family, Qualifier: c.Qualifier}
				out.Cells = append(out.Cells, odm.Cell{Column: column, Time: c.Time, Value: c.Value})
			}
			if !yield(out, err) {
				return
			}
		}
	}
}
