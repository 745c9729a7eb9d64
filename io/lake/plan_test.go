//go:build !noiceberg && !local

package lake

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestPlan_at: with query.Query.At, a file counts if its rows may hide older ones, even if no row passes the filter.
func TestPlan_at(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	made(t, f, 0, 1, 2)
	synced(t, f)
	at := time.Date(2025, 2, 15, 0, 0, 0, 0, time.UTC) // in the second of three months
	for _, tt := range []struct {
		name, where string
		at          time.Time
		files       int
	}{
		{"all", ``, time.Time{}, 3},
		{"none", `language = xx`, time.Time{}, 0},
		{"a month", `timestamp < 2025-02-01`, time.Time{}, 1},
		{"negated", `NOT timestamp < 2025-02-01`, time.Time{}, 3},
		{"either of two", `timestamp < 2025-02-01 OR timestamp >= 2025-03-01`, time.Time{}, 2},
		{"or what no manifest knows", `timestamp < 2025-02-01 OR title:budget`, time.Time{}, 3},
		{"at a moment", ``, at, 2},
		{"of which no row passes", `language = xx`, at, 2},
		{"of which no newest row passes", `timestamp < 2025-02-01`, at, 2},
		{"of a site", `surt = "example,site3)/*" AND language = fr`, at, 2},
		{"of no site", `surt = "org,other)/*"`, at, 0},
		{"before all", ``, at.AddDate(-1, 0, 0), 0},
	} {
		where, err := query.Parse(tt.where)
		if err != nil {
			t.Fatal(err)
		}
		files, err := opened(t, f).Plan(t.Context(), Point{}, query.Query{Where: where, At: tt.at})
		if err != nil || len(files) != tt.files {
			t.Errorf("%s: %d files, %v; want %d", tt.name, len(files), err, tt.files)
		}
		for _, file := range files {
			if !file.Ours() || file.SURT[0] == "" || file.SURT[0] > file.SURT[1] || !file.Time[0].Before(file.Time[1]) {
				t.Errorf("%s: %+v has no bounds", tt.name, file)
			}
		}
	}
}
