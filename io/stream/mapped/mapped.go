// Package mapped reads local files without copying them: a file is mapped into memory, and the system brings in what is
// looked at. Readers of uncompressed archives hand out its bytes as they stand there:
//
//	f, err := mapped.Open("crawl.warc")
//	defer f.Close()
//	r, err := warc.NewReader(f, f.Size(), record.Options{})
//
// The price: bytes are valid until the file is closed and as long as nobody makes it shorter. Looking at what was cut
// off, or at what a disk or network fails to deliver, is a fault, which ends a Go program unless it asked for a panic
// instead: see [Guard]. Who reads files that others may write takes an os.File.
package mapped

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
)

// File is a file in memory. It is safe for use by several goroutines, but for Close.
type File struct {
	data []byte
	name string
}

// Open maps the file called name. Where files cannot be mapped, the error is errors.ErrUnsupported.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > math.MaxInt:
		return nil, &fs.PathError{Op: "map", Path: name, Err: errors.ErrUnsupported}
	case info.Size() == 0: // nothing can be mapped
		return &File{name: name}, nil
	}
	data, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: name, Err: err}
	}
	return &File{data, name}, nil
}

// Size is the file's length in bytes, as it was when it was opened.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Bytes are the file. They must not be written to.
func (f *File) Bytes() []byte { return f.data }

// ReadAt copies, as io.ReaderAt does. A fault is an error.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read %s: negative offset", f.name)
	}
	err = Guard(func() { n = copy(p, f.data[min(off, f.Size()):]) })
	switch {
	case err != nil:
		return 0, fmt.Errorf("read %s: %w", f.name, err)
	case n < len(p):
		return n, io.EOF
	}
	return n, nil
}

// Forget lets the system take back the memory of the bytes from and up to the offsets, which stay valid: whoever looks
// at them again has them brought in anew. It only keeps what the process is said to use small.
func (f *File) Forget(from, to int64) { forget(f.data, from, to) }

// Close ends the mapping. None of the bytes may be looked at any more.
func (f *File) Close() error {
	data := f.data
	f.data = nil
	if len(data) == 0 {
		return nil
	}
	return unmap(data)
}

// ErrFault is a look at bytes of a file that are not there any more or could not be brought in.
var ErrFault = errors.New("mapped: the file was made shorter, or failed, while it was read")

// Guard calls look, and returns ErrFault when that looks at mapped bytes that are not there. It cannot guard goroutines
// that look starts.
func Guard(look func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			if fault, ok := p.(interface{ Addr() uintptr }); !ok || fault.Addr() == 0 {
				panic(p)
			}
			err = ErrFault
		}
	}()
	look()
	return nil
}
