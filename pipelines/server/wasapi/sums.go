package wasapi

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// sums are the checksums of whole files, by md5 and sha1, which all clients of WASAPI know. They are kept for the
// version of a file that they were computed from.
type sums struct {
	file string        // where they are stored, or ""
	turn chan struct{} // one file is read at a time, so that lists do not use all of the disk

	mu    sync.Mutex
	half  *half          // the file that is being read, or was when a request ran out of time
	known map[string]sum // by the name of the file
	fresh bool           // some of them are not stored yet
}

// sum is the stored data of a file.
type sum struct {
	Stamp string            `json:"stamp"` // size and modification time, or the version of an object store
	Size  int64             `json:"size"`
	Sums  map[string]string `json:"sums"`
}

// half is a file that was read in part, with the checksums of that part. The next request continues there.
type half struct {
	name, stamp string
	size, read  int64
	md5, sha1   hash.Hash
}

func newSums(file string) *sums {
	s := &sums{file: file, turn: make(chan struct{}, 1), known: map[string]sum{}}
	if file == "" {
		return s
	}
	// If the file cannot be read, checksums are computed again.
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &s.known) != nil || s.known == nil {
		s.known = map[string]sum{}
	}
	return s
}

// of returns the checksums of a file. Without a stamp, it cannot recognise a known file.
func (s *sums) of(ctx context.Context, o blob.Object, stamp string) (map[string]string, error) {
	if known := s.get(o, stamp); known != nil {
		return known, nil
	}
	if err := s.await(ctx); err != nil {
		return nil, err
	}
	defer func() { <-s.turn }()
	// Meanwhile another request may have computed it.
	if known := s.get(o, stamp); known != nil {
		return known, nil
	}
	// Only the request that has the turn uses the unfinished file.
	h := s.half
	if h == nil || stamp == "" || h.name != o.Name() || h.stamp != stamp || h.size != o.Size() {
		h = &half{name: o.Name(), stamp: stamp, size: o.Size(), md5: md5.New(), sha1: sha1.New()}
	}
	s.half = h
	// Both are computed in one pass, since reading the archive takes most of the time.
	rest := &reader{ctx: ctx, Reader: io.NewSectionReader(o, h.read, o.Size()-h.read)}
	n, err := io.CopyBuffer(io.MultiWriter(h.md5, h.sha1), rest, make([]byte, 256<<10))
	h.read += n
	if err != nil {
		return nil, err
	}
	s.half = nil
	made := map[string]string{"md5": hex.EncodeToString(h.md5.Sum(nil)), "sha1": hex.EncodeToString(h.sha1.Sum(nil))}
	s.keep(o, stamp, made)
	return made, nil
}

// await waits for the turn.
func (s *sums) await(ctx context.Context) error {
	// ctx is not checked at first: if nobody reads, a request makes progress even if its time is over.
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reader stops when a request ends or its time is over.
type reader struct {
	ctx context.Context
	io.Reader
	begun bool
}

// Read reads, unless the request has ended. It always reads at least once, so that each request makes progress.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil && r.begun {
		return 0, err
	}
	r.begun = true
	return r.Reader.Read(p)
}

func (s *sums) get(o blob.Object, stamp string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.known[o.Name()]; stamp != "" && k.Stamp == stamp && k.Size == o.Size() {
		// This is a copy, so that callers cannot change the stored one.
		return maps.Clone(k.Sums)
	}
	return nil
}

func (s *sums) keep(o blob.Object, stamp string, made map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[o.Name()], s.fresh = sum{stamp, o.Size(), maps.Clone(made)}, true
}

// save stores new checksums on the disk, so that a restarted server does not read all archives again.
func (s *sums) save() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.fresh {
		return
	}
	if err := s.write(); err != nil {
		slog.Warn("checksums of archives are not kept: they are made again after the next start", "error", err)
		return
	}
	s.fresh = false
}

// stampOf returns the version of a file, or "" if it is unknown.
func stampOf(ctx context.Context, store *blob.Store, o blob.Object) string {
	if blob.IsRemote(o.Name()) {
		info, err := store.Stat(ctx, o.Name())
		if err != nil {
			return ""
		}
		return info.Stamp
	}
	info, err := os.Stat(schemas.PathOf(o.Name()))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

// write replaces the file atomically.
func (s *sums) write() error {
	data, err := json.Marshal(s.known)
	if err != nil {
		return err
	}
	// It is in the same folder, since a rename works only within one file system.
	f, err := os.CreateTemp(filepath.Dir(s.file), filepath.Base(s.file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	// Some file systems report a full disk only when a file is closed.
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error is returned
	}
	return err
}
