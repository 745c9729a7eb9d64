package index

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestUpdate_severalFilesOfAMonth: a month with more versions than a volume holds has several, which later updates
// fill up.
func TestUpdate_severalFilesOfAMonth(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(7, 7))
	put := func(from, to int) {
		for i := from; i < to; i++ {
			docs := made(r, 40, fmt.Sprintf("f%d", i))
			docs[0].Timestamp = "2025-03-01T00:00:00Z"
			s.put(t, i, docs)
		}
	}
	put(0, 7)
	o := Options{VolumeRows: 60}
	x, _ := s.open(t, o)
	put(7, 9)
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	// Each has two shards, the last one has one.
	var names []string
	for _, v := range x.volumes {
		names = append(names, v.name)
		rows, err := numbers(t.Context(), v.index.db, "select sum(rows) from shard")
		if err != nil || rows[0] > 80 {
			t.Errorf("volume %q has %d rows, %v; want at most 80", v.name, rows, err)
		}
	}
	if got, want := fmt.Sprint(names), "[ 2025-03 2025-03.2 2025-03.3 2025-03.4]"; got != want {
		t.Errorf("volumes %s, want %s", got, want)
	}
	for _, filter := range filters[:6] {
		s.compare(t, x, filter)
	}
	// The same shards are found again, and not added twice.
	if _, report := s.open(t, o); report.Rows != 0 {
		t.Errorf("%d rows were added again", report.Rows)
	}
}

// TestKeepOnly_readsOnlyTheChangedShard: after a takedown only the rewritten shard is read. Nothing of the old one is
// left in any file, and files of other packages are gone.
func TestKeepOnly_readsOnlyTheChangedShard(t *testing.T) {
	for _, rows := range []int64{0, 300} {
		s, r := newShelf(t), rand.New(rand.NewPCG(8, 8))
		for i := range 9 {
			s.put(t, i, made(r, 100, fmt.Sprintf("f%d", i)))
		}
		secret := made(r, 20, "f9")
		secret[3].URL, secret[3].SURT, secret[3].Host = "http://zqx.example/zqx", "example,zqx)/zqx", "zqx.example"
		secret[3].Title, secret[3].Text, secret[3].Language = "zqxtitle", "zqxword zqxworded", "en"
		s.put(t, 9, secret)
		x, _ := s.open(t, Options{VolumeRows: rows})
		dir, _ := x.Dir()
		// The removal of the second and the third was interrupted.
		for _, name := range []string{"images/a.images", "1999-01/text.db", "other/text.db-wal"} {
			other := filepath.Join(dir, name)
			err := errors.Join(os.MkdirAll(filepath.Dir(other), 0o755), os.WriteFile(other, []byte("zqx"), 0o644))
			if err != nil {
				t.Fatal(err)
			}
		}
		before := states(t, x)
		s.put(t, 9, append(secret[:3:3], secret[4:]...))
		kept, err := x.KeepOnly(t.Context(), s.part(t))
		if err != nil || !kept {
			t.Fatal(kept, err)
		}
		if after := states(t, x); after != before+19 {
			t.Errorf("%d versions were written, want 19", after-before)
		}
		err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if i := bytes.Index(data, []byte("zqx")); i >= 0 {
				t.Errorf("%s has it at %d", path, i)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		s.compare(t, x, "the")
	}
}

// states returns the sum of the volumes' next numbers, which grows with each version that is written.
func states(t *testing.T, x *Index) (sum int64) {
	t.Helper()
	for _, v := range x.volumes {
		n, err := state(t.Context(), v.index.db, "next")
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// TestKeepOnly_refuses: an index that is mostly out of date, or read by another process, is not kept.
func TestKeepOnly_refuses(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(9, 9))
	s.put(t, 0, made(r, 50, "f0"))
	x, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := x.KeepOnly(t.Context(), s.part(t)); kept || err != nil {
		t.Errorf("an index that was never made: %v, %v", kept, err)
	}
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	reader, _ := s.open(t, Options{})
	snapshot, err := reader.volumes[0].snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := x.KeepOnly(t.Context(), s.part(t)); kept {
		t.Error("kept, though another connection reads old pages")
	}
	snapshot.close()
	s.put(t, 1, made(r, 50, "f1"))
	s.put(t, 2, made(r, 50, "f2"))
	if kept, err := x.KeepOnly(t.Context(), s.part(t)); kept || err != nil {
		t.Errorf("an index of a third of the shards: %v, %v", kept, err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
