//go:build !noiceberg && !local

package lake

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestSync: a table follows its collection, and an unchanged collection changes nothing.
func TestSync(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	if _, err := Sync(t.Context(), f, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Sync without a manifest = %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := Open(t.Context(), f, Options{}); !errors.Is(err, ErrNone) {
		t.Errorf("Open without a table = %v, want %v", err, ErrNone)
	}
	made(t, f, 0, 1)
	first := synced(t, f)
	if first.Files != 2 || first.Records != 2*pages || first.Operation != "append" || first.Manifest == "" {
		t.Errorf("first snapshot = %+v, want 2 files appended", first)
	}
	if again := synced(t, f); again != first {
		t.Errorf("again = %+v, want %+v", again, first)
	}
	made(t, f, 0, 1, 2) // --add
	if s := synced(t, f); s.Files != 3 || s.Added != 1 || s.Parent != first.ID {
		t.Errorf("with one more = %+v, want 3 files, 1 added", s)
	}
	made(t, f, 1, 2, 3) // one more, and one that is pruned
	if s := synced(t, f); s.Files != 3 || s.Added != 1 || s.Removed != 1 || s.Operation != "overwrite" {
		t.Errorf("with one more and one less = %+v", s)
	}
	made(t, f, 0, 1) // what it was once: not the snapshot of then
	last := synced(t, f)
	if last.Files != 2 || last.Records != 2*pages || last.Manifest != first.Manifest || last.ID == first.ID {
		t.Errorf("back again = %+v", last)
	}
	made(t, f)
	if s := synced(t, f); s.Files != 0 || s.Records != 0 || s.Operation == "append" {
		t.Errorf("empty = %+v", s)
	}
	healthy(t, f) // all of the snapshots' shards are there
	all, err := opened(t, f).Snapshots(t.Context())
	if err != nil || len(all) != 5 || all[0] != first {
		t.Errorf("%d snapshots, %v; want 5", len(all), err)
	}
}

// TestSync_empty: a table may begin with nothing.
func TestSync_empty(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	made(t, f)
	if s := synced(t, f); s.ID != 0 {
		t.Errorf("snapshot = %+v, want none", s)
	}
	if files, err := opened(t, f).Plan(t.Context(), Point{}, query.Query{}); len(files) != 0 || err != nil {
		t.Errorf("Plan = %v, %v", files, err)
	}
	made(t, f, 3)
	if s := synced(t, f); s.Files != 1 {
		t.Errorf("snapshot = %+v, want one file", s)
	}
	healthy(t, f)
}

// TestSync_replaced: a shard that has other bytes under its name is replaced.
func TestSync_replaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	made(t, local(dir), 0, 1)
	synced(t, local(dir))
	taken := func(month, i int) *schemas.Document {
		d := document(month, i)
		d.Text = "Another text, which is longer."
		return d
	}
	o := shard.Options{Formats: []string{holdings.FormatParquet}}
	for _, name := range []string{"manifest.json", ".gleaner"} { // so that the units are made again, with their keys
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	marker := []byte("This folder is written by Gleaner, layout 2.\n")
	if err := os.WriteFile(filepath.Join(dir, ".gleaner/collection"), marker, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := makeWith(local(dir), o, "options", taken, 0, 1); err != nil {
		t.Fatal(err)
	}
	s := synced(t, local(dir))
	if s.Files != 2 || s.Records != 2*pages {
		t.Errorf("snapshot = %+v, want 2 files", s)
	}
	if _, err := opened(t, local(dir)).Expire(t.Context(), Expiry{}); err != nil {
		t.Fatal(err)
	}
	healthy(t, local(dir))
}

// TestSync_refuses what no table can be made of.
func TestSync_refuses(t *testing.T) {
	t.Run("JSON lines", func(t *testing.T) {
		f := local(filepath.Join(t.TempDir(), "out"))
		o := shard.Options{Formats: []string{holdings.FormatJSONL}}
		if _, err := makeWith(f, o, "options", document, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := Sync(t.Context(), f, Options{}); !errors.Is(err, ErrNoParquet) {
			t.Errorf("Sync = %v, want %v", err, ErrNoParquet)
		}
	})
	t.Run("milliseconds", func(t *testing.T) {
		old, err := filepath.Glob("../collection/testdata/layout1/*.parquet")
		if err != nil || len(old) == 0 {
			t.Fatalf("no shard of layout 1: %v", err)
		}
		info, err := os.Stat(old[0])
		if err != nil {
			t.Fatal(err)
		}
		s := schemas.Shard{Name: filepath.Base(old[0]), Bytes: info.Size()}
		if _, err := readShard(local("../collection/testdata/layout1"), s); !errors.Is(err, ErrOlder) {
			t.Errorf("readShard = %v, want %v", err, ErrOlder)
		}
	})
	t.Run("a path that needs escaping", func(t *testing.T) {
		for _, name := range []string{"a b", "é", "50%", "a#b", "what?"} {
			f := local(filepath.Join(t.TempDir(), name))
			made(t, f, 0)
			if _, err := Sync(t.Context(), f, Options{}); !errors.Is(err, ErrPath) {
				t.Errorf("Sync in %q = %v, want %v", name, err, ErrPath)
			}
			if _, err := Sync(t.Context(), f, Options{Location: "file:///mnt/out"}); err != nil {
				t.Errorf("with another location: %v", err)
			}
		}
	})
	t.Run("a shard that is gone", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		m := made(t, local(dir), 0)
		if err := os.Remove(filepath.Join(dir, m.Units[0].Shards[0].Name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Sync(t.Context(), local(dir), Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Sync = %v, want %v", err, fs.ErrNotExist)
		}
	})
}

// nextMillisecond waits until a snapshot gets another time, as times of snapshots have milliseconds.
func nextMillisecond() time.Time {
	for begin := time.Now().UnixMilli(); ; {
		if now := time.Now(); now.UnixMilli() > begin {
			return now
		}
	}
}

// TestTable_timeTravel: an earlier snapshot has what the table had then, until it is expired, and then its files go.
func TestTable_timeTravel(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	made(t, f, 0, 1)
	first := synced(t, f)
	between := nextMillisecond()
	_ = nextMillisecond() // the next snapshot is later than between
	made(t, f, 1, 2)
	second := synced(t, f)
	table := opened(t, f)
	names := func(p Point) (list []string) {
		t.Helper()
		files, err := table.Plan(t.Context(), p, query.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if _, err := f.Size(file.Name); err != nil {
				t.Error(err)
			}
			list = append(list, file.Name)
		}
		return list
	}
	before, now := names(Point{ID: first.ID}), names(Point{})
	then := names(Point{Time: between})
	if len(before) != 2 || len(now) != 2 || slices.Equal(before, now) || !slices.Equal(then, before) {
		t.Errorf("files of the first snapshot %v, at its time %v, now %v", before, then, now)
	}
	early := Point{Time: first.Time.Add(-time.Hour)}
	if _, err := table.Plan(t.Context(), early, query.Query{}); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("before the first = %v, want %v", err, ErrNoSnapshot)
	}
	dry, err := table.Expire(t.Context(), Expiry{DryRun: true, Young: time.Nanosecond})
	if err != nil || len(dry.Snapshots) != 1 {
		t.Fatalf("dry = %+v, %v", dry, err)
	}
	names(Point{ID: first.ID})
	gone, err := table.Expire(t.Context(), Expiry{Young: time.Nanosecond})
	if err != nil || len(gone.Snapshots) != 1 || gone.Snapshots[0].ID != first.ID || len(gone.Files) != len(dry.Files) {
		t.Fatalf("Expire = %+v, %v; want the first snapshot and the files %v", gone, err, dry.Files)
	}
	shards := 0
	for _, name := range gone.Files {
		if shardPattern().MatchString(name) {
			shards++
		}
	}
	if shards != 1 || gone.Bytes == 0 {
		t.Errorf("%d shards removed of %v, want 1", shards, gone.Files)
	}
	if _, err := table.At(t.Context(), Point{ID: first.ID}); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("the expired one = %v, want %v", err, ErrNoSnapshot)
	}
	if s, err := table.At(t.Context(), Point{}); err != nil || s.ID != second.ID {
		t.Errorf("newest = %+v, %v", s, err)
	}
	names(Point{})
	healthy(t, f)
}
