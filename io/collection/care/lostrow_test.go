package care_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
)

// contentOf returns the files of a collection, except its lock.
func contentOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, sub := range []string{"", holdings.HiddenDir} {
		list, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Name() != "lock" && !e.IsDir() {
				names = append(names, filepath.Join(sub, e.Name()))
			}
		}
	}
	return names
}

// TestLostRow: a unit of the manifest whose row is damaged or missing is an error, and nothing is changed.
func TestLostRow(t *testing.T) {
	a, b := source{"a", "", []string{"a.example"}}, source{"b", "", []string{"b.example"}}
	damages := map[string]func(name string) error{
		"empty":   func(name string) error { return os.WriteFile(name, nil, 0o644) },
		"half":    func(name string) error { return os.Truncate(name, 40) },
		"of none": func(name string) error { return os.WriteFile(name, []byte("{}"), 0o644) },
		"missing": os.Remove,
	}
	tasks := map[string]func(c *collection.Collection) error{
		"expire":  func(c *collection.Collection) error { _, err := care.Expire(c, nil); return err },
		"compact": func(c *collection.Collection) error { return compactAll(t, c) },
		"takedown": func(c *collection.Collection) error {
			e, err := takedown.Parse("a.example")
			if err != nil {
				return err
			}
			_, err = care.TakeDown(t.Context(), c, []takedown.Entry{e}, nil)
			return err
		},
		"merge": func(c *collection.Collection) error {
			from := built(t, []source{{"c", "", []string{"c.example"}}}, "gone.example")
			_, err := care.Merge(t.Context(), c, local(from), nil)
			return err
		},
		"adopt": func(c *collection.Collection) error {
			from := t.TempDir()
			if err := os.WriteFile(filepath.Join(from, "documents-1.jsonl"), []byte(lineA), 0o644); err != nil {
				return err
			}
			_, err := care.Adopt(t.Context(), c, local(from), shard.Options{})
			return err
		},
	}
	for how, damage := range damages {
		for name, task := range tasks {
			for _, compacted := range []bool{false, true} {
				if compacted && how != "empty" {
					continue
				}
				dir := built(t, []source{a, b})
				c := open(t, dir, collection.OpenOptions{})
				if compacted {
					if err := compactAll(t, c); err != nil {
						t.Fatal(err)
					}
				}
				_, keys := unitsOf("a")
				if err := damage(filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[0]))); err != nil {
					t.Fatal(err)
				}
				files, pages := contentOf(t, dir), pagesOf(t, dir)
				if err := task(c); !errors.Is(err, ledger.ErrContent) {
					t.Errorf("%s, row %s, compacted %t: %v, want %v", name, how, compacted, err, ledger.ErrContent)
				}
				if got := contentOf(t, dir); !slices.Equal(got, files) {
					t.Errorf("%s, row %s, compacted %t: files %q, want %q", name, how, compacted, got, files)
				}
				if got := pagesOf(t, dir); !slices.Equal(got, pages) {
					t.Errorf("%s, row %s, compacted %t: pages %q, want %q", name, how, compacted, got, pages)
				}
				// The same run does the unit again.
				grow(t, c, dir, []source{a, b}, 2)
				if err := task(c); err != nil {
					t.Errorf("%s after a run: %v", name, err)
				}
				shut(t, c)
			}
		}
	}
}

func compactAll(t *testing.T, c *collection.Collection) error {
	_, err := care.Compact(t.Context(), c, care.CompactOptions{})
	return err
}
