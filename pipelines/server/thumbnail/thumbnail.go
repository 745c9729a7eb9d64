// Package thumbnail keeps small forms of images in a folder, and has them made on demand.
//
//	s := thumbnail.New(thumbnail.Options{Make: sandbox.Thumbnail})
//	jpeg, err := s.Get(ctx, Place{Dir: dir, Key: key}, func() (string, []byte, error) {
//		return "image/png", payload, nil
//	})
//
// Callers check before each Get that the image may be seen, because files in the folder outlive permissions. An image
// that cannot be read is remembered, so that it is not tried again and again.
package thumbnail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/picture"
)

// Side is the largest side of a thumbnail in pixels.
const Side = 240

// blockBytes is what a file costs beside its content, also an empty one.
const blockBytes = 4 << 10

// atOnce limits the payloads in memory.
const atOnce = 4

// Options of a store. Zero fields get their defaults.
type Options struct {
	// Make makes a JPEG file of an image, in a process that may be lost: see docsandbox.Reader.Thumbnail.
	Make     func(ctx context.Context, mime string, body []byte, side int) ([]byte, error)
	MaxBytes int64 // of the files of a folder; 64 MiB
}

// Store makes thumbnails and keeps them. Several goroutines may use it.
type Store struct {
	o     Options
	turns chan struct{}

	mu    sync.Mutex
	sizes map[string]int64 // of folders, as far as they are known
}

// New makes a store.
func New(o Options) *Store {
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	return &Store{o: o, turns: make(chan struct{}, atOnce), sizes: map[string]int64{}}
}

// ErrNone means that an image has no thumbnail.
var ErrNone = errors.New("thumbnail: this image cannot be shown")

// suffix is that of the files. An empty file stands for an image that cannot be read.
const suffix = ".jpg"

// Place is where the thumbnail of an image is kept.
type Place struct {
	Dir string // "": nowhere
	Key string // of the image
	// Valid reports whether the image may still be kept. It is called when the file is there: callers that remove images
	// remove the folder after it has become false. Nil means always.
	Valid func() bool
}

// path is the file of a thumbnail.
func (p Place) path() string {
	sum := sha256.Sum256([]byte(picture.Version + "\x00" + p.Key))
	return filepath.Join(p.Dir, hex.EncodeToString(sum[:16])+suffix)
}

// Get returns the thumbnail of an image, from its place or made of what read returns.
func (s *Store) Get(
	ctx context.Context, at Place, read func() (mime string, body []byte, err error),
) ([]byte, error) {
	path := at.path()
	if at.Dir != "" {
		if data, err := os.ReadFile(path); err == nil {
			return found(data)
		}
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	mime, body, err := read()
	if err != nil {
		return nil, err
	}
	data, err := s.o.Make(ctx, mime, body, Side)
	if err != nil {
		if !lasting(err) {
			return nil, err
		}
		data = nil
	}
	if at.Dir != "" {
		// A disk that is full only costs time.
		_ = s.keep(at.Dir, path, data)
		if at.Valid != nil && !at.Valid() {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return found(data)
}

func found(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, ErrNone
	}
	return data, nil
}

// lasting reports whether an error is one of the image, which will be the same next time.
func lasting(err error) bool {
	var f *picture.Failure
	return errors.As(err, &f) && f.Kind != schemas.KindCrashed || errors.Is(err, picture.ErrFormat) ||
		errors.Is(err, picture.ErrLimit) || errors.Is(err, picture.ErrUnread)
}

// keep writes a file under a temporary name first, and makes room if the folder is full.
func (s *Store) keep(dir, path string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	size, known := s.sizes[dir]
	size += int64(len(data)) + blockBytes
	if !known || size > s.o.MaxBytes {
		size = int64(len(data)) + blockBytes + shrink(dir, s.o.MaxBytes*3/4)
	}
	s.sizes[dir] = size
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// file is a file of the folder.
type file struct {
	path string
	time int64
	size int64
}

// shrink removes the oldest files until the folder has at most limit bytes, and returns what it has then.
func shrink(dir string, limit int64) (size int64) {
	entries, _ := os.ReadDir(dir) // without a list, nothing is removed
	var list []file
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".new-") {
			continue
		}
		list = append(list, file{filepath.Join(dir, e.Name()), info.ModTime().UnixNano(), info.Size() + blockBytes})
		size += info.Size() + blockBytes
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.time, b.time) })
	for _, f := range list {
		if size <= limit {
			break
		}
		if os.Remove(f.path) == nil {
			size -= f.size
		}
	}
	return size
}
