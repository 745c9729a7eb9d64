package webtable

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// parted returns each row in parts of one time, to readers that allow it.
type parted struct{ rowstore.Store }

func (p parted) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return func(yield func(rowstore.Row, error) bool) {
		for row, err := range p.Store.Scan(ctx, r) {
			if err != nil || !r.Parts {
				yield(row, fmt.Errorf("a row is too large: %w, %v", rowstore.ErrLimit, err))
				return
			}
			var times []time.Time
			for _, c := range row.Cells {
				times = append(times, c.Time)
			}
			slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
			for _, at := range slices.Compact(times) {
				part := rowstore.Row{Key: row.Key}
				for _, c := range row.Cells {
					if c.Time.Equal(at) {
						part.Cells = append(part.Cells, c)
					}
				}
				if !yield(part, nil) {
					return
				}
			}
		}
	}
}

// TestParts: rows in parts have the same documents, and are removed once.
func TestParts(t *testing.T) {
	for _, l := range []Layout{{}, {ByURL: true}} {
		s := memory.New()
		list := random(300)
		for _, d := range list {
			put(t, s, l, d, &schemas.Capture{Timestamp: query.KeyOf(d).Timestamp})
		}
		for _, q := range []query.Query{
			{},
			{AllVersions: true},
			{Limit: 5},
			{At: time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)},
		} {
			var whole, parts []string
			for _, from := range []struct {
				s    rowstore.Store
				list *[]string
			}{{s, &whole}, {parted{s}, &parts}} {
				for d, err := range Find(t.Context(), from.s, l, q) {
					if err != nil {
						t.Fatalf("%+v: %v", q, err)
					}
					*from.list = append(*from.list, d.URL+" "+d.Timestamp)
				}
			}
			if !slices.Equal(whole, parts) || len(whole) == 0 {
				t.Errorf("by URL %v, %+v: %d documents of parts, want %d", l.ByURL, q, len(parts), len(whole))
			}
		}
		before := len(rows(t, s))
		keys, err := Remove(t.Context(), parted{s}, nil, func(url string) bool { return !strings.Contains(url, "1") })
		slices.Sort(keys)
		if n := len(keys); err != nil || n == 0 || n != len(slices.Compact(keys)) || len(rows(t, s)) != before-n {
			t.Errorf("%d rows of %d are removed, %d are left: %v", n, before, len(rows(t, s)), err)
		}
	}
}
