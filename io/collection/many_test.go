package collection

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// many makes a folder in which n units are done, without waiting for the disk as a run does, and returns their plan.
func many(tb testing.TB, n int) (dir string, units []schemas.Unit, keys []string) {
	tb.Helper()
	dir = tb.TempDir()
	for i := range n {
		in := schemas.Range{
			File: fmt.Sprintf("/data/crawls/2026/%06d.warc.gz", 2*i), End: 64 << 20, Format: "warc+gzip",
			Fingerprint: "sha256:00", Next: 64 << 20,
		}
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{in}}
		r := ledger.Row{Key: ledger.Key(u, "options", "versions"), UnitResult: schemas.UnitResult{Unit: u, Counts: oneOfEach}}
		for _, p := range []holdings.FileType{
			{Kind: holdings.KindDocuments, Ext: ".jsonl.zst"},
			{Kind: holdings.KindRejects, Ext: ".jsonl.zst"},
			{Kind: holdings.KindFeeds, Ext: ".jsonl.zst"},
			{Kind: holdings.KindCaptures, Ext: holdings.ExtCDXJ},
		} {
			s := schemas.Shard{
				Name: p.Name(ledger.UnitOfKey(r.Key)).String(), Bytes: 2,
				SHA256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
			}
			r.Shards = append(r.Shards, s)
			write(tb, filepath.Join(dir, s.Name), "{}")
			info, err := os.Stat(filepath.Join(dir, s.Name))
			if err != nil {
				tb.Fatal(err)
			}
			r.Modified = append(r.Modified, info.ModTime().UnixNano())
		}
		row, err := folder.EncodeJSON(r)
		if err != nil {
			tb.Fatal(err)
		}
		write(tb, filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(r.Key)), string(row))
		units, keys = append(units, u), append(keys, r.Key)
	}
	write(tb, filepath.Join(dir, holdings.HiddenDir, holdings.MarkerFile), holdings.MarkerText)
	return dir, units, keys
}

// grown is a plan with one more unit, in the middle.
func grown(units []schemas.Unit, keys []string) ([]schemas.Unit, []string) {
	at := len(units) / 2
	more := schemas.Unit{Inputs: []schemas.Range{{
		File: fmt.Sprintf("/data/crawls/2026/%06d.warc.gz", 2*at-1),
		End:  64 << 20, Format: "warc+gzip",
	}}}
	units, keys = slices.Insert(slices.Clone(units), at, more),
		slices.Insert(slices.Clone(keys), at, ledger.Key(more, "options", "versions"))
	for i := range units {
		units[i].ID = i
	}
	return units, keys
}

// BenchmarkResume measures the cost of a run beside its new units. It opens a folder of 20,000 units that are done. The
// plan is the same, or it has one more unit in the middle. It does that unit, and finishes.
func BenchmarkResume(b *testing.B) {
	for _, more := range []bool{false, true} {
		b.Run(fmt.Sprintf("more=%v", more), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir, units, keys := many(b, 20_000)
				if more {
					units, keys = grown(units, keys)
				}
				syscall.Sync() // or the run would wait for it
				b.StartTimer()
				c, err := Open(local(dir), OpenOptions{})
				if err != nil {
					b.Fatal(err)
				}
				todo, done, err := c.Resume(units, keys, nil)
				if err != nil || more != (len(todo) == 1) {
					b.Fatal(len(todo), err)
				}
				for _, u := range todo {
					done = append(done, do(b, dir, u, keys[u.ID], shard.Options{}))
				}
				if _, err := c.Finish(done, Run{Units: len(units)}); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
				if err := os.RemoveAll(dir); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// counted counts reads and writes.
type counted struct {
	folder.Folder
	opened, wrote, renamed atomic.Int64
}

func (f *counted) Open(name string) (folder.Reader, error) {
	f.opened.Add(1)
	return f.Folder.Open(name)
}

func (f *counted) Write(name string, data []byte) error {
	f.wrote.Add(1)
	return f.Folder.Write(name, data)
}

func (f *counted) Rename(from, to string) error {
	f.renamed.Add(1)
	return f.Folder.Rename(from, to)
}

// TestResume_manyUnits: a unit that comes to 2,000 costs reading each row once, no shard, and writing a few files.
func TestResume_manyUnits(t *testing.T) {
	const n = 2000
	dir, units, keys := many(t, n)
	units, keys = grown(units, keys)
	f := &counted{Folder: local(dir)}
	rows, err := ledger.Rows(f)
	if err != nil || len(rows) != n {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	c, err := Open(f, OpenOptions{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, c)
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil || len(todo) != 1 || len(done) != n {
		t.Fatalf("%d to do, %d done, %v", len(todo), len(done), err)
	}
	done = append(done, do(t, dir, todo[0], keys[todo[0].ID], shard.Options{}))
	if _, err := c.Finish(done, Run{Units: len(units)}); err != nil {
		t.Fatal(err)
	}
	if opened, wrote := f.opened.Load(), f.wrote.Load(); opened > n+10 || wrote > 4 {
		t.Errorf("%d files were opened and %d written for one new unit, want %d rows and some, and at most 4", opened, wrote,
			n)
	}
	names, err := f.Names("")
	if err != nil || len(names) != 4*n+3+2 {
		t.Errorf("%d names, %v, want four for each of %d units, three of the new one, the manifest and the hidden folder",
			len(names), err, n)
	}
	if n := f.renamed.Load(); n > 0 {
		t.Errorf("%d files were renamed, want none", n)
	}
}

// TestResume_touchedShard: a shard that has another time is read, and kept when its bytes are what they were.
func TestResume_touchedShard(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	later := time.Now().Add(time.Hour)
	for name := range shelftest.Contents(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), later, later); err != nil {
			t.Fatal(err)
		}
	}
	f := &counted{Folder: local(dir)}
	c, err := Open(f, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, c)
	units, keys := unitsOf("a", "b")
	if todo, _, err := c.Resume(units, keys, nil); err != nil || len(todo) > 0 {
		t.Errorf("%d units to do, %v, want none", len(todo), err)
	}
	if n := f.opened.Load(); n < 8 {
		t.Errorf("%d files were opened, want all shards to be read", n)
	}
}

// TestRows_unchangedAreNotReadAgain: rows that were read before count only while the files are the same.
func TestRows_unchangedAreNotReadAgain(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	before, err := ledger.Rows(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "c", "b", "a")
	f := &counted{Folder: local(dir)}
	after, _, err := ledger.ReadRows(f, before)
	if err != nil || len(after) != 3 || f.opened.Load() != 2 {
		t.Fatalf("%d rows, %d files opened, %v; want 3 rows, and one and the marker to be read", len(after), f.opened.Load(),
			err)
	}
	want, err := ledger.Rows(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	for key, r := range want {
		if got := after[key]; !slices.Equal(got.Shards, r.Shards) {
			t.Errorf("row of %v, want %v", got.Shards, r.Shards)
		}
	}
}
