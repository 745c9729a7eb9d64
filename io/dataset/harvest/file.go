package harvest

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// openSuffix ends the name of a file that is being written.
const openSuffix = ".open"

// sink makes the files of a folder for the writer.
type sink struct {
	dir string
	out *file // the file being written
}

// Create begins a file.
func (s *sink) Create(name string) (dump.Output, error) {
	path := filepath.Join(s.dir, name)
	// O_EXCL never overwrites a file: a taken name means a second writer or a stamp that is used twice.
	f, err := os.OpenFile(path+openSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	s.out = &file{File: f, path: path}
	return s.out, nil
}

// file is a file being written.
type file struct {
	*os.File
	path  string
	size  int64
	valid int64 // bytes of complete exchanges; 0 before the first
}

func (f *file) Write(b []byte) (int, error) {
	// It counts n even on an error: seal cuts at valid, and size must not be less than the written bytes.
	n, err := f.File.Write(b)
	f.size += int64(n)
	return n, err
}

// whole marks everything written so far as complete.
func (f *file) whole() { f.valid = f.size }

// Close seals the whole file: it is complete and on disk.
func (f *file) Close() error { return seal(f.File, f.path, f.size) }

// Abort keeps the complete exchanges. It drops its error: the next Open does the same and reports it.
func (f *file) Abort() { _ = seal(f.File, f.path, f.valid) }

// seal cuts a file, closes it and gives it its name. It removes an empty file.
func seal(f *os.File, path string, size int64) error {
	// Nothing is lost, and a reader of the folder would report an empty file as damaged.
	if size == 0 {
		return errors.Join(f.Close(), os.Remove(path+openSuffix))
	}
	// The file is synced before it gets its name: after a crash of the machine a file without .open is complete.
	err := f.Truncate(size)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	// After a failure the file keeps .open, and the next Open mends it.
	return os.Rename(path+openSuffix, path)
}

// mendAll completes the files that a killed process was writing.
func mendAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("harvest: %w", err)
	}
	for _, e := range entries {
		// A writer that could not seal a file may have begun the next, so there may be several.
		if path, ok := strings.CutSuffix(filepath.Join(dir, e.Name()), openSuffix); ok {
			if err := mend(path); err != nil {
				return fmt.Errorf("harvest: mending %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}

// mend cuts a file after its last complete record. It removes a file with only the warcinfo record.
func mend(path string) error {
	// The file is read and then cut in place, so complete records are not copied.
	f, err := os.OpenFile(path+openSuffix, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	// This keeps a response even if the kill lost its request record: each record is valid by itself.
	records, size, err := measure(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	// The first record of each file is its warcinfo.
	if records < 2 {
		size = 0
	}
	return seal(f, path, size)
}

// measure counts the complete, valid gzip members from the beginning, and their bytes.
func measure(f io.Reader) (records int, size int64, err error) {
	// The buffer is 1 MiB because the whole file, a gigabyte by default, is read once.
	in := &counted{in: bufio.NewReaderSize(f, 1<<20)}
	z := &gzip.Reader{}
	for {
		// Any torn member ends the loop: the bytes after it cannot be trusted, and only the last one can be torn.
		if z.Reset(in) != nil {
			break
		}
		// Without multistream the end of each member is seen; otherwise gzip reads all of them as one stream.
		z.Multistream(false)
		// Decompressing to the end checks the CRC and the length.
		if _, err := io.Copy(io.Discard, z); err != nil {
			break
		}
		records, size = records+1, in.n
	}
	// An error of the disk differs from a record that ends too early.
	if in.err != nil && in.err != io.EOF {
		return 0, 0, in.err
	}
	return records, size, nil
}

// counted counts the bytes read. It also reads single bytes, so that gzip reads no further than its member.
type counted struct {
	in  *bufio.Reader
	n   int64
	err error
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.n += int64(n)
	c.err = err
	return n, err
}

func (c *counted) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.n++
	}
	c.err = err
	return b, err
}
