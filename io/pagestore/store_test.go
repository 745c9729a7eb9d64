package pagestore_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/capture/capturetest"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/io/pagestore"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/schemas"
)

// generated are stores written by a restatement of the programs' rules, in three variants.
const generated = "../../../shared/corpora/seeds/bayes-swarm/generated"

func seeds(t testing.TB, store string) string {
	t.Helper()
	dir := filepath.Join(generated, store)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the sample stores are not here: %v", err)
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
	infos, err := unit.Files(t.Context(), blobs, []string{dir}, nil, size)
	if err != nil {
		t.Fatal(err)
	}
	units, err := unit.Plan(t.Context(), blobs, infos, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		r := unit.NewReader(blobs, u, capture.Options{OnReject: func(r schemas.Reject) { s.rejects = append(s.rejects, r) }})
		for c, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
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
	return map[string]string{"kind": "rssitem", "feed_id": "158", "language": "en", "feed_url": "http://example.org/feed.rss"}
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
	whole := read(t, dir, unit.DefaultSize)
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
	s := read(t, seeds(t, "pre-r367"), unit.DefaultSize)
	found := 0
	for _, c := range s.captures {
		if c.URL == "http://example.net/bug" && c.Crawl == nil {
			found++
		}
		if c.URL == "" || c.Crawl["language"] != "" {
			t.Errorf("a page of two columns: %+v", briefs([]*schemas.Capture{c}))
		}
	}
	if len(s.captures) != 11 || found != 1 || len(s.rejects) > 0 || s.counts.ByQuirk["pagestore: line end before URL"] != 1 {
		t.Errorf("%d captures, %d with a line end in the hash, rejects %v, quirks %v", len(s.captures), found, s.rejects, s.counts.ByQuirk)
	}
}

func TestRead_paddedSeeds(t *testing.T) {
	s := read(t, seeds(t, "padded-wiki-style"), unit.DefaultSize)
	want := []brief{{"http://www.economist.com/", day(2009, 1, 5), page("180", "en")}}
	if diff := cmp.Diff(want, briefs(s.captures), cmp.AllowUnexported(brief{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRead_broken: what a store says that does not hold is rejected with its place, and what stands there is read.
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
	s := read(t, dir, unit.DefaultSize)
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
		got = append(got, strings.Join([]string{filepath.ToSlash(rel), string(r.Kind), r.URL, string(meta[min(int(r.Offset), len(meta)-1)])}, " "))
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

// write writes captures to memory.
func write(t testing.TB, o codec.WriteOptions, list ...*schemas.Capture) (*capturetest.Memory, map[string]int64) {
	t.Helper()
	m := &capturetest.Memory{}
	w := pagestore.NewWriter(m, o)
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m, w.Drops()
}

// TestWrite_whatWasRead: a store that is read and written is the same, byte for byte, but for repeated lines and their
// order.
func TestWrite_whatWasRead(t *testing.T) {
	for name, o := range map[string]codec.WriteOptions{"enriched-r367": {}, "padded-wiki-style": {PadDates: true}} {
		dir := seeds(t, name)
		m, drops := write(t, o, read(t, dir, unit.DefaultSize).captures...)
		if len(drops) > 0 {
			t.Errorf("%s: dropped %v", name, drops)
		}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			want, err := os.ReadFile(path)
			if diff := cmp.Diff(lineSet(want), lineSet(m.Files[filepath.ToSlash(rel)])); diff != "" {
				t.Errorf("%s (-stored +written):\n%s", rel, diff)
			}
			delete(m.Files, filepath.ToSlash(rel))
			return err
		})
		if err != nil || len(m.Files) > 0 {
			t.Errorf("%v; written besides: %v", err, m.Files)
		}
	}
}

func lineSet(b []byte) map[string]bool {
	set := map[string]bool{}
	for l := range bytes.Lines(b) {
		set[string(l)] = true
	}
	return set
}

const feedXML = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>F</title><link>http://f.example/</link>
<item><title>1</title><atom:link href="http://f.example/no"/><link> /1?a=b&amp;c=d </link></item><item><link>http://f.example/2</link></item></channel></rss>`

// TestWrite_anyCaptures: days in a zone, items of feeds that were written before them, two columns and five.
func TestWrite_anyCaptures(t *testing.T) {
	when := time.Date(2009, 1, 5, 23, 30, 0, 0, time.UTC)
	c := func(url, body string, at time.Time, crawl map[string]string) *schemas.Capture {
		return &schemas.Capture{URL: url, Body: []byte(body), Timestamp: at, RecordType: schemas.TypeResponse, Status: 200, Crawl: crawl}
	}
	list := []*schemas.Capture{
		c("http://f.example/1?a=b&c=d", "too early\n", when, nil),
		c("http://f.example/feed", feedXML, when, nil),
		c("http://f.example/1?a=b&c=d", "item 1", when, nil),
		c("http://f.example/2", "item 2, the next day\n", when.Add(time.Hour), nil),
		c("http://f.example/", "home\n", when, map[string]string{"language": "it"}),
		c("http://f.example/", "home again\n", when, map[string]string{"language": "en", "page_id": "7", "team": "x"}),
	}
	m, drops := write(t, codec.WriteOptions{}, list...)
	feed, home := pagestore.Hash("http://f.example/feed"), pagestore.Hash("http://f.example/")
	one, two := pagestore.Hash("http://f.example/1?a=b&c=d"), pagestore.Hash("http://f.example/2")
	want := map[string]string{
		"2009/1/5/META":                                   one + " http://f.example/1?a=b&c=d\n" + feed + " http://f.example/feed\n" + home + " http://f.example/ 7 url en\n",
		"2009/1/5/" + one + "/contents.html":              "too early\n",
		"2009/1/5/" + feed + "/contents.html":             feedXML + "\n",
		"2009/1/5/" + feed + "/META":                      one + " http://f.example/1?a=b&c=d\n",
		"2009/1/5/" + feed + "/" + one + "/contents.html": "item 1\n",
		"2009/1/5/" + home + "/contents.html":             "home again\n",
		"2009/1/6/META":                                   two + " http://f.example/2\n",
		"2009/1/6/" + two + "/contents.html":              "item 2, the next day\n",
	}
	got := map[string]string{}
	for name, b := range m.Files {
		got[name] = string(b)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantDrops := map[string]int64{"timestamp": 6, "status": 6, "final_newline": 2, "overwritten": 1, "crawl.team": 1}
	if !maps.Equal(drops, wantDrops) {
		t.Errorf("dropped %v, want %v", drops, wantDrops)
	}
	m, _ = write(t, codec.WriteOptions{PadDates: true, Zone: time.FixedZone("", 3600)}, list[0])
	if m.Files["2009/01/06/META"] == nil {
		t.Errorf("an hour to the east, padded: %v", m.Names)
	}
}

func TestWrite_refuses(t *testing.T) {
	good := schemas.Capture{URL: "http://a/", Body: []byte("a"), Timestamp: day(2009, 1, 5)}
	for name, change := range map[string]func(c *schemas.Capture){
		"no URL":              func(c *schemas.Capture) { c.URL = " " },
		"a line end in a URL": func(c *schemas.Capture) { c.URL = "http://a/\nb" },
		"no time":             func(c *schemas.Capture) { c.Timestamp = time.Time{} },
		"no body":             func(c *schemas.Capture) { c.Body = nil },
	} {
		m, bad := &capturetest.Memory{}, good
		change(&bad)
		w := pagestore.NewWriter(m, codec.WriteOptions{})
		if err := w.Write(&bad); !errors.Is(err, codec.ErrRefused) {
			t.Errorf("%s: %v, want it refused", name, err)
		}
		if err := w.Close(); err != nil || len(m.Files) > 0 {
			t.Errorf("%s: %v, written %v", name, err, m.Names)
		}
	}
}
