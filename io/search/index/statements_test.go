package index

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestStatements_noAutomaticIndex: no question has SQLite make an index for itself. It would be made for each question
// again, and gives too few rows of some tables: see TestOpen_noAutomaticIndex.
func TestStatements_noAutomaticIndex(t *testing.T) {
	tiny := limits{few: 3, fewTexts: 4, manyTexts: 5, sortable: 6, longestRun: 4, pagesAtOnce: 7, groupRows: 50}
	for _, o := range []Options{{}, {limits: tiny}} {
		s, r := newShelf(t), rand.New(rand.NewPCG(1, 5))
		s.put(t, 0, made(r, 40, "f0"))
		s.put(t, 1, made(r, 40, "f1"))
		x, _ := s.open(t, o)
		for _, filter := range filters {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			_, rest := Split(where)
			for _, order := range []query.Order{query.Newest, query.Oldest, query.SURT, query.Relevance, query.Length} {
				q := Request{Query: query.Query{Where: where, Order: order, Limit: 7}, Count: true, By: FacetFields(), Top: 2}
				if _, err := x.Ask(t.Context(), q, s.verify(rest)); err != nil {
					t.Fatalf("%s: %v", filter, err)
				}
			}
		}
		if _, err := x.Overview(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for _, p := range []*pool{x.volumes[0].index, x.volumes[0].text} {
			checkPlans(t, p)
		}
	}
}

// checkPlans explains each statement that a database was asked.
func checkPlans(t *testing.T, p *pool) {
	t.Helper()
	texts := map[string]bool{}
	for _, s := range p.free {
		for text := range s.stmts {
			texts[text] = true
		}
	}
	if len(texts) < 2 {
		t.Errorf("%d statements, want some", len(texts))
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		args := make([]any, strings.Count(text, "?"))
		err := each(t.Context(), p.db, func(rows *sql.Rows) error {
			var id, parent, unused int
			var step string
			err := rows.Scan(&id, &parent, &unused, &step)
			if strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", text, step)
			}
			return err
		}, "explain query plan "+text, args...)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// TestOpen_noAutomaticIndex: no connection makes an automatic index, so that a join gives all of its rows. SQLite
// 3.54.1 gives a quarter of them here, since the key of the table stands after its first 63 columns.
func TestOpen_noAutomaticIndex(t *testing.T) {
	var table strings.Builder
	table.WriteString("create table wide(host text, ")
	for i := range 70 {
		fmt.Fprintf(&table, "c%d integer, ", i)
	}
	table.WriteString("key integer primary key) without rowid;" + `with recursive r(i) as (select 0 union all select i + 1
		from r limit 300) insert into wide(host, c0, key) select i % 75, i / 75 % 3 = 0, i from r;`)
	path := filepath.Join(t.TempDir(), indexFile)
	if err := createDB(t.Context(), path, table.String()); err != nil {
		t.Fatal(err)
	}
	for _, a := range []access{writing, reading, frozen} {
		db, err := openDB(t.Context(), path, a, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		var got int
		err = db.QueryRowContext(t.Context(), `with some as (select * from wide where c0 = 1)
			select count(*) from some join wide using (host)`).Scan(&got)
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if got != 600 {
			t.Errorf("access %d: a join gives %d rows, want 600", a, got)
		}
	}
}
