package care_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/schemas"
)

// source is a unit's archive: its name, what its bytes are, and the hosts of its pages.
type source struct {
	file, bytes string
	hosts       []string
}

// every is all kinds of shards.
var every = shard.Options{Feeds: true, Formats: []string{
	holdings.FormatJSONL, holdings.FormatParquet, holdings.FormatWET, holdings.FormatContent, holdings.FormatLinks,
	holdings.FormatData,
}}

// write writes the unit of a source: of each host a page with a feed, a link, content and data.
func (s source) write(t *testing.T, dir string, u schemas.Unit, key string) schemas.UnitResult {
	t.Helper()
	w, err := shard.NewWriter(local(dir), u, key, every)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	counts := schemas.Counts{}
	for _, host := range s.hosts {
		url, surt := "http://"+host+"/", host+")/"
		d := &schemas.Document{
			URL: url, SURT: surt, Host: host, Filename: s.file, RecordType: schemas.TypeResponse, Text: "Of " + host,
			MIMEDetected: "text/html", Timestamp: "2026-01-02T00:00:00Z",
		}
		counts.Document(d)
		counts.Captures++
		counts.Feeds++
		counts.Links++
		counts.Data++
		for _, err := range []error{
			w.Document(d), w.CDX(cdx.Line{SURT: surt, URL: url, Filename: s.file}),
			w.Feed(schemas.FeedCapture{URL: url + "feed", Page: url}),
			w.Links([]schemas.Link{{URL: url, SURT: surt, Target: "http://target." + host + "/", Place: schemas.PlaceMain}}),
			w.Content(&datastreamer.Content{Permalink: url}),
			w.Data([]schemas.Datum{{URL: url, SURT: surt, Syntax: schemas.SyntaxJSONLD, Property: "name", Value: "n"}}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if s.bytes != "" {
		w.SetInput(0, s.bytes, 0)
	}
	r, err := w.Commit(counts, ledger.Note{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// built makes a collection of these sources in a new folder, and takes pages down.
func built(t *testing.T, list []source, gone ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	c := open(t, dir, collection.OpenOptions{})
	defer shut(t, c)
	if len(list) > 0 {
		grow(t, c, dir, list, len(list))
	}
	takeDown(t, c, gone...)
	return dir
}

// grow runs over these sources. The run is killed before it ends if it finishes fewer units than these.
func grow(t *testing.T, c *collection.Collection, dir string, list []source, units int) {
	t.Helper()
	var files []string
	for _, s := range list {
		files = append(files, s.file)
	}
	plan, keys := unitsOf(files...)
	todo, done, err := c.Resume(plan, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range todo {
		if len(done) < units {
			done = append(done, list[u.ID].write(t, dir, u, keys[u.ID]))
		}
	}
	if len(done) < len(list) {
		return
	}
	if _, err := c.Finish(done, collection.Run{Units: len(list)}); err != nil {
		t.Fatal(err)
	}
}

func takeDown(t *testing.T, c *collection.Collection, gone ...string) {
	t.Helper()
	var entries []takedown.Entry
	for _, what := range gone {
		e, err := takedown.Parse(what)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return
	}
	_, err := care.TakeDown(t.Context(), c, entries, nil)
	if err = errors.Join(err, takedown.End(c.Folder(), entries)); err != nil {
		t.Fatal(err)
	}
}

// watched fails if a manifest ever names a URL with a text.
type watched struct {
	*collection.Collection
	t       *testing.T
	without string
	never   bool
}

func (w watched) Replace(m schemas.Manifest, results []schemas.UnitResult, others []string) error {
	err := w.Collection.Replace(m, results, others)
	for _, url := range pagesOf(w.t, w.Folder().Path("")) {
		if w.never && strings.Contains(url, w.without) {
			w.t.Errorf("a manifest has %s, which was taken down", url)
		}
	}
	return err
}

// pagesOf are the URLs of the documents, lines, feeds and links of a collection.
func pagesOf(t *testing.T, dir string) (urls []string) {
	t.Helper()
	all, _, err := holdings.Whole(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	add := func(url string, err error) {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, url)
	}
	for d, err := range all.Documents(t.Context()) {
		add(d.URL, err)
	}
	for l, err := range all.Captures(t.Context()) {
		add(l.URL, err)
	}
	for f, err := range all.Feeds(t.Context()) {
		add(f.URL, err)
	}
	for l, err := range all.Links(t.Context()) {
		add(l.URL+" "+l.Target, err)
	}
	return urls
}

// TestMerge_takenDown: pages that either list has are not in the merged collection. No manifest ever has those that
// are copied. The same again changes nothing.
func TestMerge_takenDown(t *testing.T) {
	const gone = "gone.example"
	a, b := source{"a", "", []string{"a.example", gone}}, source{"b", "", []string{"b.example", gone}}
	as, bs, both, it := []source{a}, []source{b}, []source{a, b}, []string{gone}
	page, end := []string{"https://www.gone.example"}, []string{"http://target.b.example/"}
	grown, rewritten := care.Merged{Takedowns: true}, care.Merged{Takedowns: true, Rewritten: true}
	for _, tt := range []struct {
		name         string
		ours, theirs []source
		here, there  []string // taken down
		without      string   // what no URL has in the end
		never        bool     // and no URL had before
		units        int
		want         care.Merged
	}{
		{"nowhere", as, bs, nil, nil, "elsewhere", true, 1, care.Merged{}},
		{"a host here", as, bs, it, nil, gone, true, 1, care.Merged{}},
		{"a page here", as, bs, page, nil, "//gone.example/ ", true, 1, care.Merged{}},
		{"a page that is only a link's end", as, bs, end, nil, "target.b.example", true, 1, care.Merged{}},
		{"there", as, bs, nil, it, gone, false, 1, rewritten},
		{"there, of what is not here", as, bs, nil, []string{"b.example"}, "b.example", true, 1, grown},
		{"in both", as, bs, it, it, gone, true, 1, care.Merged{}},
		{"here, of a unit of both", as, both, it, nil, gone, true, 1, care.Merged{}},
		{"there, of a unit of both", both, as, nil, it, gone, false, 0, rewritten},
		{"into nothing", nil, both, nil, it, gone, true, 2, grown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to, from := built(t, tt.ours, tt.here...), built(t, tt.theirs, tt.there...)
			for i := range 2 {
				c := open(t, to, collection.OpenOptions{})
				got, err := care.Merge(t.Context(), watched{c, t, tt.without, tt.never}, local(from), nil)
				want := tt.want
				if want.Units = tt.units; i > 0 {
					want = care.Merged{}
				}
				if got != want || err != nil {
					t.Errorf("Merge %d = %+v, %v, want %+v", i, got, err, want)
				}
				if err := takedown.End(local(to), nil); err != nil {
					t.Fatal(err)
				}
				shut(t, c)
			}
			if problems, err := care.Verify(t.Context(), local(to)); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v", problems, err)
			}
			if urls := strings.Join(pagesOf(t, to), "\n"); strings.Contains(urls, tt.without) {
				t.Errorf("%s is in %s", tt.without, urls)
			}
		})
	}
}

// TestMerge_differs: two attempts at a unit with other bytes are refused, also if pages of other hosts were taken down.
func TestMerge_differs(t *testing.T) {
	ours, theirs := []source{{"a", "", []string{"a.example"}}}, []source{{"a", "", []string{"z.example"}}}
	for name, gone := range map[string][2][]string{
		"nothing taken down": {}, "here": {{"x.example"}, nil}, "there": {nil, {"x.example"}},
		"in both": {{"x.example"}, {"y.example"}},
	} {
		to, from := built(t, ours, gone[0]...), built(t, theirs, gone[1]...)
		c := open(t, to, collection.OpenOptions{})
		if _, err := care.Merge(t.Context(), c, local(from), nil); !errors.Is(err, ledger.ErrDiffers) {
			t.Errorf("%s: %v", name, err)
		}
		shut(t, c)
	}
}

// TestMerge_unfinished: a collection into which a run has not ended is refused and nothing is changed. Units that wait
// for another run are not copied.
func TestMerge_unfinished(t *testing.T) {
	of := func(file string) source { return source{file, "", []string{file + ".example"}} }
	a, b, d := of("a"), of("b"), of("d")
	for name, kill := range map[string]func(c *collection.Collection, dir string){
		"one more":     func(c *collection.Collection, dir string) { grow(t, c, dir, []source{a, b, d}, 2) },
		"two more":     func(c *collection.Collection, dir string) { grow(t, c, dir, []source{b, d, a}, 2) },
		"nothing done": func(c *collection.Collection, dir string) { grow(t, c, dir, []source{a, b}, 1) },
		"one again": func(c *collection.Collection, dir string) {
			units, keys := unitsOf("a")
			again := func(schemas.Range, ledger.Row) (bool, error) { return false, nil }
			if _, _, err := c.Resume(units, keys, again); err != nil {
				t.Fatal(err)
			}
			source{"a", "", []string{"new.example"}}.write(t, dir, units[0], keys[0])
		},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := built(t, []source{a}), built(t, []source{of("z")})
			c := open(t, from, collection.OpenOptions{})
			kill(c, from)
			shut(t, c)
			before := pagesOf(t, to)
			c = open(t, to, collection.OpenOptions{})
			if got, err := care.Merge(t.Context(), c, local(from), nil); !errors.Is(err, care.ErrUnfinished) {
				t.Errorf("Merge = %+v, %v, want %v", got, err, care.ErrUnfinished)
			}
			shut(t, c)
			if got := pagesOf(t, to); !slices.Equal(got, before) {
				t.Errorf("pages %q, want %q", got, before)
			}
		})
	}
	from, to := built(t, []source{a}), built(t, nil)
	plan, keys := unitsOf("d")
	d.write(t, from, plan[0], keys[0]) // of a task that was killed
	c := open(t, to, collection.OpenOptions{})
	if got, err := care.Merge(t.Context(), c, local(from), nil); got.Units != 1 || err != nil {
		t.Errorf("Merge = %+v, %v, want 1 unit", got, err)
	}
	shut(t, c)
}

// TestMerge_intoNew: a new collection has the index and the note of templates that the first one has.
func TestMerge_intoNew(t *testing.T) {
	a, b := source{"a", "", []string{"a.example"}}, source{"b", "", []string{"b.example"}}
	for _, tt := range []struct {
		name  string
		index [2]bool // of the collections that are merged, in order
		gone  string  // taken down in the second
		want  int64   // lines of the index
	}{
		{"with an index", [2]bool{true, true}, "", 2},
		{"without", [2]bool{}, "", 0},
		{"the first alone", [2]bool{true, false}, "", 2},
		{"the second alone", [2]bool{false, true}, "", 0},
		{"with a takedown", [2]bool{true, true}, "b.example", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to := t.TempDir()
			templates := &schemas.SiteTemplates{Hosts: 1, SHA256: "x"}
			for i, s := range []source{a, b} {
				from := t.TempDir()
				c := open(t, from, collection.OpenOptions{})
				units, keys := unitsOf(s.file)
				if _, _, err := c.Resume(units, keys, nil); err != nil {
					t.Fatal(err)
				}
				run := collection.Run{Units: 1, Index: tt.index[i], SiteTemplates: templates}
				if _, err := c.Finish([]schemas.UnitResult{s.write(t, from, units[0], keys[0])}, run); err != nil {
					t.Fatal(err)
				}
				if tt.gone != "" && i > 0 {
					takeDown(t, c, tt.gone)
				}
				shut(t, c)
				c = open(t, to, collection.OpenOptions{})
				if _, err := care.Merge(t.Context(), c, local(from), nil); err != nil {
					t.Fatal(err)
				}
				shut(t, c)
			}
			m, err := holdings.ReadManifest(local(to))
			if err != nil || m.SiteTemplates == nil || *m.SiteTemplates != *templates {
				t.Errorf("templates %v, %v, want %v", m.SiteTemplates, err, *templates)
			}
			if has := len(m.Files) > 0; has != (tt.want > 0) {
				t.Fatalf("files %v", m.Files)
			}
			if tt.want == 0 {
				return
			}
			data, err := os.ReadFile(filepath.Join(to, ledger.IndexFile))
			if got := int64(strings.Count(string(data), `"url"`)); err != nil || got != tt.want {
				t.Errorf("an index of %d lines, %v, want %d", got, err, tt.want)
			}
			if problems, err := care.Verify(t.Context(), local(to)); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v", problems, err)
			}
		})
	}
}

// TestMerge_sameArchive: an archive that both have read is found by its name, and by its bytes.
func TestMerge_sameArchive(t *testing.T) {
	x := []string{"x.example"}
	for _, tt := range []struct {
		name         string
		ours, theirs source
		refused      bool
	}{
		{"others", source{"a", "sha256:1", x}, source{"b", "sha256:2", x}, false},
		{"the same bytes", source{"/a/x.warc.gz", "sha256:1", x}, source{"/b/x.warc.gz", "sha256:1", x}, true},
		{"the same bytes, another name", source{"a", "sha256:1", x}, source{"b", "sha256:1", x}, true},
		{"of unknown bytes", source{"a", "", x}, source{"b", "", x}, false},
		{"of a version in a bucket", source{"s3://a/x", "version:1", x}, source{"s3://b/x", "version:1", x}, false},
		{"the same unit", source{"a", "sha256:1", x}, source{"a", "sha256:1", x}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to, from := built(t, []source{tt.ours}), built(t, []source{tt.theirs})
			c := open(t, to, collection.OpenOptions{})
			if _, err := care.Merge(t.Context(), c, local(from), nil); errors.Is(err, care.ErrOverlap) != tt.refused ||
				err != nil && !tt.refused {
				t.Errorf("Merge = %v, want it refused: %t", err, tt.refused)
			}
		})
	}
}
