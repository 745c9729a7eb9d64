package sourcedb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestReadRun_partTakesLittleMemory: a crawl has as many parts as units, some hundred of a gigabyte each, and all are
// read side by side.
func TestReadRun_partTakesLittleMemory(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	pages := extsort.New(SortOptions{TempDir: t.TempDir()})
	for i := range 20_000 {
		link := fmt.Sprintf("https://site%d.example/%d", i%100, i*i)
		must(t, pages.Add(linkKey(uint64(i)<<20), []byte(link+link[:20])))
	}
	p := Part{Key: "00000000000000000001"}
	run, err := p.run(f, "pages", pages, func(_, b []byte) ([]byte, error) { return b, nil }, nil)
	must(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for _, err := range readRun(f, run.Name) {
		must(t, err)
		if n++; n == 1 {
			runtime.ReadMemStats(&after)
		}
	}
	if n != 20_000 {
		t.Fatalf("%d records of 20,000", n)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("a run that is open takes %d bytes, and 1 MiB at most was wanted", took)
	}
}

// smallDisk is a folder whose disk is full after some bytes of a file.
type smallDisk struct {
	folder.Folder
	room int
}

type smallFile struct {
	folder.File
	room int
}

var errFull = errors.New("no space left on device")

func (d smallDisk) Create(name string) (folder.File, error) {
	file, err := d.Folder.Create(name)
	return &smallFile{file, d.room}, err
}

func (f *smallFile) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return f.File.Write(p)
}

// TestRunWriter_fullDisk: what a goroutine could not write is an error of the run, wherever the disk was full, and
// nothing of the run remains.
func TestRunWriter_fullDisk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	value := make([]byte, 300)
	write := func(d smallDisk) (schemas.Shard, error) {
		w, err := newRun(d, "run-%s", partBlock)
		must(t, err)
		defer w.abort()
		for i := range 5_000 {
			for k := range value {
				value[k] = byte(r.Uint32()) // which nothing makes shorter
			}
			if err := w.add(linkKey(uint64(i)), value); err != nil {
				return schemas.Shard{}, err
			}
		}
		return w.commit()
	}
	dir := t.TempDir()
	d := smallDisk{folder.Open(context.Background(), dir, nil), 1 << 30}
	must(t, d.Make(hiddenDir))
	before := runtime.NumGoroutine()
	whole, err := write(d)
	must(t, err)
	if err := d.Remove(whole.Name); err != nil {
		t.Fatal(err)
	}
	for _, d.room = range []int{0, 1, 200_000, 700_000, int(whole.Bytes) - 1} {
		if s, err := write(d); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d bytes: %v, %v", d.room, whole.Bytes, s, err)
		}
		for _, in := range []string{"", hiddenDir} {
			if names, _ := d.Names(in); len(names) > 1 || len(names) == 1 && names[0] != hiddenDir {
				t.Errorf("with room for %d bytes %s are left", d.room, names)
			}
		}
	}
	for end := time.Now().Add(time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
		}
	}
}

// records of a test: so many that a run has several blocks, some of them empty.
func recordsOfTest() (list []record) {
	for i := range 3_000 {
		list = append(list, record{key: linkKey(uint64(i)), value: make([]byte, i%200)})
	}
	return append(list, record{key: linkKey(5_000)})
}

func readAll(f folder.Folder, name string) (list []record, err error) {
	for r, err := range readRun(f, name) {
		if err != nil {
			return list, err
		}
		list = append(list, r)
	}
	return list, nil
}

func isSame(a, b record) bool { return bytes.Equal(a.key, b.key) && bytes.Equal(a.value, b.value) }

// TestReadRun_older: runs of an earlier version were streams of zstd.
func TestReadRun_older(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "states"))
	must(t, err)
	z, err := zstd.NewWriter(file)
	must(t, err)
	want := recordsOfTest()
	for _, r := range want {
		b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(r.key))), uint64(len(r.value)))
		_, err := z.Write(append(append(b, r.key...), r.value...))
		must(t, err)
	}
	must(t, errors.Join(z.Close(), file.Close()))
	got, err := readAll(folder.Open(context.Background(), dir, nil), "states")
	if err != nil || !slices.EqualFunc(got, want, isSame) {
		t.Errorf("%d records of %d: %v", len(got), len(want), err)
	}
}

// TestReadRun_cut: wherever a run ends too early, also between two of its blocks, and what follows its end, is an
// error.
func TestReadRun_cut(t *testing.T) {
	dir := t.TempDir()
	f := folder.Open(context.Background(), dir, nil)
	must(t, f.Make(hiddenDir))
	w, err := newRun(f, "run-%s", partBlock)
	must(t, err)
	want := recordsOfTest()
	for _, r := range want {
		must(t, w.add(r.key, r.value))
	}
	s, err := w.commit()
	must(t, err)
	got, err := readAll(f, s.Name)
	if err != nil || !slices.EqualFunc(got, want, isSame) {
		t.Fatalf("%d records of %d: %v", len(got), len(want), err)
	}
	data, err := os.ReadFile(filepath.Join(dir, s.Name))
	must(t, err)
	cut := func(data []byte) error {
		must(t, os.WriteFile(filepath.Join(dir, "cut"), data, 0o600))
		_, err := readAll(f, "cut")
		return err
	}
	// A chunk of S2 has a type and its length in three bytes.
	for at, n := 0, 0; at < len(data); at += n {
		n = 4 + int(data[at+1]) + int(data[at+2])<<8 + int(data[at+3])<<16
		for _, end := range []int{at, at + 1, at + n/2, at + n - 1} {
			if err := cut(data[:end]); err == nil {
				t.Errorf("%d bytes of %d are taken for whole", end, len(data))
			}
		}
	}
	if err := cut(append(slices.Clone(data), data...)); err == nil {
		t.Error("two runs are taken for one")
	}
	if err := cut(nil); err == nil {
		t.Error("an empty file is taken for a run")
	}
}
