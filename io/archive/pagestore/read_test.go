package pagestore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// generated are stores written by a restatement of the programs' rules, in three variants.
const generated = "../../../testdata/seeds/pagestore"

func seeds(t testing.TB, store string) string {
	t.Helper()
	dir := filepath.Join(generated, store)
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// store is what a reading of a PageStore gives.
type store struct {
	captures []*schemas.Capture
	rejects  []schemas.Reject
	counts   schemas.Counts
}

// read reads the store in dir, in units of size bytes.
func read(t testing.TB, dir string, size int64) (s store) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	infos, err := work.Files(t.Context(), blobs, []string{dir}, nil, size)
	if err != nil {
		t.Fatal(err)
	}
	units, err := work.Plan(t.Context(), blobs, infos, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		r := work.NewReader(blobs, u, archive.Options{})
		for item, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				s.rejects = append(s.rejects, *item.Reject)
				continue
			}
			c := item.Capture
			s.captures = append(s.captures, c)
		}
		s.counts.Add(r.Counts())
	}
	return s
}

// place puts files into a folder.
func place(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// brief is what the tests compare of a capture.
type brief struct {
	url   string
	when  time.Time
	crawl map[string]string
}

func briefs(list []*schemas.Capture) (b []brief) {
	for _, c := range list {
		b = append(b, brief{c.URL, c.Timestamp, c.Crawl})
	}
	return b
}

func page(id, language string) map[string]string {
	return map[string]string{"kind": "url", "page_id": id, "language": language}
}

func item() map[string]string {
	return map[string]string{
		"kind": "rssitem", "feed_id": "158", "language": "en",
		"feed_url": "http://example.org/feed.rss",
	}
}

// TestRead_seeds: pages, feeds and items of a store with five columns, whatever the units.
func TestRead_seeds(t *testing.T) {
	dir := seeds(t, "enriched-r367")
	var want []brief
	for _, when := range []time.Time{day(2008, 11, 15), day(2009, 1, 5)} {
		want = append(want,
			brief{"http://example.org/b.html?x=1&y=2", when, item()},
			brief{"http://example.org/a.html", when, item()},
			brief{"http://example.org/feed.rss", when, map[string]string{"kind": "rss", "page_id": "158", "language": "en"}},
			brief{"http://www.repubblica.it/", when, page("181", "it")},
			brief{"http://www.economist.com/", when, page("180", "en")})
	}
	whole := read(t, dir, work.DefaultSize)
	if diff := cmp.Diff(want, briefs(whole.captures), cmp.AllowUnexported(brief{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if whole.counts.ByQuirk["pagestore: line again"] != 1 || len(whole.rejects) > 0 || whole.counts.Records != 14 {
		t.Errorf("counts %+v, rejects %v; want one line that is there again, and 14 files", whole.counts, whole.rejects)
	}
	for _, size := range []int64{1, 300} {
		if diff := cmp.Diff(whole, read(t, dir, size), cmp.AllowUnexported(store{})); diff != "" {
			t.Errorf("units of %d bytes (-whole +split):\n%s", size, diff)
		}
	}
}

// TestRead_oldSeeds: two columns, and a URL on a line of its own.
func TestRead_oldSeeds(t *testing.T) {
	s := read(t, seeds(t, "pre-r367"), work.DefaultSize)
	found := 0
	for _, c := range s.captures {
		if c.URL == "http://example.net/bug" && c.Crawl == nil {
			found++
		}
		if c.URL == "" || c.Crawl["language"] != "" {
			t.Errorf("a page of two columns: %+v", briefs([]*schemas.Capture{c}))
		}
	}
	if len(s.captures) != 11 || found != 1 || len(s.rejects) > 0 ||
		s.counts.ByQuirk["pagestore: line end before URL"] != 1 {
		t.Errorf("%d captures, %d with a line end in the hash, rejects %v, quirks %v", len(s.captures), found, s.rejects,
			s.counts.ByQuirk)
	}
}

func TestRead_paddedSeeds(t *testing.T) {
	s := read(t, seeds(t, "padded-wiki-style"), work.DefaultSize)
	want := []brief{{"http://www.economist.com/", day(2009, 1, 5), page("180", "en")}}
	if diff := cmp.Diff(want, briefs(s.captures), cmp.AllowUnexported(brief{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRead_broken: wrong values of a store become rejects with their place, and all pages are read.
func TestRead_broken(t *testing.T) {
	a, b, c := pagestore.Hash("http://a/"), pagestore.Hash("http://b/"), pagestore.Hash("http://c/")
	meta := a + " http://a/ 1 url en\nnoise\n" + b + " http://b/ 2 url en\n" + a + " http://a/ 1 url it\n"
	dir := place(t, map[string]string{
		"2009/1/5/META":                        meta,
		"2009/1/5/META.old":                    "x",
		"2009/1/5/" + a + "/contents.html":     "WARC/1.0\r\nnot at all",
		"2009/1/5/" + c + "/contents.html":     "c",
		"2009/1/5/" + c + "/" + a + "/META.xx": "no file of a store",
		"2009/1/6/" + a + "/contents.html":     "a day without META",
		"2009/13/5/" + a + "/contents.html":    "no day",
	})
	s := read(t, dir, work.DefaultSize)
	want := []brief{
		{"http://a/", day(2009, 1, 5), page("1", "it")},
		{"", day(2009, 1, 5), map[string]string{"name_md5": c}},
		{"", day(2009, 1, 6), map[string]string{"name_md5": a}},
	}
	if diff := cmp.Diff(want, briefs(s.captures), cmp.AllowUnexported(brief{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var got []string
	for _, r := range s.rejects {
		rel, _ := filepath.Rel(dir, r.File)
		got = append(got, strings.Join([]string{
			filepath.ToSlash(rel), string(r.Kind), r.URL,
			string(meta[min(int(r.Offset), len(meta)-1)]),
		}, " "))
	}
	wantRejects := []string{
		"2009/1/5/META garbage  n",
		"2009/1/5/META missing http://b/ " + b[:1],
		"2009/1/5/" + c + "/" + a + "/META.xx unsupported  " + a[:1],
		"2009/13/5/" + a + "/contents.html unsupported  " + a[:1],
	}
	if diff := cmp.Diff(wantRejects, got); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
}

// TestRead_itemOfAFeedWithoutColumns: what the item's line says counts.
func TestRead_itemOfAFeedWithoutColumns(t *testing.T) {
	f, a := pagestore.Hash("http://f/"), pagestore.Hash("http://a/")
	s := read(t, place(t, map[string]string{
		"2009/1/5/META":                              "" + f + " http://f/\n",
		"2009/1/5/" + f + "/contents.html":           "<rss/>",
		"2009/1/5/" + f + "/META":                    a + " http://a/ 158 rssitem en\n",
		"2009/1/5/" + f + "/" + a + "/contents.html": "a",
	}), work.DefaultSize)
	want := map[string]string{"kind": "rssitem", "feed_id": "158", "language": "en", "feed_url": "http://f/"}
	if len(s.captures) != 2 || len(s.rejects) > 0 {
		t.Fatalf("%d captures, rejects %v", len(s.captures), s.rejects)
	}
	for _, c := range s.captures {
		if c.URL == "http://a/" && !cmp.Equal(c.Crawl, want) {
			t.Errorf("crawl %v, want %v", c.Crawl, want)
		}
	}
}
