package archive

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// File is an archive file on disk that is open for reading.
type File struct {
	*Reader
	Format Format

	f *os.File
}

// ErrFolder is the error of OpenFile for a folder.
var ErrFolder = errors.New("is a folder: package work reads the archives in folders")

// OpenFile opens the archive file at path, in any format that Detect knows, to read the whole file. Close it after use.
// For a file of another kind the error is ErrUnsupported, for a folder ErrFolder.
func OpenFile(path string, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, format, err := readFile(f, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &File{Reader: r, Format: format, f: f}, nil
}

// readFile returns a reader of a whole file.
func readFile(f *os.File, o Options) (*Reader, Format, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, Format{}, err
	}
	if info.IsDir() {
		return nil, Format{}, ErrFolder
	}
	format, err := Detect(f.Name(), f, info.Size())
	if err != nil {
		return nil, format, err
	}
	r, err := NewReader(f, Input{Name: f.Name(), Size: info.Size(), ReadFile: neighbor, Exists: exists}, format, o)
	return r, format, err
}

// neighbor reads a file in the archive's folder. Of a longer one it reads enough to show that it is too long.
func neighbor(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, dump.MaxNeighbor+1))
	return b, errors.Join(err, f.Close())
}

// exists reports whether there is a file at path.
func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Close frees the reader's memory and closes the file.
func (f *File) Close() error {
	f.Reader.Close()
	return f.f.Close()
}
