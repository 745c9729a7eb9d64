package dump

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateFile begins a file of any name that a user gives. A file appears when it is whole, and replaces the one of its
// name. A symbolic link stays, and the file that it leads to is replaced. A pipe or a device is written to.
func CreateFile(name string) (Output, error) {
	target, stream, err := Target(name)
	if err != nil {
		return nil, err
	}
	if stream {
		// Appending, since an open descriptor may be of a file that others have begun.
		f, err := os.OpenFile(target, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, err
		}
		return streamed{f}, nil
	}
	dir, err := OpenFolder(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	out, err := dir.Create(filepath.Base(target))
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &placed{out.(*output), dir}, nil
}

// streamed is a pipe or a device. Bytes that were written to it cannot be taken back.
type streamed struct{ *os.File }

func (s streamed) Abort() { _ = s.Close() }

// placed is a file and the folder that it appears in.
type placed struct {
	*output
	dir *Folder
}

// Close writes the file to the disk completely and then renames it to its final name.
func (p *placed) Close() error {
	if err := p.Sync(); err != nil {
		p.Abort()
		return fmt.Errorf("codec: %w", err)
	}
	return errors.Join(p.output.Close(), p.dir.Close())
}

func (p *placed) Abort() {
	p.output.Abort()
	_ = p.dir.Close() // nothing was written to it
}

// maxLinks is the number of links that Linux follows.
const maxLinks = 40

// Target returns the path to which name leads through symbolic links. The path need not exist. If stream is true, it is
// a pipe, a device or an open descriptor, which a rename would replace by a file.
func Target(name string) (target string, stream bool, err error) {
	target = name
	for range maxLinks {
		if dir := filepath.Dir(target); dir == "/dev/fd" || dir == "/proc/self/fd" {
			return target, true, nil
		}
		info, err := os.Lstat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return target, false, nil
		case err != nil:
			return "", false, err
		case info.Mode()&fs.ModeSymlink == 0:
			return target, !info.Mode().IsRegular() && !info.IsDir(), nil
		}
		next, err := os.Readlink(target)
		if err != nil {
			return "", false, err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(target), next)
		}
		target = next
	}
	return "", false, fmt.Errorf("%s: %w", name, errLinks)
}

var errLinks = errors.New("too many symbolic links")
