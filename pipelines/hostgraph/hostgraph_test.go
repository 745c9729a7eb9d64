package hostgraph

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// capture is a page with the hosts that it links to, by place.
type capture struct {
	host, path, at, language     string
	main, navigation, everywhere string
}

var captures = []capture{
	{"a.example", "", "2020-01-01T00:00:00Z", "en", "b.example", "c.example", ""},
	{"a.example", "", "2022-01-01T00:00:00Z", "fr", "b.example", "", ""}, // a later capture of the page
	{"a.example", "2", "2021-01-01T00:00:00Z", "fr", "b.example", "b.example", "a.example"},
	{"b.example", "", "2021-06-01T00:00:00Z", "en", "", "", "d.example"},
	{"c.example", "", "", "", "a.example", "", ""}, // without a date or a language
	{"e.example", "", "2021-01-01T00:00:00Z", "en", "", "", ""},
	{"", "dns", "2021-01-01T00:00:00Z", "", "a.example", "", ""}, // without a host
}

// open makes a collection of the captures, and its index of links.
func open(t *testing.T) (*contentdb.DB, *linkindex.Index) {
	t.Helper()
	return openOf(t, captures, nil)
}

// openOf is open for other captures, of which some are changed.
func openOf(
	t *testing.T, captures []capture, change map[int]func(*schemas.Document),
) (*contentdb.DB, *linkindex.Index) {
	t.Helper()
	var docs []*schemas.Document
	var pages [][]schemas.Link
	for i, c := range captures {
		d := &schemas.Document{
			URL: "http://" + c.host + "/" + c.path, SURT: "surt(" + c.host + ")/" + c.path, Host: c.host, Domain: c.host,
			Timestamp: c.at, Language: c.language, Filename: "a.warc", Offset: int64(i), RecordType: schemas.TypeResponse,
			Status: 200, RecordID: fmt.Sprint("urn:x:", i),
		}
		if change[i] != nil {
			change[i](d)
		}
		docs = append(docs, d)
		var links []schemas.Link
		for place, to := range map[string]string{
			schemas.PlaceMain: c.main, schemas.PlaceNavigation: c.navigation, schemas.PlaceOther: c.everywhere,
		} {
			if to == "" {
				continue
			}
			links = append(links, schemas.Link{
				URL: d.URL, SURT: d.SURT, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp,
				Target: "http://" + to + "/", TargetHost: to, TargetDomain: to, Place: place,
			})
		}
		if len(links) > 0 {
			pages = append(pages, links)
		}
	}
	f := folder.Open(t.Context(), t.TempDir(), nil)
	collectiontest.Link(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, docs, pages...)
	part, _, err := holdings.Whole(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contentdb.UpdateLinks(t.Context(), f, part, false); err != nil {
		t.Fatal(err)
	}
	x, err := contentdb.OpenLinks(f, part)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	db, err := contentdb.Open(t.Context(), f, contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db, x
}

func parsed(t *testing.T, filter string) query.Expr {
	t.Helper()
	e, err := query.Parse(filter)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// edges makes the graph of the captures that a filter finds, and lists its edges with the numbers of links.
func edges(t *testing.T, db *contentdb.DB, x *linkindex.Index, filter, place string) []string {
	t.Helper()
	keys, err := Keys(t.Context(), db, parsed(t, filter))
	if err != nil {
		t.Fatal(err)
	}
	b := linkgraph.NewBuilder(linkgraph.Options{TempDir: t.TempDir()})
	defer func() { _ = b.Close() }() // the graph is in memory
	tally := b.Tally()
	if err := Build(t.Context(), x, keys, place, tally); err != nil {
		t.Fatal(err)
	}
	g, err := tally.Hosts()
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for i, e := range g.Edges() {
		list = append(list, fmt.Sprintf("%s→%s %d", g.Names()[e.From], g.Names()[e.To], g.Weights()[i]))
	}
	return list
}

func TestBuild(t *testing.T) {
	db, x := open(t)
	for _, test := range []struct {
		name, filter, place string
		want                []string
	}{
		// Links within a host do not count, nor do those of pages without one.
		{"all", "", "", []string{
			"a.example→b.example 4", "a.example→c.example 1", "b.example→d.example 1", "c.example→a.example 1",
		}},
		{"main", "", schemas.PlaceMain, []string{"a.example→b.example 3", "c.example→a.example 1"}},
		{"navigation", "", schemas.PlaceNavigation, []string{"a.example→b.example 1", "a.example→c.example 1"}},
		{"other", "", schemas.PlaceOther, []string{"b.example→d.example 1"}},
		{"one capture of a page", "language = en host = a.example", "", []string{
			"a.example→b.example 1", "a.example→c.example 1",
		}},
		{"a page and a later capture", "language = fr", "", []string{"a.example→b.example 3"}},
		{"a filter and a place", "language = fr", schemas.PlaceNavigation, []string{"a.example→b.example 1"}},
		{"a capture without a date", "host = c.example", "", []string{"c.example→a.example 1"}},
		{"captures without links", "host = e.example", "", []string{}},
		{"no captures", "host = x.example", "", []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, edges(t, db, x, test.filter, test.place)); diff != "" {
				t.Errorf("edges (-want +got):\n%s", diff)
			}
		})
	}
}

// TestKeys: nil stands for all captures, and only where no filter and no rule leaves any out.
func TestKeys(t *testing.T) {
	db, x := open(t)
	if keys, err := Keys(t.Context(), db, nil); err != nil || keys != nil || !keys.Has(1) {
		t.Errorf("without a filter: %v, %v", keys, err)
	}
	keys, err := Keys(t.Context(), db, parsed(t, "host = x.example"))
	if err != nil || keys == nil || len(keys) > 0 || keys.Has(1) {
		t.Errorf("no captures: %v, %v, and nil means all", keys, err)
	}
	keys, err = Keys(t.Context(), db, parsed(t, "language = fr"))
	if err != nil || len(keys) != 2 || !keys.Has(linkindex.Key("http://a.example/2", "2021-01-01T00:00:00Z")) ||
		keys.Has(linkindex.Key("http://a.example/2", "2020-01-01T00:00:00Z")) {
		t.Errorf("two captures: %v, %v", keys, err)
	}
	// Links are content: captures that are only listed have none.
	for name, by := range map[string]contentdb.Limits{
		"listed": {Listed: parsed(t, "NOT host = a.example")}, "whole": {Whole: parsed(t, "NOT host = a.example")},
	} {
		limited, err := db.Limited(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"b.example→d.example 1", "c.example→a.example 1"}
		if diff := cmp.Diff(want, edges(t, limited, x, "", "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDescribe(t *testing.T) {
	db, _ := open(t)
	for filter, want := range map[string]map[string]linkgraph.Host{
		"": {
			"a.example": {Pages: 2, Captures: 3, First: 2020, Last: 2022, Language: "fr", Languages: 1},
			"b.example": {Pages: 1, Captures: 1, First: 2021, Last: 2021, Language: "en", Languages: 1},
			"c.example": {Pages: 1, Captures: 1},
			"d.example": {}, // only linked to
		},
		"timestamp < 2022": {
			"a.example": {Pages: 2, Captures: 2, First: 2020, Last: 2021, Language: "en", Languages: 2},
			"b.example": {Pages: 1, Captures: 1, First: 2021, Last: 2021, Language: "en", Languages: 1},
			"c.example": {}, "d.example": {},
		},
	} {
		b := linkgraph.NewBuilder(linkgraph.Options{TempDir: t.TempDir()})
		defer func() { _ = b.Close() }() // the graph is in memory
		for _, edge := range [][2]string{{"a.example", "b.example"}, {"c.example", "d.example"}} {
			if err := b.Count(edge[0], edge[1], 2020, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := Describe(t.Context(), db, parsed(t, filter), b); err != nil {
			t.Fatal(err)
		}
		g, err := b.Hosts()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]linkgraph.Host{}
		for i, name := range g.Names() {
			got[name] = g.About()[i]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", filter, diff)
		}
	}
}

// TestBuild_bounded: more hosts than memory holds are an error, and not a part of the graph.
func TestBuild_bounded(t *testing.T) {
	_, x := open(t)
	b := linkgraph.NewBuilder(linkgraph.Options{TempDir: t.TempDir(), Memory: 1})
	defer func() { _ = b.Close() }() // it holds nothing
	if err := Build(t.Context(), x, nil, "", b.Tally()); err == nil {
		t.Error("the graph was made without memory")
	}
}
