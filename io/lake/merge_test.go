//go:build !noiceberg && !local

package lake

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// missing is how many files of a snapshot are not there, or are not as it has them.
func missing(t *testing.T, f folder.Folder, s Snapshot) (n int) {
	t.Helper()
	files, err := opened(t, f).Plan(t.Context(), Point{ID: s.ID}, query.Query{})
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if size, err := f.Size(file.Name); err != nil || size != file.Bytes {
			n++
		}
	}
	return n
}

// in opens a collection for a task.
func in(t *testing.T, f folder.Folder, do func(c *collection.Collection) error) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err == nil {
		err = errors.Join(do(c), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMerge_snapshots: files of earlier snapshots stay in a merge, unless pages of them are taken down. Before a shard
// is written again, it leaves the table.
func TestMerge_snapshots(t *testing.T) {
	for _, tt := range []struct {
		name        string
		here, there string // taken down before
		compacted   bool
		missing     int
	}{
		{"nothing taken down", "", "", true, 0},
		{"an unknown host there", "", "nowhere.example", true, 0},
		{"an unknown host here", "nowhere.example", "", true, 0},
		{"the same host in both", "nowhere.example", "nowhere.example", false, 0},
		{"a page of both", "", "site1.example", false, 2},
		{"a page of shared shards", "", "site1.example", true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, from := local(t.TempDir()), local(t.TempDir())
			made(t, f, 0, 1)
			made(t, from, 5)
			if tt.there != "" {
				takenDown(t, from, tt.there)
			}
			first := synced(t, f)
			if tt.here != "" {
				takenDown(t, f, tt.here)
				synced(t, f)
			}
			in(t, f, func(c *collection.Collection) (err error) {
				if tt.compacted {
					_, err = care.Compact(t.Context(), c, care.CompactOptions{})
				}
				return err
			})
			before := synced(t, f)
			in(t, f, func(c *collection.Collection) error {
				_, err := care.Merge(t.Context(), c, from, func(names []string) error {
					return opened(t, f).Withdraw(t.Context(), names)
				})
				return err
			})
			now, err := opened(t, f).At(t.Context(), Point{})
			if err != nil {
				t.Fatal(err)
			}
			if n := missing(t, f, first); n != tt.missing {
				t.Errorf("%d files of the first snapshot are missing, want %d", n, tt.missing)
			}
			// Without its shards the newest snapshot has no file, so none can be wrong.
			if rewritten := tt.missing > 0; (now.ID != before.ID) != rewritten || rewritten && now.Files != 0 {
				t.Errorf("snapshot %+v after %+v, want the shards withdrawn: %t", now, before, rewritten)
			}
			synced(t, f)
		})
	}
}

// TestExpire_waiting: units that an interrupted run has finished stay, so that the run goes on after them.
func TestExpire_waiting(t *testing.T) {
	for _, tt := range []struct {
		name string
		task func(f folder.Folder)
	}{
		{"expire", func(folder.Folder) {}},
		{"takedown", func(f folder.Folder) { takenDown(t, f, "nowhere.example"); synced(t, f) }},
		{"compact", func(f folder.Folder) {
			in(t, f, func(c *collection.Collection) error {
				_, err := care.Compact(t.Context(), c, care.CompactOptions{})
				return err
			})
			synced(t, f)
		}},
		{"merge", func(f folder.Folder) {
			from := local(t.TempDir())
			made(t, from, 7)
			in(t, f, func(c *collection.Collection) error {
				_, err := care.Merge(t.Context(), c, from, nil)
				return err
			})
			synced(t, f)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := local(t.TempDir())
			made(t, f, 0)
			synced(t, f)
			months := []int{0, 1, 2}
			units, keys := plan(months, "options")
			in(t, f, func(c *collection.Collection) error {
				todo, _, err := c.Resume(units, keys, nil)
				if err == nil {
					_, err = makeUnit(f, todo[0], keys[todo[0].ID], shard.Options{Formats: []string{holdings.FormatParquet}},
						months[todo[0].ID], document)
				}
				return err
			})
			tt.task(f)
			in(t, f, func(c *collection.Collection) error {
				_, err := opened(t, f).Expire(t.Context(), Expiry{Keep: 1, Young: time.Nanosecond})
				return err
			})
			in(t, f, func(c *collection.Collection) error {
				_, done, err := c.Resume(units, keys, nil)
				if !slices.ContainsFunc(done, func(r schemas.UnitResult) bool { return r.ID == 1 }) {
					t.Errorf("%d units are done, without the one of the interrupted run", len(done))
				}
				return err
			})
		})
	}
}
