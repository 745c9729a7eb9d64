package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// commit writes a collection of n empty units to a folder in memory. It prints the costs of the steps, including
// calls of the folder, each of which is a request in an object store.
func commit(n int) error {
	m := &memory{files: map[string][]byte{}}
	c, err := collection.Open(m, collection.OpenOptions{})
	if err != nil {
		return err
	}
	defer c.Close()
	units, keys := make([]schemas.Unit, n), make([]string, n)
	for i := range units {
		file := fmt.Sprintf("gs://commoncrawl/crawl-data/CC-MAIN-2026-26/segments/1780000000000.%02d/warc/"+
			"CC-MAIN-20260612000000-20260612030000-%05d.warc.gz", i/900, i)
		units[i] = schemas.Unit{ID: i, Inputs: []schemas.Range{{File: file, End: gigabyte, Format: "warc+gzip"}}}
		sum := sha256.Sum256([]byte(file))
		keys[i] = hex.EncodeToString(sum[:])
	}
	var done []schemas.UnitResult
	row := func(what string, step func() error) error { return m.measure(what, n, step) }
	return firstOf(
		func() error {
			return row("begin", func() error { _, _, err := c.Resume(units, keys, nil); return err })
		},
		func() error {
			return row("commit the units, one after the other",
				func() error { done, err = commitAll(m, units, keys); return err })
		},
		func() error {
			return row("finish", func() error { _, err := c.Finish(done, collection.Run{Units: n}); return err })
		},
		func() error {
			return row("find that all is done", func() error { _, _, err := c.Resume(units, keys, nil); return err })
		},
	)
}

// firstOf runs the steps until the first error.
func firstOf(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// commitAll commits each unit with the counts of a crawl's file.
func commitAll(f folder.Folder, units []schemas.Unit, keys []string) (done []schemas.UnitResult, err error) {
	counts := schemas.Counts{
		Records: 90_000, Captures: 29_000, Documents: 29_000, BytesRead: gigabyte, BodyBytes: 4 * gigabyte,
		ByType: map[string]int64{"response": 29_000, "request": 29_000, "metadata": 29_000}, ByMIME: map[string]int64{},
		ByLang: map[string]int64{},
	}
	for i := range 60 {
		counts.ByMIME[fmt.Sprintf("application/x-type-%d", i)] = int64(i)
		counts.ByLang[fmt.Sprintf("l%d", i)] = int64(i)
	}
	for i, u := range units {
		w, err := shard.NewWriter(f, u, keys[i], shard.Options{})
		if err != nil {
			return nil, err
		}
		result, err := w.Commit(counts, ledger.Note{})
		if err != nil {
			return nil, err
		}
		done = append(done, result)
	}
	return done, nil
}

// memory is a folder in memory that counts calls.
type memory struct {
	folder.Folder // nil: a collection does not call its other methods

	mu    sync.Mutex
	files map[string][]byte
	asked int
}

func (m *memory) measure(what string, n int, step func() error) error {
	asked, before, begin := m.asked, cputime.Self(), time.Now()
	if err := step(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	wall, used := time.Since(begin), cputime.Self()-before
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Printf("| %s | %.1f | %.1f | %.0f | %d requests, %.2f a unit; manifest %.1f MB |\n",
		what, used.Seconds(), wall.Seconds(), float64(stats.Sys)/(1<<20), m.asked-asked, float64(m.asked-asked)/float64(n),
		float64(len(m.files[holdings.ManifestFile]))/1e6)
	return nil
}

func (m *memory) ask() func() {
	m.mu.Lock()
	m.asked++
	return m.mu.Unlock
}

// Path returns the name of a file as in an object store.
func (m *memory) Path(name string) string { return "s3://memory/" + name }

// Make does nothing: there are no folders.
func (m *memory) Make(string) error { return nil }

// Names lists a folder.
func (m *memory) Names(dir string) ([]string, error) {
	stats, err := m.Stats(dir)
	return slices.Sorted(maps.Keys(stats)), err
}

// Stats lists a folder, with a request per thousand files.
func (m *memory) Stats(dir string) (map[string]folder.Stat, error) {
	defer m.ask()()
	stats := map[string]folder.Stat{}
	for name, data := range m.files {
		in, base := path.Split(name)
		if strings.TrimSuffix(in, "/") == dir {
			stats[base] = folder.Stat{Size: int64(len(data))}
		} else if first, _, deeper := strings.Cut(name, "/"); deeper && dir == "" {
			stats[first] = folder.Stat{}
		}
	}
	m.asked += len(stats) / 1000
	return stats, nil
}

// Size returns the size of a file.
func (m *memory) Size(name string) (int64, error) {
	defer m.ask()()
	data, ok := m.files[name]
	if !ok {
		return 0, fs.ErrNotExist
	}
	return int64(len(data)), nil
}

func (m *memory) Open(name string) (folder.Reader, error) {
	defer m.ask()()
	data, ok := m.files[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return reader{bytes.NewReader(data)}, nil
}

type reader struct{ *bytes.Reader }

// Close does nothing.
func (reader) Close() error { return nil }

// Create begins a file, which Close sends.
func (m *memory) Create(name string) (folder.File, error) { return &file{m: m, name: name}, nil }

type file struct {
	bytes.Buffer
	m    *memory
	name string
}

// Sync does nothing.
func (f *file) Sync() error { return nil }

// Stat returns a time, of no use as in an object store.
func (f *file) Stat() (fs.FileInfo, error) { return os.Stat(".") }

// Close stores the file.
func (f *file) Close() error { return f.m.Write(f.name, f.Bytes()) }

// Write stores a file.
func (m *memory) Write(name string, data []byte) error {
	defer m.ask()()
	m.files[name] = bytes.Clone(data)
	return nil
}

// Rename renames a file.
func (m *memory) Rename(from, to string) error {
	defer m.ask()()
	data, ok := m.files[from]
	if !ok {
		return fs.ErrNotExist
	}
	delete(m.files, from)
	m.files[to] = data
	return nil
}

// Remove removes a file.
func (m *memory) Remove(name string) error {
	defer m.ask()()
	delete(m.files, name)
	return nil
}

// Sync does nothing.
func (m *memory) Sync(string) error { return nil }

// Lock always succeeds.
func (m *memory) Lock(string) (io.Closer, error) { return reader{}, nil }

// Temp makes a local folder.
func (m *memory) Temp(string) (string, error) { return os.MkdirTemp("", "scale-") }

// Sweep does nothing.
func (m *memory) Sweep() error { return nil }

// Close does nothing.
func (m *memory) Close() error { return nil }
