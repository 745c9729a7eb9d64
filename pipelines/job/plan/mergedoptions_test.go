package plan_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/schemas"
)

// takeIn changes the shelf's collection by a function of the package care.
func (s shelf) takeIn(from string, take func(c *collection.Collection, from folder.Folder) error) {
	s.t.Helper()
	c, err := collection.Open(s.folder(), collection.OpenOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	err = take(c, folder.Open(s.t.Context(), from, blob.New(blob.Options{})))
	if err = errors.Join(err, c.Close()); err != nil {
		s.t.Fatal(err)
	}
}

func (s shelf) merge(from string) {
	s.t.Helper()
	s.takeIn(from, func(c *collection.Collection, from folder.Folder) error {
		_, err := care.Merge(s.t.Context(), c, from, nil)
		return err
	})
}

func (s shelf) adopt(from string) {
	s.t.Helper()
	s.takeIn(from, func(c *collection.Collection, from folder.Folder) error {
		_, err := care.Adopt(s.t.Context(), c, from, shard.Options{Formats: []string{"jsonl"}})
		return err
	})
}

// adoptable returns a folder with a document of another program.
func adoptable(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	line := `{"url":"http://x.example/"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "documents-x.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// madeWith returns what made each unit, by the name of its archive.
func madeWith(m schemas.Manifest) map[string]string {
	made := map[string]string{}
	for _, u := range m.Units {
		switch {
		case u.MadeWith == nil:
			made[archiveOf(u.Unit)] = "the run"
		case u.MadeWith["extract"] == nil:
			made[archiveOf(u.Unit)] = "others"
		default:
			made[archiveOf(u.Unit)] = fmt.Sprint(u.MadeWith["extract"])
		}
	}
	return made
}

// TestResume_mergedOptions: after a merge or adopt, runs that add archives keep the options of other units.
func TestResume_mergedOptions(t *testing.T) {
	run := func(s shelf, extract ...string) schemas.Manifest {
		s.t.Helper()
		c := s.config(plan.Schedule{})
		c.Extract, c.Keep.Add = extract, true
		return makeRun(s.t, c)
	}
	other := func(t *testing.T, extract ...string) (out string) {
		s := newShelf(t)
		s.put("b", "b", 1)
		run(s, extract...)
		return s.out
	}
	first := func(s shelf) { s.put("a", "a", 1); run(s, "mime") }
	for _, tt := range []struct {
		name string
		then func(t *testing.T, s shelf)
		last []string // extractors of the runs that add
		want map[string]string
	}{
		{"merged", func(t *testing.T, s shelf) {
			first(s)
			s.merge(other(t, "mime", "text"))
		}, []string{"mime"}, map[string]string{"a": "the run", "b": "[mime text]"}},
		{"merged with the same options", func(t *testing.T, s shelf) {
			first(s)
			s.merge(other(t, "mime"))
		}, []string{"mime"}, map[string]string{"a": "the run", "b": "the run"}},
		{"merged into a new folder", func(t *testing.T, s shelf) {
			one := newShelf(t)
			first(one)
			s.merge(one.out)
			s.merge(other(t, "mime", "text"))
		}, []string{"mime"}, map[string]string{"a": "the run", "b": "[mime text]"}},
		{"merged, then added with more", func(t *testing.T, s shelf) {
			first(s)
			s.merge(other(t, "mime", "language", "text"))
		}, []string{"mime", "text"}, map[string]string{"a": "[mime]", "b": "[mime language text]"}},
		{"merged, then added with what made the other", func(t *testing.T, s shelf) {
			first(s)
			s.merge(other(t, "mime", "text"))
		}, []string{"mime", "text"}, map[string]string{"a": "[mime]", "b": "the run"}},
		{"adopted", func(t *testing.T, s shelf) {
			first(s)
			s.adopt(adoptable(t))
		}, []string{"mime"}, map[string]string{"a": "the run", "documents-x.jsonl": "others"}},
		{"adopted into a new folder", func(t *testing.T, s shelf) {
			s.adopt(adoptable(t))
		}, []string{"mime"}, map[string]string{"documents-x.jsonl": "others"}},
		{"adopted into a new folder, then merged", func(t *testing.T, s shelf) {
			s.adopt(adoptable(t))
			s.merge(other(t, "mime", "text"))
		}, []string{"mime"}, map[string]string{"documents-x.jsonl": "others", "b": "[mime text]"}},
		{"merged and adopted", func(t *testing.T, s shelf) {
			first(s)
			s.merge(other(t, "mime", "text"))
			s.adopt(adoptable(t))
		}, []string{"mime"}, map[string]string{"a": "the run", "b": "[mime text]", "documents-x.jsonl": "others"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf(t)
			tt.then(t, s)
			s.in = t.TempDir() // so that all earlier units stay
			for _, name := range []string{"c", "d"} {
				s.put(name, name, 1)
				tt.want[name] = "the run"
				if got := madeWith(run(s, tt.last...)); !maps.Equal(got, tt.want) {
					t.Errorf("with %s: %v, want %v", name, got, tt.want)
				}
			}
		})
	}
}
