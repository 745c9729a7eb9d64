package mapped_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gleaner-web/gleaner/io/stream/mapped"
)

// open makes a file of the content and maps it.
func open(t *testing.T, content []byte) (f *mapped.File, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := mapped.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system maps no files")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, path
}

func TestFile(t *testing.T) {
	for _, size := range []int{0, 1, 4096, 100_000} {
		content := bytes.Repeat([]byte("tide "), size/5+1)[:size]
		f, _ := open(t, content)
		if !bytes.Equal(f.Bytes(), content) || f.Size() != int64(size) {
			t.Errorf("%d bytes: %d", size, f.Size())
		}
		if err := iotest.TestReader(io.NewSectionReader(f, 0, f.Size()), content); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		f.Forget(0, f.Size())
		f.Forget(-5, 1<<40)
		if !bytes.Equal(f.Bytes(), content) {
			t.Errorf("%d bytes: others once they were forgotten", size)
		}
		if n, err := f.ReadAt(make([]byte, 3), f.Size()+1); n != 0 || err != io.EOF {
			t.Errorf("behind the end: %d, %v", n, err)
		}
		if _, err := f.ReadAt(nil, -1); err == nil {
			t.Error("before the beginning: no error")
		}
	}
}

func TestOpen_errors(t *testing.T) {
	if _, err := mapped.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
	if _, err := mapped.Open(t.TempDir()); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("of a folder: %v", err)
	}
}

// TestFile_cut: a file that becomes shorter is an error, not the end of the program.
func TestFile_cut(t *testing.T) {
	f, path := open(t, bytes.Repeat([]byte("tide\n"), 10_000))
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if n, err := f.ReadAt(make([]byte, 100), 40_000); n != 0 || !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), path) {
		t.Errorf("%d, %v", n, err)
	}
	if err := mapped.Guard(func() { _ = bytes.Count(f.Bytes(), []byte("\n")) }); !errors.Is(err, mapped.ErrFault) {
		t.Errorf("counting: %v", err)
	}
	if n, err := f.ReadAt(make([]byte, 100), 100); n != 100 || err != nil {
		t.Errorf("before the cut: %d, %v", n, err)
	}
}

// TestGuard_others: other panics are not its business.
func TestGuard_others(t *testing.T) {
	for _, look := range []func(){
		func() { panic("odd") },
		func() { var p *int; *p = 1 },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			_ = mapped.Guard(look)
		}()
	}
}
