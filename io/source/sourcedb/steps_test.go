package sourcedb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// crawlOfFew returns what one of several crawls has seen of some feeds. The feeds share pages, redirect to each other,
// fail, get new items, or state the URL of another feed as their own.
func crawlOfFew(r *rand.Rand, crawl int) (feeds []schemas.FeedCapture, docs []*schemas.Document) {
	when := noon.AddDate(0, crawl, r.IntN(20)).Format(time.RFC3339)
	for i := range 30 {
		host := fmt.Sprintf("s%d.example", i%10)
		url := "https://" + host + []string{"/feed", "/feed/rss2", "/tag/a/feed"}[i/10]
		switch r.IntN(6) {
		case 0:
			continue // it was not met
		case 1:
			row := announced(url, "https://"+host+"/")
			row.Timestamp = when
			feeds = append(feeds, row)
		case 2:
			status := []int{500, 404, 304, 200}[r.IntN(4)]
			d := &schemas.Document{URL: url, Status: status, Timestamp: when, RecordType: schemas.TypeRevisit}
			docs = append(docs, d)
		case 3:
			d := redirect(url, "https://"+host+"/feed")
			d.Timestamp = when
			docs = append(docs, d)
		default:
			var posts []int
			for n := range 4 + r.IntN(4) {
				posts = append(posts, n+2*crawl)
			}
			row := feedWith(url, posts...)
			row.Timestamp, row.Digest = when, fmt.Sprint(crawl)
			if r.IntN(2) == 0 {
				row.Self = "https://" + host + "/feed"
			}
			feeds = append(feeds, row)
		}
	}
	for range 60 {
		host, n := fmt.Sprintf("s%d.example", r.IntN(10)), r.IntN(12)
		d := &schemas.Document{
			URL: fmt.Sprintf("https://%s/post/%d", host, n), Title: fmt.Sprintf("Piece %d of the site", n), Status: 200,
			Timestamp: when, Language: []string{"en", "fr"}[r.IntN(2)], Quality: &schemas.Quality{Words: 100 + n},
			Entities: []schemas.Entity{{Type: "place", Text: fmt.Sprint("Place ", r.IntN(9)), Count: 1}},
		}
		d.Host, d.Domain = host, host
		if r.IntN(5) == 0 {
			d = redirect(d.URL, fmt.Sprintf("https://%s/post/%d", host, r.IntN(12)))
			d.Timestamp = when
		}
		docs = append(docs, d)
		if r.IntN(4) == 0 {
			docs = append(docs, &schemas.Document{URL: d.URL, Status: 200, Timestamp: when, RecordType: schemas.TypeRevisit})
		}
	}
	return feeds, docs
}

// filesOf are the visible files of a Source DB, with their bytes; the manifest's list of parts is all of them.
func filesOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "[a-z]*"))
	must(t, err)
	files := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		must(t, err)
		files[filepath.Base(name)] = string(data)
	}
	return files
}

// TestUpdate_steps: a Source DB may grow crawl by crawl, in any order, with repeated crawls. It has the same bytes as a
// Source DB that was made of all crawls at once. So a source that a crawl did not meet is described from its row as it
// would be from its pages.
func TestUpdate_steps(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		o := Options{Sort: SortOptions{TempDir: t.TempDir(), MemoryBytes: 1 << 16}}
		if seed%3 == 0 {
			o.AsOf = noon.AddDate(1, 0, 0)
		}
		const crawls = 4
		type kept struct {
			feeds []schemas.FeedCapture
			docs  []*schemas.Document
		}
		var all [crawls]kept
		for i := range all {
			all[i].feeds, all[i].docs = crawlOfFew(r, i)
		}
		make := func(groups [][]int) map[string]string {
			dir := t.TempDir()
			f := folder.Open(context.Background(), dir, nil)
			db, err := Open(f)
			must(t, err)
			for _, group := range groups {
				var parts []Part
				for _, n := range group {
					p := partOf(t, f, all[n].feeds, all[n].docs)
					p.Key = fmt.Sprintf("%020x", n)
					parts = append(parts, p)
				}
				_, err := db.Update(t.Context(), parts, o)
				must(t, err)
			}
			must(t, db.Close())
			return filesOf(t, dir)
		}
		want := make([][]int{{0, 1, 2, 3}})
		for _, groups := range [][][]int{{{0}, {1}, {2}, {3}}, {{3}, {0, 2}, {1}}, {{2}, {1}, {2, 3}, {0}}} {
			if diff := cmp.Diff(want, make(groups)); diff != "" {
				t.Fatalf("seed %d, %v: -want +got\n%s", seed, groups, diff)
			}
		}
	}
}

// TestUpdate_olderVersion: a generation of the version before, which has no facts and states of another form, grows to
// the bytes that a new one has.
func TestUpdate_olderVersion(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	o := Options{Sort: SortOptions{TempDir: t.TempDir()}}
	feeds, docs := crawlOfFew(r, 0)
	more, others := crawlOfFew(r, 1)
	grown := func(change func(dir string, db *DB)) map[string]string {
		dir := t.TempDir()
		f := folder.Open(context.Background(), dir, nil)
		db, err := Open(f)
		must(t, err)
		one, two := partOf(t, f, feeds, docs), partOf(t, f, more, others)
		one.Key, two.Key = fmt.Sprintf("%020x", 1), fmt.Sprintf("%020x", 2)
		_, err = db.Update(t.Context(), []Part{one}, o)
		must(t, err)
		change(dir, db)
		_, err = db.Update(t.Context(), []Part{two}, o)
		must(t, err)
		must(t, db.Close())
		return filesOf(t, dir)
	}
	want := grown(func(string, *DB) {})
	got := grown(func(dir string, db *DB) {
		for _, s := range db.manifest.Facts {
			must(t, os.Remove(filepath.Join(dir, s.Name)))
		}
		db.manifest.Facts, db.manifest.Version = nil, "2"
		// States have no pages, so version 2 had their form, with another number.
		g := generation{ctx: t.Context(), f: db.f, before: db.manifest}
		older := func(yield func(record, error) bool) {
			for r, err := range g.chain(db.manifest.States) {
				must(t, err)
				r.value[0] = 2
				if !yield(r, nil) {
					return
				}
			}
		}
		db.manifest.States = writeShards(t, &g, "states", older)
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// Nor did it say which links are of several feeds.
	got = grown(func(dir string, db *DB) {
		must(t, os.Remove(filepath.Join(dir, db.manifest.Shared[0].Name)))
		db.manifest.Shared = nil
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without shared links: -want +got\n%s", diff)
	}
}

// TestUpdate_damagedRedirects: what the pages tell is made of them again where it is damaged or gone.
func TestUpdate_damagedRedirects(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	o := Options{Sort: SortOptions{TempDir: t.TempDir()}}
	var all [2][]schemas.FeedCapture
	var docs [2][]*schemas.Document
	for i := range all {
		all[i], docs[i] = crawlOfFew(r, i)
	}
	grown := func(damage func(file string)) (files map[string]string, mended []string) {
		dir := t.TempDir()
		f := folder.Open(context.Background(), dir, nil)
		db, err := Open(f)
		must(t, err)
		for i := range all {
			p := partOf(t, f, all[i], docs[i])
			p.Key = fmt.Sprintf("%020x", i)
			m, err := db.Update(t.Context(), []Part{p}, o)
			must(t, err)
			if i == 0 {
				damage(filepath.Join(dir, m.Redirects[0].Name))
			}
		}
		must(t, db.Close())
		return filesOf(t, dir), db.Mended
	}
	want, _ := grown(func(string) {})
	for name, damage := range map[string]func(file string){
		"gone": func(file string) { must(t, os.Remove(file)) },
		"cut":  func(file string) { must(t, os.Truncate(file, 20)) },
	} {
		got, mended := grown(damage)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if len(mended) != 1 {
			t.Errorf("%s: %q were mended, want one file", name, mended)
		}
	}
}

// TestUpdate_damagedRows: rows, links or facts of the generation before that are not those of its states are an error,
// and the generation stays.
func TestUpdate_damagedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	o := Options{Sort: SortOptions{TempDir: t.TempDir()}}
	feeds, docs := crawlOfFew(r, 0)
	more := []schemas.FeedCapture{feedWith("https://new.example/feed", 1, 2)}
	for name, damage := range map[string]func(m *Manifest){
		"no facts of some": func(m *Manifest) { m.Facts = m.Sources[:1] },
		"no rows":          func(m *Manifest) { m.Sources = nil },
		"other rows":       func(m *Manifest) { m.Sources = m.Links },
	} {
		dir := t.TempDir()
		f := folder.Open(context.Background(), dir, nil)
		db, err := Open(f)
		must(t, err)
		_, err = db.Update(t.Context(), []Part{partOf(t, f, feeds, docs)}, o)
		must(t, err)
		before := filesOf(t, dir)
		damage(&db.manifest)
		if _, err := db.Update(t.Context(), []Part{partOf(t, f, more, nil)}, o); err == nil {
			t.Errorf("%s: no error", name)
		}
		after := filesOf(t, dir)
		for file, data := range before {
			if after[file] != data {
				t.Errorf("%s: %s is another one or gone", name, file)
			}
		}
		must(t, db.Close())
	}
}
