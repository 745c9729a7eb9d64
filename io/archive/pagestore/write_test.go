package pagestore_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// write writes captures to memory.
func write(t testing.TB, o dump.WriteOptions, list ...*schemas.Capture) (*archivetest.Memory, map[string]int64) {
	t.Helper()
	m := &archivetest.Memory{}
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

// TestWrite_whatWasRead: a store that is read and written is the same, byte for byte, except for repeated lines and
// their order.
func TestWrite_whatWasRead(t *testing.T) {
	for name, o := range map[string]dump.WriteOptions{"enriched-r367": {}, "padded-wiki-style": {PadDates: true}} {
		dir := seeds(t, name)
		m, drops := write(t, o, read(t, dir, work.DefaultSize).captures...)
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

// TestWrite_anyCaptures: days in a zone, items of feeds that come before or after them, two columns and five.
func TestWrite_anyCaptures(t *testing.T) {
	when := time.Date(2009, 1, 5, 23, 30, 0, 0, time.UTC)
	c := func(url, body string, at time.Time, crawl map[string]string) *schemas.Capture {
		return &schemas.Capture{
			URL: url, Body: []byte(body), Timestamp: at, RecordType: schemas.TypeResponse, Status: 200,
			Crawl: crawl,
		}
	}
	list := []*schemas.Capture{
		c("http://f.example/1?a=b&c=d", "too early\n", when, nil),
		c("http://f.example/feed", feedXML, when, nil),
		c("http://f.example/1?a=b&c=d", "item 1", when, nil),
		c("http://f.example/2", "item 2, the next day\n", when.Add(time.Hour), nil),
		c("http://f.example/", "home\n", when, map[string]string{"language": "it"}),
		c("http://f.example/", "home again\n", when, map[string]string{"language": "en", "page_id": "7", "team": "x"}),
	}
	m, drops := write(t, dump.WriteOptions{}, list...)
	feed, home := pagestore.Hash("http://f.example/feed"), pagestore.Hash("http://f.example/")
	one, two := pagestore.Hash("http://f.example/1?a=b&c=d"), pagestore.Hash("http://f.example/2")
	const own = " http://f.example/ 7 url en\n"
	want := map[string]string{
		"2009/1/5/META":                                   feed + " http://f.example/feed\n" + home + own,
		"2009/1/5/" + feed + "/contents.html":             feedXML + "\n",
		"2009/1/5/" + feed + "/META":                      one + " http://f.example/1?a=b&c=d\n",
		"2009/1/5/" + feed + "/" + one + "/contents.html": "item 1\n",
		"2009/1/5/" + home + "/contents.html":             "home again\n",
		"2009/1/6/META":                                   two + " http://f.example/2 0 url en\n",
		"2009/1/6/" + two + "/contents.html":              "item 2, the next day\n",
	}
	got := map[string]string{}
	for name, b := range m.Files {
		got[name] = string(b)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantDrops := map[string]int64{"timestamp": 6, "status": 6, "final_newline": 2, "overwritten": 2, "crawl.team": 1}
	if !maps.Equal(drops, wantDrops) {
		t.Errorf("dropped %v, want %v", drops, wantDrops)
	}
	m, _ = write(t, dump.WriteOptions{PadDates: true, Zone: time.FixedZone("", 3600)}, list[0])
	if m.Files["2009/01/06/META"] == nil {
		t.Errorf("an hour to the east, padded: %v", m.Names)
	}
}

// TestWrite_items: which pages become items of a feed, in RSS and Atom.
func TestWrite_items(t *testing.T) {
	const rss = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://a/home</link><item><atom:link href="http://a/no"/>` +
		`<link>http://a/yes</link></item><item><link>http://a/feed</link></item><item><link><!-- none --></link></item></channel></rss>`
	const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/home"/><entry><link rel="replies" href="/no"/><link rel="alternate" href="/yes"/></entry>` +
		`<entry><link href="/also"/></entry></feed>`
	for _, tt := range []struct {
		name, feed string
		items      []string
	}{
		{"RSS", rss, []string{"http://a/yes"}},
		{"Atom", atom, []string{"http://a/yes", "http://a/also"}},
		{"cut", rss[:len(rss)/2+60], []string{"http://a/yes"}},
	} {
		w := func(url, body string) *schemas.Capture {
			return &schemas.Capture{URL: url, Body: []byte(body), Timestamp: time.Date(2009, 1, 5, 1, 0, 0, 0, time.UTC)}
		}
		list := []*schemas.Capture{w("http://a/feed", tt.feed), w("http://a/feed", tt.feed)}
		for _, url := range []string{"http://a/yes", "http://a/also", "http://a/no", "http://a/home"} {
			list = append(list, w(url, "a page\n"))
		}
		m, _ := write(t, dump.WriteOptions{}, list...)
		var got []string
		for e, err := range pagestore.Entries(m.Files["2009/1/5/"+pagestore.Hash("http://a/feed")+"/META"]) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.URL)
		}
		if diff := cmp.Diff(tt.items, got); diff != "" || m.Files["2009/1/5/"+pagestore.Hash("http://a/feed")+
			"/contents.html"] == nil {
			t.Errorf("%s: items -want +got:\n%s\nof %v", tt.name, diff, m.Names)
		}
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
		m, bad := &archivetest.Memory{}, good
		change(&bad)
		w := pagestore.NewWriter(m, dump.WriteOptions{})
		if err := w.Write(&bad); !errors.Is(err, dump.ErrRefused) {
			t.Errorf("%s: %v, want it refused", name, err)
		}
		if err := w.Close(); err != nil || len(m.Files) > 0 {
			t.Errorf("%s: %v, written %v", name, err, m.Names)
		}
	}
}

// FuzzWrite: whatever a feed holds, the store that is written has lines that are read.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(feedXML), "http://f.example/2")
	f.Add([]byte(`<feed><entry><link href="a"/><link>b`), "http://a/a b 1 url en")
	f.Fuzz(func(t *testing.T, feed []byte, url string) {
		m := &archivetest.Memory{}
		w := pagestore.NewWriter(m, dump.WriteOptions{})
		for _, c := range []*schemas.Capture{
			{
				URL: "http://f.example/", Body: feed, Timestamp: day(2009, 1, 5),
				Crawl: map[string]string{"kind": "rss", "language": "en"},
			},
			{URL: url, Body: []byte("x"), Timestamp: day(2009, 1, 5)},
		} {
			if err := w.Write(c); err != nil && !errors.Is(err, dump.ErrRefused) {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for name, b := range m.Files {
			if !strings.HasSuffix(name, "META") {
				continue
			}
			for e, err := range pagestore.Entries(b) {
				if err != nil || !e.Sound() {
					t.Fatalf("%s: %+v, %v", name, e, err)
				}
			}
		}
	})
}

const (
	german  = "Der alte Hafen liegt am Rand der Stadt, und jeden Morgen fahren die Fischer hinaus auf das Meer."
	italian = "Il vecchio porto si trova ai margini della città, e ogni mattina i pescatori escono in mare."
)

// TestWrite_columns: lines have five columns if kind and language are known, from the crawl or the contents. Items have
// the columns of their feed, in whatever order they come.
func TestWrite_columns(t *testing.T) {
	rss := func(language, text string) string {
		return `<rss version="2.0"><channel><title>A</title>` + language + `<description>` + text + `</description>` +
			`<item><title>` + text + `</title><link>http://a/1</link></item></channel></rss>` + "\n"
	}
	html := func(text string) string { return "<html><body><p>" + text + " " + text + "</p></body></html>\n" }
	for _, tt := range []struct{ name, feed, page, own, item string }{
		{"declared", rss("<language>it</language>", ""), german, "0 rss it", "0 rssitem it"},
		{"declared with a country", rss("<language>pt_BR</language>", ""), german, "0 rss pt", "0 rssitem pt"},
		{"of titles", rss("", italian), german, "0 rss it", "0 rssitem it"},
		{"declared wrongly", rss("<language>???</language>", german), italian, "0 rss de", "0 rssitem de"},
		{"not known", rss("", ""), german, "", ""},
		{
			"Atom", `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title>B</title><entry><title>1</title>` +
				`<link href="http://a/1"/></entry></feed>` + "\n", german, "0 rss fr", "0 rssitem fr",
		},
	} {
		when := time.Date(2009, 1, 5, 0, 0, 0, 0, time.UTC)
		feed := &schemas.Capture{URL: "http://a/feed", Body: []byte(tt.feed), Timestamp: when}
		item := &schemas.Capture{URL: "http://a/1", Body: []byte(html(tt.page)), Timestamp: when}
		page := &schemas.Capture{URL: "http://a/2", Body: []byte(html(tt.page)), Timestamp: when}
		line := func(url, columns string) string {
			return strings.TrimSpace(pagestore.Hash(url)+" "+url+" "+columns) + "\n"
		}
		language := map[string]string{german: "de", italian: "it"}[tt.page]
		for _, list := range [][]*schemas.Capture{{feed, item, page}, {item, feed, page}, {page, item, feed}} {
			m, _ := write(t, dump.WriteOptions{}, list...)
			want := map[string]bool{line("http://a/feed", tt.own): true, line("http://a/2", "0 url "+language): true}
			if diff := cmp.Diff(want, lineSet(m.Files["2009/1/5/META"])); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
			items := string(m.Files["2009/1/5/"+pagestore.Hash("http://a/feed")+"/META"])
			if want := line("http://a/1", tt.item); items != want {
				t.Errorf("%s: items %q, want %q", tt.name, items, want)
			}
		}
	}
}

// TestWrite_temporaryFiles: bodies that wait for their feeds are in a file without a name, so they vanish with the
// process. On systems without such files, Close removes them.
func TestWrite_temporaryFiles(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	w := pagestore.NewWriter(&archivetest.Memory{}, dump.WriteOptions{})
	for _, url := range []string{"http://a.example/", "http://a.example/2"} {
		err := w.Write(&schemas.Capture{URL: url, Timestamp: time.Unix(1e9, 0), Body: []byte("<p>a page</p>")})
		if err != nil {
			t.Fatal(err)
		}
	}
	left := func() int {
		entries, err := os.ReadDir(temp)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if n := left(); n > 0 && runtime.GOOS != "windows" {
		t.Errorf("%d files would be left by a kill", n)
	}
	if err := w.Close(); err != nil || left() > 0 {
		t.Errorf("Close: %v; %d files are left", err, left())
	}
}
