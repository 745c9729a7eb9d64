//go:build !noiceberg && !local

package lake

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/compress/snappy"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestWithdraw: shards leave the table, whatever other programs have done to others of them.
func TestWithdraw(t *testing.T) {
	for _, tt := range []struct {
		name      string
		rewritten []int // shards that another program has rewritten
		withdrawn []int
		left      int // shards in the table
	}{
		{"one", nil, []int{0}, 2},
		{"all", nil, []int{0, 1, 2}, 0},
		{"one that was rewritten", []int{0}, []int{0}, 2},
		{"one that was rewritten and another", []int{0}, []int{0, 1}, 1},
		{"the other alone", []int{0}, []int{1}, 1},
		{"all, and all were rewritten", []int{0, 1, 2}, []int{0, 1, 2}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := local(filepath.Join(t.TempDir(), "out"))
			made(t, f, 0, 1, 2)
			synced(t, f)
			shards := ours(t, opened(t, f))
			if len(shards) != 3 {
				t.Fatalf("%d shards", len(shards))
			}
			pick := func(list []int) (names []string) {
				for _, i := range list {
					names = append(names, shards[i])
				}
				return names
			}
			if len(tt.rewritten) > 0 {
				data := parquetOf(t, &snappy.Codec{}, insertedRows(insertedURLs))
				commit(t, f, map[string][]byte{"data/part-0.parquet": data}, pick(tt.rewritten)...)
			}
			for range 2 {
				if err := opened(t, f).Withdraw(t.Context(), pick(tt.withdrawn)); err != nil {
					t.Fatal(err)
				}
			}
			now := ours(t, opened(t, f))
			for _, name := range pick(tt.withdrawn) {
				if slices.Contains(now, name) {
					t.Errorf("the table still has %s", name)
				}
			}
			if len(now) != tt.left {
				t.Errorf("the table has %v, want %d", now, tt.left)
			}
			if n := len(others(t, f)); n != min(1, len(tt.rewritten)) {
				t.Errorf("%d files of others", n)
			}
		})
	}
}

// ours are the shards of the newest snapshot, in order.
func ours(t *testing.T, table *Table) (names []string) {
	t.Helper()
	files, err := table.Plan(t.Context(), Point{}, query.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Ours() {
			names = append(names, file.Name)
		}
	}
	slices.Sort(names)
	return names
}
