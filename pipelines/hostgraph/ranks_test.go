package hostgraph

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestRanks: the ranks of hosts in SQL are those of the graph of the same links, to the last bit.
func TestRanks(t *testing.T) {
	b := linkgraph.NewBuilder(linkgraph.Options{TempDir: t.TempDir()})
	defer func() { _ = b.Close() }() // the test is over by then
	var pages [][]schemas.Link
	for i := range 60 {
		from := fmt.Sprintf("h%d.example", i)
		var links []schemas.Link
		for k := range 4 {
			to := fmt.Sprintf("h%d.example", i*7%30+k)
			links = append(links, schemas.Link{
				URL: "http://" + from + "/", SURT: from, Host: from, Domain: from, Timestamp: "2026-11-24T00:00:00Z",
				Target: "http://" + to + "/", TargetHost: to, TargetDomain: to, Place: schemas.PlaceMain,
			})
			if err := b.Add(&links[k]); err != nil {
				t.Fatal(err)
			}
		}
		pages = append(pages, links)
	}
	g, err := b.Hosts()
	if err != nil {
		t.Fatal(err)
	}
	want := map[float64]int{}
	for i := range g.Names() {
		want[g.PageRank()[i]+1000*g.Harmonic()[i]]++
	}
	f := folder.Open(t.Context(), t.TempDir(), nil)
	collectiontest.Link(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, nil, pages...)
	db, err := contentdb.Open(t.Context(), f, contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	sql := "select prank, hcrank, hcrank_pos from host_ranks"
	rows, err := contentsql.Query(t.Context(), db, sql, contentsql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // the test is over by then
	n := 0
	for rows.Next() {
		v := rows.Values()
		sum := v[0].(float64) + 1000*v[1].(float64)
		if want[sum]--; want[sum] < 0 {
			t.Errorf("PageRank %v and harmonic centrality %v are not the graph's", v[0], v[1])
		}
		n++
	}
	if err := rows.Err(); err != nil || n != len(g.Names()) || n < 50 {
		t.Errorf("%d hosts, %v; the graph has %d", n, err, len(g.Names()))
	}
}
