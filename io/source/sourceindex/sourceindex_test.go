package sourceindex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sites is how many feeds the Source DB of tests has.
const sites = 40

// write makes a Source DB of feeds that publish ever more slowly; each tenth has captured pages, each fourth is one of
// comments.
func write(t testing.TB, f folder.Folder, from, to int) {
	t.Helper()
	in := folder.Open(context.Background(), t.TempDir(), nil)
	c, err := collection.Open(in, collection.OpenOptions{})
	check(t, err)
	unit := schemas.Unit{Inputs: []schemas.Range{{File: "x.warc.gz", End: 1000}}}
	key := ledger.Key(unit, "", "")
	_, _, err = c.Resume([]schemas.Unit{unit}, []string{key}, nil)
	check(t, err)
	w, err := shard.NewWriter(in, unit, key, shard.Options{Feeds: true})
	check(t, err)
	for i := from; i < to; i++ {
		check(t, w.Feed(feedOf(i)))
		if i%10 == 0 {
			d := &schemas.Document{
				URL: fmt.Sprintf("https://site%02d.example/0", i), Title: "Item 0", Timestamp: "2026-05-01T00:00:00Z",
				Status: 200, Filename: "x.warc.gz", Language: "en", Quality: &schemas.Quality{Words: 100}, RecordType: "response",
			}
			d.Host, d.Domain = urlkey.Site(d.URL)
			check(t, w.Document(d))
		}
	}
	row, err := w.Commit(schemas.Counts{}, ledger.Note{})
	check(t, err)
	db, err := sourcedb.Open(f)
	check(t, err)
	defer func() { check(t, db.Close()) }()
	of := holdings.Part{Folder: in, Shards: row.Shards}
	part, err := sourcedb.WritePart(t.Context(), f, of, sourcedb.SortOptions{})
	check(t, err)
	_, err = db.Update(t.Context(), []sourcedb.Part{part}, sourcedb.Options{})
	check(t, err)
}

func feedOf(i int) schemas.FeedCapture {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	row := schemas.FeedCapture{
		Kind: "feed", URL: fmt.Sprintf("https://site%02d.example/feed", i), Type: "rss", Status: 200,
		Timestamp: now.Format(time.RFC3339), Title: fmt.Sprintf("Site %d, 100%% _its own_", i),
		Link: fmt.Sprintf("https://site%02d.example/", i), Digest: fmt.Sprint(i),
	}
	if i == 9 {
		row.Title = "Österreich heute"
	}
	if i%4 == 3 {
		row.URL = fmt.Sprintf("https://site%02d.example/comments/feed", i)
	}
	row.Host, row.Domain = urlkey.Site(row.URL)
	for k := range 12 {
		published := now.Add(-time.Duration(k*(1+i)) * time.Hour)
		row.Items = append(row.Items, schemas.FeedItem{
			URL: fmt.Sprintf("https://site%02d.example/%d", i, k), Title: fmt.Sprint("Item ", k),
			Published: published.Format(time.RFC3339),
		})
	}
	row.Count = len(row.Items)
	return row
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, f folder.Folder, path string) *Index {
	t.Helper()
	x, err := Open(t.Context(), f, path)
	check(t, err)
	t.Cleanup(func() { check(t, x.Close()) })
	return x
}

// pages asks for all pages of a list, and returns the URLs.
func pages(t testing.TB, x *Index, q Query) (urls []string) {
	t.Helper()
	for {
		p, err := x.List(t.Context(), q)
		check(t, err)
		for _, s := range p.Sources {
			urls = append(urls, s.URL)
		}
		if p.Next == "" {
			if int64(len(urls)) != p.Total {
				t.Errorf("%+v: %d sources in all pages, want the total of %d", q, len(urls), p.Total)
			}
			return urls
		}
		q.After = p.Next
	}
}

// TestIndex_lists: each order and filter gives what a pass over the shards gives, whatever the length of a page.
func TestIndex_lists(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	write(t, f, 0, sites)
	x := open(t, f, filepath.Join(t.TempDir(), "sources.sqlite"))
	m, err := sourcedb.ReadManifest(f)
	check(t, err)
	var all []schemas.Source
	for s, err := range sourcedb.Sources(t.Context(), f, m) {
		check(t, err)
		all = append(all, s)
	}
	for name, tt := range map[string]struct {
		query Query
		takes func(schemas.Source) bool
		less  func(a, b schemas.Source) bool
	}{
		"all":     {Query{}, nil, nil},
		"by rate": {Query{Order: ByRate}, nil, func(a, b schemas.Source) bool { return a.Refresh.Rate >= b.Refresh.Rate }},
		"by next": {Query{Order: ByNext}, nil, func(a, b schemas.Source) bool { return a.Refresh.Next <= b.Refresh.Next }},
		"by last": {Query{Order: ByLastItem}, nil, func(a, b schemas.Source) bool { return a.LastItem >= b.LastItem }},
		"comments": {
			Query{Filter: Filter{Class: "comments"}}, func(s schemas.Source) bool { return s.Class == "comments" }, nil,
		},
		"undecided": {
			Query{Filter: Filter{Verdict: "undecided", Reason: "nothing captured"}},
			func(s schemas.Source) bool { return s.Verdict == "undecided" && s.Reasons[0] == "nothing captured" }, nil,
		},
		"site": {
			Query{Filter: Filter{Site: "site07.example"}},
			func(s schemas.Source) bool { return s.Host == "site07.example" }, nil,
		},
		// The characters of LIKE stand for themselves.
		"text": {
			Query{Filter: Filter{Text: "site 3, 100% _its"}},
			func(s schemas.Source) bool { return s.Title == "Site 3, 100% _its own_" }, nil,
		},
		"letters beyond ASCII": {
			Query{Filter: Filter{Text: "österREICH"}},
			func(s schemas.Source) bool { return s.Title == "Österreich heute" }, nil,
		},
		"none": {Query{Filter: Filter{Text: "3x100%"}}, func(schemas.Source) bool { return false }, nil},
		"due": {
			Query{Filter: Filter{Due: x.AsOf().Add(24 * time.Hour)}, Order: ByNext},
			func(s schemas.Source) bool {
				return s.Verdict != "rejected" && s.Refresh.Next <= x.AsOf().Add(24*time.Hour).Format(time.RFC3339)
			}, nil,
		},
	} {
		for _, tt.query.Limit = range []int{1, 7, 1000} {
			got := pages(t, x, tt.query)
			var want []string
			byURL := map[string]schemas.Source{}
			for _, s := range all {
				byURL[s.URL] = s
				if tt.takes == nil || tt.takes(s) {
					want = append(want, s.URL)
				}
			}
			if tt.less != nil {
				for i := 1; i < len(got); i++ {
					if !tt.less(byURL[got[i-1]], byURL[got[i]]) {
						t.Errorf("%s: %s stands before %s", name, got[i-1], got[i])
					}
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d at a time: %q, want %q", name, tt.query.Limit, got, want)
			}
		}
	}
}

func TestIndex_getsOne(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	write(t, f, 0, sites)
	x := open(t, f, filepath.Join(t.TempDir(), "sources.sqlite"))
	p, err := x.List(t.Context(), Query{Filter: Filter{Site: "site10.example"}})
	check(t, err)
	d, err := x.Get(t.Context(), p.Sources[0].ID)
	check(t, err)
	if d.URL != "https://site10.example/feed" || len(d.Items) != 12 || len(d.Dates) != 12 || len(d.Pages) != 1 {
		t.Errorf("%+v", d)
	}
	for i, item := range d.Items {
		// The newest item is the one whose page is captured.
		if item.Title != fmt.Sprint("Item ", i) || (item.Page != nil) != (i == 0) {
			t.Errorf("item %d: %+v", i, item)
		}
	}
	if !slices.IsSortedFunc(d.Dates, time.Time.Compare) || !d.Dates[11].Equal(x.AsOf()) {
		t.Errorf("dates: %v", d.Dates)
	}
	for url, want := range map[string]string{
		"http://www.site10.example/0?utm_source=rss": d.ID, "https://site10.example/1": "", "https://none.example/": "",
	} {
		if id, ok, err := x.SourceOf(t.Context(), url); err != nil || id != want || ok != (want != "") {
			t.Errorf("SourceOf(%q) = %q, %v, %v, want %q", url, id, ok, err, want)
		}
	}
	for _, id := range []string{"", "x", "'; drop table source; --"} {
		if _, err := x.Get(t.Context(), id); !errors.Is(err, ErrNoSource) {
			t.Errorf("Get(%q): %v, want ErrNoSource", id, err)
		}
	}
	for _, after := range []string{"x", "1_", "1_2_3", "1_2; drop table source"} {
		if _, err := x.List(t.Context(), Query{After: after}); !errors.Is(err, ErrCursor) {
			t.Errorf("after %q: %v, want ErrCursor", after, err)
		}
	}
}

func TestIndex_counts(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	write(t, f, 0, sites)
	x := open(t, f, filepath.Join(t.TempDir(), "sources.sqlite"))
	facets, err := x.Facets(t.Context(), Filter{})
	check(t, err)
	want := []Count{{"main", sites - sites/4}, {"comments", sites / 4}}
	if !slices.Equal(facets["class"], want) {
		t.Errorf("classes: %v, want %v", facets["class"], want)
	}
	list, err := x.Cycles(t.Context(), Filter{Class: "main"})
	check(t, err)
	sum := int64(0)
	for _, p := range list {
		sum += p.Count
	}
	if sum != sites-sites/4 || list[0].Count+list[1].Count == 0 || list[4].Count == 0 {
		t.Errorf("cycles: %v", list)
	}
}

// TestIndex_followsGenerations: a database of another generation, of something else or half of one is made again; one
// that is open answers as it did.
func TestIndex_followsGenerations(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	path := filepath.Join(t.TempDir(), "a b?%2f#.sqlite")
	if _, err := Open(t.Context(), f, path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no Source DB: %v", err)
	}
	write(t, f, 0, 10)
	old := open(t, f, path)
	write(t, f, 5, 15)
	if behind, err := old.Outdated(f); err != nil || !behind {
		t.Errorf("Outdated: %v, %v", behind, err)
	}
	if now := open(t, f, path); len(pages(t, now, Query{})) != 15 {
		t.Errorf("%d sources, want 15", len(pages(t, now, Query{})))
	}
	if n := len(pages(t, old, Query{})); n != 10 {
		t.Errorf("the database that was open has %d sources, want 10", n)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"empty": func([]byte) []byte { return nil },
		"text":  func([]byte) []byte { return []byte("something else that is no database at all") },
		"half":  func(b []byte) []byte { return b[:len(b)/2] },
	} {
		data, err := os.ReadFile(path)
		check(t, err)
		other := filepath.Join(t.TempDir(), "other.sqlite")
		check(t, os.WriteFile(other, damage(data), 0o644))
		if n := len(pages(t, open(t, f, other), Query{})); n != 15 {
			t.Errorf("%s: %d sources, want 15", name, n)
		}
	}
}

func BenchmarkIndex_sourceOf(b *testing.B) {
	f := folder.Open(b.Context(), b.TempDir(), nil)
	write(b, f, 0, sites)
	x := open(b, f, filepath.Join(b.TempDir(), "sources.sqlite"))
	for i := 0; b.Loop(); i++ {
		if _, _, err := x.SourceOf(b.Context(), fmt.Sprintf("https://site%02d.example/0", i%sites)); err != nil {
			b.Fatal(err)
		}
	}
}
