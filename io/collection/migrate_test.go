package collection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// layout1 is a folder that a program of layout 1 wrote, in two runs: the second, with an archive more, renumbered
// units. It has the records of segments, joined, and documents in both formats.
const layout1 = "testdata/layout1"

// olderFolder is a copy of it.
func olderFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(dir, os.DirFS(layout1)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// olderPlan are the units of that folder with their keys, in their order, except for that of joined records.
func olderPlan(t *testing.T) (units []schemas.Unit, keys []string, m schemas.Manifest) {
	t.Helper()
	m, err := holdings.ReadManifest(local(layout1))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ledger.Rows(local(layout1))
	if err != nil || len(rows) != len(m.Units) {
		t.Fatalf("%d rows of %d units, %v", len(rows), len(m.Units), err)
	}
	for _, u := range m.Units[:len(m.Units)-1] {
		units = append(units, u.Unit)
		for key, r := range rows {
			if slices.Equal(r.Shards, u.Shards) {
				keys = append(keys, key)
			}
		}
	}
	return units, keys, m
}

// goOn opens a folder and finishes a run in which nothing is to be done.
func goOn(t *testing.T, f folder.Folder) error {
	t.Helper()
	c, err := Open(f, OpenOptions{})
	if err != nil {
		return err
	}
	defer shut(t, c)
	units, keys, m := olderPlan(t)
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		return err
	}
	if len(todo) > 0 || ledger.NeedsJoin(done, len(units)) {
		t.Errorf("%d units are to be done again, joined ones: %v", len(todo), ledger.NeedsJoin(done, len(units)))
	}
	_, err = c.Finish(done, Run{Units: len(units), Options: m.Options, Versions: m.Versions, Index: true})
	return err
}

// migrated is what such a folder holds in today's layout.
func migrated(t *testing.T) map[string]string {
	t.Helper()
	dir := olderFolder(t)
	if err := goOn(t, local(dir)); err != nil {
		t.Fatal(err)
	}
	return shelftest.Contents(t, dir)
}

// TestMigrate_keepsAll: a folder of layout 1 opens, nothing is done again, and it holds what it held.
func TestMigrate_keepsAll(t *testing.T) {
	units, keys, m := olderPlan(t)
	was, now := shelftest.Contents(t, layout1), migrated(t)
	if len(now) != len(was) || now[ledger.IndexFile] != was[ledger.IndexFile] {
		t.Errorf("files are %q, want as many as %q and the same index",
			slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(was)))
	}
	keys = append(keys, ledger.JoinedKey(keys))
	for i, u := range m.Units {
		for _, s := range u.Shards {
			n, _ := holdings.ParseNumbered(s.Name)
			name := n.FileType.Name(ledger.UnitOfKey(keys[i])).String()
			if n.Ext != holdings.ExtParquet {
				if now[name] != was[s.Name] || len(now[name]) == 0 {
					t.Errorf("%s is not what %s was", name, s.Name)
				}
				continue
			}
			if diff := cmp.Diff(parquetDocuments(t, was[s.Name]), parquetDocuments(t, now[name])); diff != "" {
				t.Errorf("documents of %s (-was +now):\n%s", name, diff)
			}
		}
	}
	var totals schemas.Manifest
	if err := json.Unmarshal([]byte(now[holdings.ManifestFile]), &totals); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Totals, totals.Totals); diff != "" || len(totals.Units) != len(units)+1 {
		t.Errorf("%d units, totals (-was +now):\n%s", len(totals.Units), diff)
	}
}

// parquetDocuments reads a file, whose timestamps are in microseconds when it is of today.
func parquetDocuments(t *testing.T, file string) (docs []*schemas.Document) {
	t.Helper()
	r := strings.NewReader(file)
	for d, err := range parquetfile.Read(r, r.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

// TestMigrate_parquetIsAsTodayWritten: older rows become the rows that a new run writes.
func TestMigrate_parquetIsAsTodayWritten(t *testing.T) {
	for name, file := range migrated(t) {
		if !strings.HasSuffix(name, holdings.ExtParquet) {
			continue
		}
		var again bytes.Buffer
		w := parquetfile.NewWriter(&again, parquetfile.Options{})
		for _, d := range parquetDocuments(t, file) {
			if err := w.Write(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if again.String() != file {
			t.Errorf("%s is not what its documents give", name)
		}
		f, err := parquet.OpenFile(strings.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if at := f.Root().Column("timestamp"); at.ID() == 0 || !strings.Contains(at.Type().String(), "MICROS") {
			t.Errorf("%s has timestamps of %v with the id %d", name, at.Type(), at.ID())
		}
	}
}

// broken is a folder in which a change fails, and all later ones. A disk sees the same of a process that was killed.
type broken struct {
	folder.Folder
	left int // changes that go well
}

func (b *broken) change() error {
	if b.left--; b.left < 0 {
		return syscall.EIO
	}
	return nil
}

func (b *broken) Write(name string, data []byte) error {
	if err := b.change(); err != nil {
		return err
	}
	return b.Folder.Write(name, data)
}

func (b *broken) Rename(from, to string) error {
	if err := b.change(); err != nil {
		return err
	}
	return b.Folder.Rename(from, to)
}

func (b *broken) Remove(name string) error {
	if err := b.change(); err != nil {
		return err
	}
	return b.Folder.Remove(name)
}

func (b *broken) Create(name string) (folder.File, error) {
	if err := b.change(); err != nil {
		return nil, err
	}
	return b.Folder.Create(name)
}

func (b *broken) Lock(name string) (io.Closer, error) { return b.Folder.Lock(name) }

// TestMigrate_killed stops after each single change on the way, and goes on.
func TestMigrate_killed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // units are moved one after the other
	want := migrated(t)
	for n := 0; ; n++ {
		dir := olderFolder(t)
		c, err := Open(&broken{local(dir), n}, OpenOptions{})
		if err == nil {
			shut(t, c)
			if t.Logf("%d changes", n); n < 30 {
				t.Errorf("it takes %d changes, the test tests nothing", n)
			}
			return
		}
		if !errors.Is(err, syscall.EIO) {
			t.Fatalf("after %d changes: %v", n, err)
		}
		if err := goOn(t, local(dir)); err != nil {
			t.Fatalf("after %d changes: %v", n, err)
		}
		if got := shelftest.Contents(t, dir); !maps.Equal(got, want) {
			t.Fatalf("after %d changes the next run ends with %q, want %q (or their bytes differ)",
				n, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		if left := hiddenFiles(t, dir); len(left) != 4 {
			t.Fatalf("after %d changes there are %q, want four rows", n, left)
		}
	}
}

// TestMigrate_killedInABucket likewise, at every third request.
func TestMigrate_killedInABucket(t *testing.T) {
	want, objects := migrated(t), map[string][]byte{}
	err := fs.WalkDir(os.DirFS(layout1), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			objects["out/"+name], err = os.ReadFile(filepath.Join(layout1, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range []string{"gs", "s3"} {
		for n := 1 + i; ; n += 9 {
			b := foldertest.StartBucket(t, kind, objects)
			fault := func(request int) string {
				if request >= n {
					return blobtest.Refused
				}
				return ""
			}
			b.Fault.Store(&fault)
			c, err := Open(b, OpenOptions{})
			b.Fault.Store(nil)
			if err == nil {
				if err := c.Close(); err != nil {
					t.Log(err) // the lock could not be removed
				}
			}
			if err := b.Remove(holdings.Hidden("lock")); err != nil { // it is free after 75 s: see package folder
				t.Fatal(err)
			}
			if e := goOn(t, b); e != nil {
				t.Fatalf("%s, request %d: %v", kind, n, e)
			}
			if got := visible(b.Objects(t)); !maps.Equal(got, want) {
				t.Fatalf("%s, request %d: %q, want %q", kind, n, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			if int(b.Seen.Load()) < n || err == nil && n > 60 {
				break
			}
		}
	}
}

// TestMigrate_leftovers: shards that were renamed while units were renumbered are found. Shards of a unit that was
// being committed go, and shards of another unit that have the same names stay.
func TestMigrate_leftovers(t *testing.T) {
	want, dir := migrated(t), olderFolder(t)
	_, keys, m := olderPlan(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, s := range m.Units[2].Shards {
		n, _ := holdings.ParseNumbered(s.Name)
		if err := os.Rename(at(s.Name), at(holdings.Hidden(keys[2]+"-"+n.Kind+n.Ext))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, at("documents-00004-of-00005.jsonl.zst"), "half")
	other := strings.Repeat("0", 64)
	shards := `{"name":"documents-%s.jsonl.zst","bytes":1}`
	row := `{"key":"%s","total":%d,"id":%d,"inputs":[],"shards":[` + shards + `]}`
	pending := func(key string) string {
		return at(holdings.Hidden(ledger.RowFile(key) + ".pending-" + folder.Unique()))
	}
	write(t, pending(other), fmt.Sprintf(row, other, 5, 4, "00004-of-00005"))
	write(t, pending(other), fmt.Sprintf(row, other, 3, 0, "00000-of-00003"))
	write(t, at(holdings.Hidden(other+"-feeds.jsonl")), "of nobody")
	if err := goOn(t, local(dir)); err != nil {
		t.Fatal(err)
	}
	if got := shelftest.Contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("files are %q, want %q (or their bytes differ)",
			slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	if left := hiddenFiles(t, dir); len(left) != 4 {
		t.Errorf("hidden files are %q, want four rows", left)
	}
}

// TestMigrate_changedShard: what somebody has changed is not written again.
func TestMigrate_changedShard(t *testing.T) {
	dir := olderFolder(t)
	const name = "documents-00000-of-00003.parquet"
	write(t, filepath.Join(dir, name), "mine")
	for range 2 {
		if _, err := Open(local(dir), OpenOptions{}); !errors.Is(err, holdings.ErrChanged) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("Open = %v, want %v with the name", err, holdings.ErrChanged)
		}
	}
	if got := shelftest.Contents(t, dir)[name]; got != "mine" {
		t.Errorf("%s is %q", name, got)
	}
}

// TestMigrate_missingShard: its unit is done again, like one whose shard is missing in today's layout.
func TestMigrate_missingShard(t *testing.T) {
	for _, ext := range []string{".parquet", ".jsonl.zst"} {
		dir := olderFolder(t)
		remove(t, dir, "documents-00000-of-00003"+ext)
		c := open(t, dir, OpenOptions{})
		units, keys, _ := olderPlan(t)
		todo, done, err := c.Resume(units, keys, nil)
		if err != nil || len(todo) != 1 || todo[0].ID != 0 || len(done) != 2 {
			t.Errorf("%s: %d to do, %d done, %v; want the first to be done", ext, len(todo), len(done), err)
		}
		shut(t, c)
	}
}

func TestMigrate_fresh(t *testing.T) {
	dir := olderFolder(t)
	shut(t, open(t, dir, OpenOptions{Fresh: true}))
	if got := shelftest.Contents(t, dir); len(got) != 0 || len(hiddenFiles(t, dir)) != 0 {
		t.Errorf("left are %q and %q", slices.Sorted(maps.Keys(got)), hiddenFiles(t, dir))
	}
	run(t, dir, "a")
	same(t, dir, "a")
}

// TestRows_ofLayout1: who only looks, without opening, finds the rows with the names that their shards have.
func TestRows_ofLayout1(t *testing.T) {
	rows, err := ledger.Rows(local(layout1))
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	captures := 0
	for _, r := range rows {
		for _, err := range (holdings.Part{Folder: local(layout1), Shards: r.Shards}).Captures(t.Context()) {
			if captures++; err != nil {
				t.Fatal(err)
			}
		}
		if got := holdings.FormatsOf(r.Shards); !slices.Equal(got, []string{holdings.FormatJSONL, holdings.FormatParquet}) {
			t.Errorf("formats of %v are %v", r.Shards, got)
		}
	}
	if m, err := holdings.ReadManifest(local(layout1)); err != nil || int64(captures) != m.Totals.Captures {
		t.Errorf("%d captures, %v, want %d", captures, err, m.Totals.Captures)
	}
}

// TestVerify_ofLayout1: such a folder is sound although no run has brought it to today's layout. Any change in it is
// reported.
func TestVerify_ofLayout1(t *testing.T) {
	m, err := holdings.ReadManifest(local(layout1))
	if err != nil {
		t.Fatal(err)
	}
	lost := m.Units[0].Shards[0].Name
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		want   string // a part of the only problem; empty for none
	}{
		{"as written", func(string) error { return nil }, ""},
		{"shard lost", func(dir string) error { return os.Remove(filepath.Join(dir, lost)) }, lost + ": missing"},
		{"shard more", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "documents-00007-of-00009.jsonl.zst"), nil, 0o600)
		}, "nothing names it"},
		{"rows lost", func(dir string) error {
			rows, err := filepath.Glob(filepath.Join(dir, holdings.HiddenDir, "*.json"))
			for _, r := range rows {
				if len(filepath.Base(r)) > 64 {
					return errors.Join(err, os.Remove(r))
				}
			}
			return errors.Join(err, errors.New("no row"))
		}, "its row is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := olderFolder(t)
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			problems, err := care.Verify(t.Context(), local(dir))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(problems) > 0 ||
				tt.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.want)) {
				t.Errorf("Verify() = %v, want %q", problems, tt.want)
			}
		})
	}
}
