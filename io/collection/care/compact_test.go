package care_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// monthly is a collection that is written unit by unit, as monthly runs do.
type monthly struct {
	t     *testing.T
	dir   string
	files []string
	text  map[string]string // of the documents of a unit's file: another text makes other shards
	o     shard.Options
}

// documents are those of a file: one a month for three months.
func (g *monthly) documents(file string) (list []*schemas.Document) {
	for i := range 3 {
		list = append(list, &schemas.Document{
			URL: "http://" + file + "/", SURT: file + ")/", Filename: file, Offset: int64(i),
			Timestamp: fmt.Sprintf("2026-0%d-05T00:00:00Z", i+1), Language: []string{"fr", "en"}[i%2],
			MIMEDetected: "text/html", RecordType: schemas.TypeResponse, Text: g.text[file] + strings.Repeat("x", i),
			Published: "2020-01-02",
		})
	}
	return list
}

// run runs over all files. It does those that have no unit yet, or whose text has changed.
func (g *monthly) run(changed ...string) (done int) {
	g.t.Helper()
	c := open(g.t, g.dir, collection.OpenOptions{})
	defer shut(g.t, c)
	units, keys := unitsOf(g.files...)
	todo, results, err := c.Resume(units, keys, func(r schemas.Range, _ ledger.Row) (bool, error) {
		return !slices.Contains(changed, r.File), nil
	})
	if err != nil {
		g.t.Fatal(err)
	}
	for _, u := range todo {
		w, err := shard.NewWriter(local(g.dir), u, keys[u.ID], g.o)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, d := range g.documents(u.Inputs[0].File) {
			if err := w.Document(d); err != nil {
				g.t.Fatal(err)
			}
			if err := w.CDX(cdx.Line{SURT: d.SURT, URL: d.URL, Filename: d.Filename}); err != nil {
				g.t.Fatal(err)
			}
		}
		r, err := w.Commit(schemas.Counts{Documents: 3}, ledger.Note{})
		if err != nil {
			g.t.Fatal(err)
		}
		results = append(results, r)
	}
	if _, err := c.Finish(results, collection.Run{Units: len(units)}); err != nil {
		g.t.Fatal(err)
	}
	return len(todo)
}

func (g *monthly) compact(o care.CompactOptions) care.Compacted {
	g.t.Helper()
	c := open(g.t, g.dir, collection.OpenOptions{})
	defer shut(g.t, c)
	done, err := care.Compact(g.t.Context(), c, o)
	if err != nil {
		g.t.Fatal(err)
	}
	return done
}

func (g *monthly) expire() care.Expired {
	g.t.Helper()
	c := open(g.t, g.dir, collection.OpenOptions{})
	defer shut(g.t, c)
	done, err := care.Expire(c, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	return done
}

// Check compares the documents of the folder with what they should be, and the folder with what its manifest names.
func (g *monthly) check(when string) {
	g.t.Helper()
	var want, got []string
	for _, f := range g.files {
		for _, d := range g.documents(f) {
			b, _ := json.Marshal(d)
			want = append(want, string(b))
		}
	}
	all, m, err := holdings.Whole(local(g.dir))
	if err != nil {
		g.t.Fatal(err)
	}
	for d, err := range all.Documents(g.t.Context()) {
		if err != nil {
			g.t.Fatalf("%s: %v", when, err)
		}
		b, _ := json.Marshal(d)
		got = append(got, string(b))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Fatalf("%s: documents, -want +got:\n%s", when, diff)
	}
	if m.Totals.Documents != int64(len(want)) {
		g.t.Errorf("%s: the manifest counts %d documents, want %d", when, m.Totals.Documents, len(want))
	}
}

// shards are the names of the files with documents.
func (g *monthly) shards() []string {
	list, err := filepath.Glob(filepath.Join(g.dir, "documents-*"))
	if err != nil {
		g.t.Fatal(err)
	}
	return list
}

func TestCompact(t *testing.T) {
	for _, formats := range [][]string{
		{holdings.FormatJSONL},
		{holdings.FormatParquet},
		{holdings.FormatJSONL, holdings.FormatParquet},
	} {
		t.Run(strings.Join(formats, "+"), func(t *testing.T) {
			g := &monthly{
				t: t, dir: t.TempDir(), files: []string{"a", "b"}, text: map[string]string{},
				o: shard.Options{Formats: formats},
			}
			g.run()
			if done := g.compact(care.CompactOptions{}); done.Rows != 6 || done.Shards != 3 || done.Units != 2 {
				t.Errorf("first: %+v", done)
			}
			g.check("compacted")
			before := len(g.shards())
			if n := g.run(); n != 0 || len(g.shards()) != before {
				t.Errorf("a run over the same archives did %d units, and left %d shards of %d", n, len(g.shards()), before)
			}
			g.check("resumed")
			if e := g.expire(); e.Files != 2*len(formats) || len(g.shards()) != 3 {
				t.Errorf("expired %+v, and %d shards are left", e, len(g.shards()))
			}
			g.check("expired")
			if n := g.run(); n != 0 {
				t.Errorf("a run after expiry did %d units", n)
			}
			g.files = append(g.files, "c")
			if n := g.run(); n != 1 {
				t.Errorf("a run with one archive more did %d units", n)
			}
			g.check("added")
			if done := g.compact(care.CompactOptions{}); done.Rows != 9 || done.Units != 1 {
				t.Errorf("second: %+v", done)
			}
			g.check("compacted again")
			g.text["a"] = "changed"
			if n := g.run("a"); n != 1 {
				t.Errorf("a run with a changed archive did %d units", n)
			}
			g.check("changed")
			g.expire()
			g.check("expired again")
			g.files = g.files[:2] // c is pruned
			g.run()
			g.check("pruned")
			if done := g.compact(care.CompactOptions{Order: parquetfile.OrderSURT}); done.Rows != 6 {
				t.Errorf("by URL: %+v", done)
			}
			g.check("by URL")
			g.expire()
			shut(t, open(t, g.dir, collection.OpenOptions{Fresh: true}))
			left, _ := os.ReadDir(filepath.Join(g.dir, holdings.HiddenDir))
			for _, e := range left {
				if e.Name() != holdings.MarkerFile && e.Name() != "lock" {
					t.Errorf("--fresh leaves %s", e.Name())
				}
			}
			if n := len(g.shards()); n != 0 {
				t.Errorf("--fresh leaves %d shards", n)
			}
		})
	}
}

// TestCompact_sameBytes: units that are gathered in several steps give the same bytes as in one.
func TestCompact_sameBytes(t *testing.T) {
	names := func(steps ...[]string) []string {
		g := &monthly{t: t, dir: t.TempDir(), text: map[string]string{}}
		for _, files := range steps {
			g.files = append(g.files, files...)
			g.run()
			g.compact(care.CompactOptions{ShardBytes: 1, MemoryBytes: 1 << 10})
		}
		g.expire()
		var list []string
		for _, s := range g.shards() {
			list = append(list, filepath.Base(s))
		}
		return list
	}
	if diff := cmp.Diff(names([]string{"a", "b", "c"}), names([]string{"b"}, []string{"c", "a"})); diff != "" {
		t.Errorf("-at once +in steps:\n%s", diff)
	}
}

// TestRefinish_changesNothing holds the manifest that is made of rows against the one that a run wrote.
func TestRefinish_changesNothing(t *testing.T) {
	g := &monthly{t: t, dir: t.TempDir(), files: []string{"a", "b"}, text: map[string]string{}}
	g.run()
	want, _ := os.ReadFile(filepath.Join(g.dir, holdings.ManifestFile))
	c := open(t, g.dir, collection.OpenOptions{})
	if err := care.Refinish(c); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(g.dir, holdings.ManifestFile)); string(got) != string(want) {
		t.Errorf("-want +got:\n%s", cmp.Diff(string(want), string(got)))
	}
}

// TestCompact_olderForm: shards of an earlier form, of which the note has no form, are written again, and once only.
func TestCompact_olderForm(t *testing.T) {
	g := &monthly{t: t, dir: t.TempDir(), files: []string{"a", "b"}, text: map[string]string{}}
	g.run()
	g.compact(care.CompactOptions{})
	note := filepath.Join(g.dir, ".gleaner", "compacted.json")
	data, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(data), `"form": "`+parquetfile.Form+`"`, `"form": ""`, 1)
	if old == string(data) {
		t.Fatalf("no form in %s", data)
	}
	if err := os.WriteFile(note, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	if done := g.compact(care.CompactOptions{}); done.Rows != 2 || done.Shards != 1 || done.Units != 0 || done.Kept != 2 {
		t.Errorf("of the older form: %+v, want one shard of two rows", done)
	}
	g.check("written again")
	if done := g.compact(care.CompactOptions{}); done.Rows != 0 || done.Kept != 3 {
		t.Errorf("of this form: %+v, want nothing to do", done)
	}
	g.expire()
	g.check("expired")
}
