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

// openSuffix is behind the name of a file that is being written.
const openSuffix = ".open"

// sink makes the files of a folder for the writer.
type sink struct {
	dir string
	out *file // that is being written
}

// Create begins a file.
func (s *sink) Create(name string) (dump.Output, error) {
	path := filepath.Join(s.dir, name)
	// Exclusive: a name that is taken means a second writer or a stamp that is used twice, and nothing
	// is written over.
	f, err := os.OpenFile(path+openSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	s.out = &file{File: f, path: path}
	return s.out, nil
}

// file is one that is being written.
type file struct {
	*os.File
	path  string
	size  int64
	valid int64 // bytes of whole exchanges; 0 before the first
}

func (f *file) Write(b []byte) (int, error) {
	// Counted as written even on an error: seal cuts at what is valid, and must know no less than
	// there is.
	n, err := f.File.Write(b)
	f.size += int64(n)
	return n, err
}

// whole notes that all that was written so far may stay.
func (f *file) whole() { f.valid = f.size }

// Close gives the file its name: it is whole, and on disk.
func (f *file) Close() error { return seal(f.File, f.path, f.size) }

// Abort keeps the exchanges that were written whole. An error of it shows when the folder is opened again, which does
// the same.
func (f *file) Abort() { _ = seal(f.File, f.path, f.valid) }

// seal cuts a file, closes it and gives it its name; with nothing in it, it is removed.
func seal(f *os.File, path string, size int64) error {
	// Nothing is lost, and a reader of the folder would take a file of no bytes for a damaged one.
	if size == 0 {
		return errors.Join(f.Close(), os.Remove(path+openSuffix))
	}
	// On disk before it gets its name: after a crash of the machine a file without .open is whole.
	err := f.Truncate(size)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	// Not when anything before has failed: then it keeps .open, and the next Open mends it.
	return os.Rename(path+openSuffix, path)
}

// mendAll ends the files that a process which was killed was writing.
func mendAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("harvest: %w", err)
	}
	for _, e := range entries {
		// More than one is possible: a writer that could not seal a file may have begun the next.
		if path, ok := strings.CutSuffix(filepath.Join(dir, e.Name()), openSuffix); ok {
			if err := mend(path); err != nil {
				return fmt.Errorf("harvest: mending %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}

// mend cuts a file after its last record that is whole. One that has no more than the record about itself is removed.
func mend(path string) error {
	// It is read, and then cut in place: whole records are not copied.
	f, err := os.OpenFile(path+openSuffix, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	// This keeps a response whose request record was lost with the kill: each record is sound by
	// itself.
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

// measure counts the gzip members that are whole and sound, from the beginning, and their bytes.
func measure(f io.Reader) (records int, size int64, err error) {
	// One MiB: the whole of a file, a gigabyte by default, is read once.
	in := &counted{in: bufio.NewReaderSize(f, 1<<20)}
	z := &gzip.Reader{}
	for {
		// A member is torn however it is: what follows it could not be trusted either, and only the last can be.
		if z.Reset(in) != nil {
			break
		}
		// One member at a time, so that the end of each is seen: else gzip would read them as one
		// stream.
		z.Multistream(false)
		// Decompressed to its end, which checks the CRC and the length that are there.
		if _, err := io.Copy(io.Discard, z); err != nil {
			break
		}
		records, size = records+1, in.n
	}
	// An error of the disk is another thing than a record that ends too early.
	if in.err != nil && in.err != io.EOF {
		return 0, 0, in.err
	}
	return records, size, nil
}

// counted counts the bytes that are read. It gives single bytes, so that a member's reader takes no more than its own.
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
