package collection

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// again does all units of files again, and calls each with the step that was done.
func redo(t *testing.T, f folder.Folder, each func(step string), files ...string) {
	t.Helper()
	c, err := Open(f, OpenOptions{Redo: true})
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, c)
	each("opened")
	units, keys := unitsOf(files...)
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil || len(todo) != len(files) || len(done) > 0 {
		t.Fatalf("Resume: %d units to do, %d done, %v", len(todo), len(done), err)
	}
	each("resumed")
	for _, u := range todo {
		r, err := doIn(t, f, u, keys[u.ID], both)
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
		each("unit " + u.Inputs[0].File)
	}
	if _, err := c.Finish(done, runOf(len(units))); err != nil {
		t.Fatal(err)
	}
}

// reads checks that the folder has a manifest of that many units and readable shards.
func reads(t *testing.T, dir string, units int) {
	t.Helper()
	m, err := holdings.ReadManifest(local(dir))
	if err != nil || len(m.Units) != units {
		t.Errorf("%d units, want %d: %v", len(m.Units), units, err)
	}
	for _, s := range namedFiles(m) {
		size, sum, err := ledger.HashFile(local(dir), s.Name)
		if err != nil || size != s.Bytes || sum != s.SHA256 {
			t.Errorf("%s is not what the manifest says: %v", s.Name, err)
		}
	}
}

func namedFiles(m schemas.Manifest) (list []schemas.Shard) {
	for _, u := range m.Units {
		list = append(list, u.Shards...)
	}
	return append(list, m.Files...)
}

// noLinks is a folder in which no file has two names, as a bucket is.
type noLinks struct{ folder.Folder }

// TestOpen_redo: readers find the old collection until the new one is complete. Then no old files are left.
func TestOpen_redo(t *testing.T) {
	for _, files := range [][]string{{"a", "b"}, {"b", "a"}, {"a", "c"}, {"c"}, {"a", "b", "c"}} {
		for kind, wrap := range map[string]func(f folder.Folder) folder.Folder{
			"links":  func(f folder.Folder) folder.Folder { return f },
			"copies": func(f folder.Folder) folder.Folder { return noLinks{f} },
		} {
			t.Run(strings.Join(files, " ")+", "+kind, func(t *testing.T) {
				dir := t.TempDir()
				run(t, dir, "a", "b")
				write(t, filepath.Join(dir, holdings.ReportFile), "of the run before")
				redo(t, wrap(local(dir)), func(string) { reads(t, dir, 2) }, files...)
				reads(t, dir, len(files))
				same(t, dir, files...)
			})
		}
	}
}

// TestOpen_redoKilled: a run that starts over and is killed leaves the collection, and any run may come next.
func TestOpen_redoKilled(t *testing.T) {
	errKilled := errors.New("killed")
	for _, at := range []string{"opened", "resumed", "unit a", "unit b"} {
		for name, next := range map[string]func(t *testing.T, dir string){
			"going on":   func(t *testing.T, dir string) { run(t, dir, "a", "b") },
			"over again": func(t *testing.T, dir string) { redo(t, local(dir), func(string) { reads(t, dir, 3) }, "a", "b") },
			"fresh": func(t *testing.T, dir string) {
				shut(t, open(t, dir, OpenOptions{Fresh: true}))
				run(t, dir, "a",
					"b")
			},
		} {
			t.Run(at+", "+name, func(t *testing.T) {
				dir := t.TempDir()
				run(t, dir, "a", "b", "c")
				func() {
					defer func() {
						if r := recover(); r != errKilled {
							t.Errorf("ended by %v", r)
						}
					}()
					redo(t, local(dir), func(step string) {
						if step == at {
							panic(errKilled)
						}
					}, "a", "b")
				}()
				reads(t, dir, 3)
				next(t, dir)
				same(t, dir, "a", "b")
			})
		}
	}
}

// TestOpen_redoOfDamage: files that readers cannot use are removed at once, and the run is one into an empty folder.
func TestOpen_redoOfDamage(t *testing.T) {
	_, keys := unitsOf("a", "b")
	parquet := shardName("a", holdings.KindDocuments, holdings.ExtParquet)
	for name, damage := range map[string]func(t *testing.T, dir string){
		"a changed shard": func(t *testing.T, dir string) { write(t, filepath.Join(dir, parquet), "mine") },
		"a missing shard": func(t *testing.T, dir string) { remove(t, dir, parquet) },
		"a missing row":   func(t *testing.T, dir string) { remove(t, dir, holdings.HiddenDir, ledger.RowFile(keys[0])) },
		"a changed row": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[1])), "{")
		},
		"a manifest that cannot be read": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, holdings.ManifestFile), "{")
		},
		"no manifest": func(t *testing.T, dir string) { remove(t, dir, holdings.ManifestFile) },
		"a note that cannot be followed": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, holdings.HiddenDir, ledger.ChangeFile), `{"commit": {"index": "../x"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "a", "b")
			damage(t, dir)
			redo(t, local(dir), func(string) {}, "a", "b")
			same(t, dir, "a", "b")
		})
	}
}

// TestOpen_redoKeepsOthers: files of other programs stay.
func TestOpen_redoKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	write(t, filepath.Join(dir, "notes.txt"), "precious")
	write(t, filepath.Join(dir, "documents.jsonl.zst"), "precious, and not listed")
	redo(t, local(dir), func(string) {}, "a")
	got := shelftest.Contents(t, dir)
	for _, name := range []string{"notes.txt", "documents.jsonl.zst"} {
		if !strings.HasPrefix(got[name], "precious") {
			t.Errorf("%s is gone; left are %q", name, slices.Sorted(maps.Keys(got)))
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	same(t, dir, "a")
}
