//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync"
	"time"

	iceio "github.com/apache/iceberg-go/io"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// fileIO gives the library access to the files of a folder by their URIs. It records the files that it wrote: a commit
// that loses a race removes them.
type fileIO struct {
	f        folder.Folder
	location string

	// The library may write from several goroutines.
	mu      sync.Mutex
	written []string // names
}

var _ iceio.WriteFileIO = (*fileIO)(nil)

// Open opens a file.
func (x *fileIO) Open(uri string) (iceio.File, error) {
	name, err := nameIn(x.location, uri)
	if err != nil {
		return nil, err
	}
	r, err := x.f.Open(name)
	if err != nil {
		return nil, err
	}
	// The library's files need Seek, and a folder's reader has ReadAt only.
	return file{io.NewSectionReader(r, 0, r.Size()), r, path.Base(name)}, nil
}

// Remove removes a file. It accepts a missing file.
func (x *fileIO) Remove(uri string) error {
	name, err := nameIn(x.location, uri)
	if err != nil {
		return err
	}
	return x.f.Remove(name)
}

// Create returns a writer for a file. The file appears when the writer is closed.
func (x *fileIO) Create(uri string) (iceio.FileWriter, error) {
	name, err := nameIn(x.location, uri)
	if err != nil {
		return nil, err
	}
	// Nothing is written before Close, so an abandoned write leaves no partial file.
	return &fileWriter{x: x, name: name}, nil
}

// WriteFile writes a file in one step.
func (x *fileIO) WriteFile(uri string, data []byte) error {
	name, err := nameIn(x.location, uri)
	if err != nil {
		return err
	}
	return x.write(name, data)
}

func (x *fileIO) write(name string, data []byte) error {
	x.mu.Lock()
	// The name is recorded first, because a failed write may leave something.
	x.written = append(x.written, name)
	x.mu.Unlock()
	return x.f.Write(name, data)
}

// drop removes the written files, except those in use.
func (x *fileIO) drop(used map[string]bool) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var errs []error
	for _, name := range x.written {
		// It continues after an error, so that one failed removal does not keep the others.
		if !used[name] {
			errs = append(errs, x.f.Remove(name))
		}
	}
	x.written = nil
	return errors.Join(errs...)
}

// file is a file opened for reading.
type file struct {
	*io.SectionReader
	r    folder.Reader
	name string
}

func (f file) Close() error               { return f.r.Close() }
func (f file) Stat() (fs.FileInfo, error) { return fileInfo{f.name, f.Size()}, nil }

// fileInfo answers the library's questions about a file; only the size matters.
type fileInfo struct {
	name string
	size int64
}

func (i fileInfo) Name() string     { return i.name }
func (i fileInfo) Size() int64      { return i.size }
func (fileInfo) Mode() fs.FileMode  { return 0o444 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }

// fileWriter is a file being written. The library writes manifests and manifest lists, with some 200 bytes for each
// data file. They are held in memory until they are complete.
type fileWriter struct {
	bytes.Buffer
	x    *fileIO
	name string
}

func (w *fileWriter) Close() error { return w.x.write(w.name, w.Bytes()) }

// read reads a whole small file. A file larger than limit is an error.
func read(f folder.Folder, name string, limit int64) ([]byte, error) {
	r, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	// The size is checked before anything is read, whatever the content says.
	if r.Size() > limit {
		return nil, errors.Join(fmt.Errorf("lake: %s has %d bytes, and more than %d are not read",
			f.Path(name), r.Size(), limit), r.Close())
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}
