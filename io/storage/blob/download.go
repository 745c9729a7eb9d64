package blob

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Whole is the body of an answer with the whole file to a request for a part: servers may ignore ranges (RFC 9110,
// section 14.2).
type Whole struct{ io.ReadCloser }

// GivesParts reports whether o is read in parts, as far as is known. The first answer of a server shows whether it
// gives only whole files. In that case each object has its own copy.
func GivesParts(o Object) bool {
	r, remote := o.(*remoteObject)
	if !remote {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept == nil
}

// kept is the received part of a file from a server without ranges. It is in the folder for temporary files. So readers
// that go back after damage do not request all of it again.
type kept struct {
	file  *os.File
	named bool  // it could not be removed while it is open
	have  int64 // bytes from the beginning of the file
}

// newKept returns k, or a new one for nil. Where the system allows, its file has no name and disappears with the
// process.
func newKept(k *kept) (*kept, error) {
	if k != nil {
		return k, nil
	}
	f, err := os.CreateTemp("", "gleaner-download-*")
	if err != nil {
		return nil, errKeep(err)
	}
	return &kept{file: f, named: os.Remove(f.Name()) != nil}, nil
}

// errKeep describes a local failure. The cause is not wrapped, because the file being read is fine and the server need
// not be asked again.
func errKeep(err error) error {
	return fmt.Errorf("the server gives no parts of files, so it is kept in %s (TMPDIR names another folder): %v: %w",
		os.TempDir(), err, errHere)
}

// errHere is a failure of this machine, which no server can fix.
var errHere = errors.New("blob: failed on this machine")

// bytes returns the number of bytes; 0 for nil.
func (k *kept) bytes() int64 {
	if k == nil {
		return 0
	}
	return k.have
}

// close frees the space. It accepts nil.
func (k *kept) close() error {
	if k == nil {
		return nil
	}
	err := k.file.Close()
	if k.named {
		err = errors.Join(err, os.Remove(k.file.Name()))
	}
	return err
}

// readKept reads at off from the received bytes, after waiting until they suffice for p.
func (o *remoteObject) readKept(p []byte, off int64) (int, error) {
	if err := o.fetch(off + int64(len(p))); err != nil {
		return 0, err
	}
	n, err := o.kept.file.ReadAt(p, off)
	if err != nil {
		return n, errKeep(err)
	}
	return n, nil
}

// fetch receives the file up to to. A stream that broke begins at the first byte again.
func (o *remoteObject) fetch(to int64) error {
	if o.kept.have >= to {
		return nil
	}
	if o.stream == nil {
		if err := o.seek(o.kept.have, o.info.Size); err != nil {
			return err
		}
	}
	buf := make([]byte, 64<<10)
	for o.kept.have < to {
		n, err := o.stream.read(buf[:min(int64(len(buf)), o.stream.left)])
		// The server sends the bytes again that were kept before the stream broke.
		if known := o.kept.have - o.pos; int64(n) > known {
			if _, err := o.kept.file.WriteAt(buf[known:n], o.kept.have); err != nil {
				return errKeep(err)
			}
			o.kept.have = o.pos + int64(n)
		}
		if o.pos += int64(n); err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF // the window of a server that gives parts now
		}
	}
	return nil
}
