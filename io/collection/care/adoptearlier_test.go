package care_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// adoptedEarlier commits the units of files in a folder as a version with these rules adopted them.
func adoptedEarlier(t *testing.T, to, from, rules string, formats []string) {
	t.Helper()
	c := open(t, to, collection.OpenOptions{})
	defer shut(t, c)
	names, err := local(from).Names("")
	if err != nil {
		t.Fatal(err)
	}
	var results []schemas.UnitResult
	for i, name := range names {
		size, sum, err := ledger.HashFile(local(from), name)
		if err != nil {
			t.Fatal(err)
		}
		in := schemas.Range{File: schemas.NameOf(filepath.Join(from, name)), End: size, Fingerprint: "sha256:" + sum}
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{in}}
		key := ledger.Key(u, []string{rules, sum, formats[0]}, ledger.Version)
		w, err := shard.NewWriter(local(to), u, key, shard.Options{Formats: formats})
		if err != nil {
			t.Fatal(err)
		}
		d := &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Host: "a.example", Timestamp: "2026-03-04T10:30:00",
		}
		var counts schemas.Counts
		counts.Document(d)
		counts.Captures++
		w.SetInput(0, in.Fingerprint, 0)
		if err := errors.Join(w.Document(d), w.CDX(cdx.Line{SURT: d.SURT, URL: d.URL})); err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit(counts, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	run := collection.Run{Units: len(results), Options: map[string]any{"formats": formats}}
	if _, err := c.Finish(results, run); err != nil {
		t.Fatal(err)
	}
}

// TestAdopt_earlier: files that an earlier version adopted are read again by today's rules, also after they were moved.
func TestAdopt_earlier(t *testing.T) {
	const now, before = "adopt with columns", "adopt with places"
	move := func(root string) error { return os.Rename(filepath.Join(root, "in"), filepath.Join(root, "out")) }
	jsonl := []string{holdings.FormatJSONL}
	for _, tt := range []struct {
		name, rules string
		files       int // with the same bytes
		then        func(root string) error
		adopt       string   // the folder
		units       int      // that are new
		times       []string // in the end
	}{
		{"in its place", before, 1, nil, "in", 1, []string{"2026-03-04T10:30:00Z"}},
		{"moved", before, 1, move, "out", 1, []string{"2026-03-04T10:30:00Z"}},
		{"moved, of still earlier rules", "adopt", 1, move, "out", 1, []string{"2026-03-04T10:30:00Z"}},
		{"two files, moved", before, 2, move, "out", 2, []string{"2026-03-04T10:30:00Z", "2026-03-04T10:30:00Z"}},
		{"by a link", before, 1, func(root string) error {
			return errors.Join(move(root), os.Symlink(filepath.Join(root, "out"), filepath.Join(root, "in")))
		}, "in", 1, []string{"2026-03-04T10:30:00Z"}},
		{
			"a copy", before, 1,
			func(root string) error {
				return os.CopyFS(filepath.Join(root, "out"), os.DirFS(filepath.Join(root, "in")))
			},
			"out", 1,
			[]string{"2026-03-04T10:30:00", "2026-03-04T10:30:00Z"},
		},
		// These have the documents of before, since nothing is read again.
		{"moved, by these rules", now, 1, move, "out", 0, []string{"2026-03-04T10:30:00"}},
		{"two files by these rules, moved", now, 2, move, "out", 0, []string{"2026-03-04T10:30:00", "2026-03-04T10:30:00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, to := t.TempDir(), t.TempDir()
			if err := os.Mkdir(filepath.Join(root, "in"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"documents-1.jsonl", "documents-2.jsonl"}[:tt.files] {
				line := `{"url":"http://a.example/","timestamp":"2026-03-04T10:30:00"}` + "\n"
				if err := os.WriteFile(filepath.Join(root, "in", name), []byte(line), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			adoptedEarlier(t, to, filepath.Join(root, "in"), tt.rules, jsonl)
			if tt.then != nil {
				if err := tt.then(root); err != nil {
					t.Fatal(err)
				}
			}
			for _, units := range []int{tt.units, 0} {
				c := open(t, to, collection.OpenOptions{})
				done, err := care.Adopt(t.Context(), c, local(filepath.Join(root, tt.adopt)), shard.Options{Formats: jsonl})
				shut(t, c)
				if err != nil || done.Units != units {
					t.Errorf("%d units, %v, want %d", done.Units, err, units)
				}
			}
			all, _, err := holdings.Whole(local(to))
			if err != nil {
				t.Fatal(err)
			}
			var times []string
			for d, err := range all.Documents(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				times = append(times, d.Timestamp)
			}
			slices.Sort(times)
			if !slices.Equal(times, tt.times) {
				t.Errorf("times %q, want %q", times, tt.times)
			}
		})
	}
}
