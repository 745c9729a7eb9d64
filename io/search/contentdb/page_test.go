package contentdb

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestAsk_pages: the pages of an answer make up the answer, with and without the index. Each page has the count and
// facets of the whole.
func TestAsk_pages(t *testing.T) {
	docs := corpus(7, 120)
	f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet})
	for _, o := range []Options{{}, {NoIndex: true}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // the test is over by then
		for _, q := range questions(t) {
			q.Limit = 0
			want, groups := reference(q, docs), map[string]int64{}
			for _, d := range want {
				groups[d.Language]++
			}
			r := Request{Query: q, Columns: []string{"url", "text"}, Count: true, Facets: []string{"lang"}}
			r.Query.Limit = 9
			var got []*schemas.Document
			for {
				a, err := db.Ask(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range a.Rows {
					got = append(got, row.Document)
				}
				checkCounts(t, a, int64(len(want)), groups)
				if a.Next == nil {
					break
				}
				r.Query.After = again(t, a.Next)
			}
			p := newProjection(keyed(r.Columns, q.Order))
			for i, d := range want {
				want[i] = p.of(d)
			}
			if diff := gocmp.Diff(texts(t, all(want)), texts(t, all(got))); diff != "" {
				t.Fatalf("%s, no index %v: -want +got:\n%s", describe(q), o.NoIndex, diff)
			}
		}
	}
}

// again is a mark that was in a URL meanwhile.
func again(t *testing.T, m *query.Position) *query.Position {
	t.Helper()
	text, err := m.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	m = &query.Position{}
	if err := m.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	return m
}

func checkCounts(t *testing.T, a *Answer, n int64, languages map[string]int64) {
	t.Helper()
	got := map[string]int64{}
	for _, g := range a.Facets["lang"] {
		got[g.Values[0]] = g.Count
	}
	if diff := gocmp.Diff(languages, got); a.Count != n || diff != "" {
		t.Fatalf("%d captures, want %d; languages (-want +got):\n%s", a.Count, n, diff)
	}
}

func TestAsk_excerpts(t *testing.T) {
	docs := corpus(8, 20)
	for i, d := range docs {
		d.Text = strings.Repeat("le conseil ", 40) + "vote le budget de l'été " + strings.Repeat("le conseil ", i)
	}
	db, err := Open(t.Context(), build(t, t.TempDir(), docs, []string{holdings.FormatParquet}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	where, err := query.Parse(`"le budget" ete`)
	if err != nil {
		t.Fatal(err)
	}
	a, err := db.Ask(t.Context(), Request{Query: query.Query{Where: where}, Columns: []string{"url"}, Excerpt: 60})
	if err != nil || len(a.Rows) == 0 || a.Count != -1 {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, r := range a.Rows {
		var marked []string
		for _, m := range r.Excerpt.Marks {
			marked = append(marked, r.Excerpt.Text[m.From:m.To])
		}
		if !slices.Equal(marked, []string{"le budget", "été"}) || r.Text != "" || r.URL == "" || !r.Excerpt.Before {
			t.Errorf("%+v", r)
		}
	}
}

// TestAsk_excerptsOfDescriptions: a capture without text shows its description, others show their text, with and
// without the index. Rows have only the columns that were asked for.
func TestAsk_excerptsOfDescriptions(t *testing.T) {
	docs := corpus(8, 60)
	for i, d := range docs {
		d.Text, d.Description = "the text", "the description"
		if i%3 == 0 {
			d.Text = ""
		}
	}
	f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet})
	for _, o := range []Options{{}, {NoIndex: true}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := db.Ask(t.Context(), Request{
			Query: query.Query{AllVersions: true, Limit: 59}, Columns: []string{"url"}, Excerpt: 60,
		})
		if err != nil || len(a.Rows) != 59 || a.Next == nil {
			t.Fatalf("%d rows, next %v, %v", len(a.Rows), a.Next, err)
		}
		n := map[string]int{}
		for _, r := range a.Rows {
			if r.Text != "" || r.Description != "" {
				t.Errorf("%+v", r.Document)
			}
			n[r.Excerpt.Text]++
		}
		if n["the text"]+n["the description"] != 59 || n["the description"] < 19 {
			t.Errorf("%v", n)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOverview(t *testing.T) {
	docs := corpus(9, 200)
	f := build(t, t.TempDir(), docs, []string{holdings.FormatJSONL})
	db, err := Open(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	o, err := db.Overview(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	pages, hosts := map[string]bool{}, map[string]int64{}
	var first, last time.Time
	for _, d := range docs {
		pages[d.SURT] = true
		hosts[d.Host]++
		if at := query.KeyOf(d).Timestamp; !at.IsZero() {
			if first.IsZero() || at.Before(first) {
				first = at
			}
			if at.After(last) {
				last = at
			}
		}
	}
	want := &Overview{Captures: 200, Pages: int64(len(pages)), First: first, Last: last}
	if o.Captures != want.Captures || o.Pages != want.Pages || !o.First.Equal(first) || !o.Last.Equal(last) {
		t.Errorf("%+v, want %+v", o, want)
	}
	most := slices.SortedFunc(func(yield func(Group) bool) {
		for host, n := range hosts {
			if !yield(Group{[]string{host}, n}) {
				return
			}
		}
	}, func(a, b Group) int { return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Values, b.Values)) })
	if diff := gocmp.Diff(most[:2], o.By["host"]); diff != "" || o.Distinct["host"] != int64(len(hosts)) {
		t.Errorf("%d hosts, want %d; the most frequent (-want +got):\n%s", o.Distinct["host"], len(hosts), diff)
	}
	shards, err := Open(t.Context(), f, Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shards.Overview(t.Context(), 2); !errors.Is(err, ErrNoIndex) {
		t.Errorf("without an index: %v", err)
	}
}

func TestChanged(t *testing.T) {
	f := build(t, t.TempDir(), corpus(9, 20), []string{holdings.FormatJSONL})
	db, err := Open(t.Context(), f, Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := db.Changed(); changed || err != nil {
		t.Errorf("%v, %v", changed, err)
	}
	m, err := holdings.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(m) // without the white space of the one that is there
	if err == nil {
		err = f.Write(holdings.ManifestFile, data)
	}
	if changed, failed := db.Changed(); !changed || err != nil || failed != nil {
		t.Errorf("%v, %v, %v", changed, failed, err)
	}
}

// TestIndex_deletedWhileServing: processes that have the collection open continue, and the next one that opens it makes
// the index again.
func TestIndex_deletedWhileServing(t *testing.T) {
	docs := corpus(10, 100)
	dir := t.TempDir()
	f := build(t, dir, docs, []string{holdings.FormatParquet})
	db, err := Open(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	if err := os.RemoveAll(filepath.Join(dir, ".gleaner", "index")); err != nil {
		t.Fatal(err)
	}
	q := query.Query{AllVersions: true}
	var all sync.WaitGroup
	for range 8 { // more than there are connections
		all.Go(func() {
			n, err := db.Count(t.Context(), q)
			if err == nil && n != 100 {
				t.Errorf("%d captures", n)
			}
			if err != nil {
				t.Error(err)
			}
			for _, err := range db.Find(t.Context(), query.Query{Limit: 5}, []string{"url"}) {
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	// Open connections still see the deleted files. A connection that is made later finds the index lost.
	if changed, err := db.Changed(); changed != db.lost.Load() || err != nil {
		t.Errorf("%v, %v: nobody is told to open it again", changed, err)
	}
	again, err := Open(t.Context(), f, Options{})
	if err != nil || len(again.Notes()) > 0 {
		t.Fatalf("%v, %q", err, again.Notes())
	}
	if n, err := again.Count(t.Context(), q); err != nil || n != 100 {
		t.Errorf("%d, %v", n, err)
	}
	_ = again.Close() // it was read only
}
