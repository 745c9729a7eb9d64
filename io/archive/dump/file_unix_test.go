//go:build unix

package dump

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// writeNew writes "new" to the file of a name.
func writeNew(t *testing.T, name string) {
	t.Helper()
	out, err := CreateFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(out, "new"); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func typeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Type()
}

// TestCreateFile_device: a rename would put a file in the place of a device, as of the pipe and the link below.
func TestCreateFile_device(t *testing.T) {
	name := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(name, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		t.Skip(err)
	}
	writeNew(t, name)
	if got := typeOf(t, name); got&fs.ModeDevice == 0 {
		t.Errorf("the device is %v now", got)
	}
}

func TestCreateFile_pipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		read <- string(b)
	}()
	writeNew(t, name)
	if got := <-read; got != "new" || typeOf(t, name) != fs.ModeNamedPipe {
		t.Errorf("read %q of %v", got, typeOf(t, name))
	}
}

func TestCreateFile_link(t *testing.T) {
	for _, name := range []string{"link to a file", "link to a link", "link to nothing", "link that is absolute"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			link, file := filepath.Join(dir, "link"), filepath.Join(dir, "sub", "file")
			to := filepath.Join("sub", "file")
			if name == "link that is absolute" {
				to = file
			}
			err := os.Mkdir(filepath.Dir(file), 0o755)
			if err == nil && name != "link to nothing" {
				err = os.WriteFile(file, []byte("older text"), 0o600)
			}
			if err == nil && name == "link to a link" {
				err = os.Symlink(to, filepath.Join(dir, "second"))
				to = "second"
			}
			if err == nil {
				err = os.Symlink(to, link)
			}
			if err != nil {
				t.Fatal(err)
			}
			writeNew(t, link)
			b, err := os.ReadFile(file)
			if err != nil || string(b) != "new" || typeOf(t, link) != fs.ModeSymlink {
				t.Errorf("the file is %q, %v, the link %v", b, err, typeOf(t, link))
			}
		})
	}
}

func TestCreateFile_descriptor(t *testing.T) {
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "log"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := io.WriteString(f, "old "); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "stdout") // as /dev/stdout is
	if err := os.Symlink(filepath.Join("/proc/self/fd", strconv.Itoa(int(f.Fd()))), name); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	writeNew(t, name)
	if b, err := os.ReadFile(f.Name()); err != nil || string(b) != "old new" {
		t.Errorf("the file is %q, %v", b, err)
	}
}

func TestCreateFile_circle(t *testing.T) {
	name := filepath.Join(t.TempDir(), "circle")
	if err := os.Symlink("circle", name); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateFile(name); err == nil {
		t.Error("a circle of links has no file")
	}
}

// TestCreateFile_whole: a file has its name after Close, and nothing stays after Abort.
func TestCreateFile_whole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "new", "file")
	out, err := CreateFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("the file is there before it is whole")
	}
	out.Abort()
	names, err := filepath.Glob(filepath.Join(dir, "new", "*"))
	if hidden, more := filepath.Glob(filepath.Join(dir, "new", ".*")); err != nil || more != nil ||
		len(slices.Concat(names, hidden)) > 0 {
		t.Errorf("left are %q %q, %v, %v", names, hidden, err, more)
	}
}
