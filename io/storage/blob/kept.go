package blob

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Whole is the body of an answer that is the whole file from its first byte on, where a part was asked for: servers
// need not know of ranges (RFC 9110, section 14.2).
type Whole struct{ io.ReadCloser }

// GivesParts reports whether o is read in parts, as far as is known: a server tells by its first answer that it only
// gives whole files. Each object then has a copy of its own.
func GivesParts(o Object) bool {
	r, remote := o.(*remoteObject)
	if !remote {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept == nil
}

// kept is the received part of a file from a server that does not support ranges. It lies in the folder for temporary
// files, so that going back, as readers do after damage, is not asking for all of it again.
type kept struct {
	file  *os.File
	named bool  // it could not be removed while it is open
	have  int64 // bytes, from the file's first one on
}

// newKept returns k, or a new one for nil. Where the system can do without, its file has no name, so that nothing is
// left of it however the process ends.
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

// errKeep says what failed here. It is not wrapped, since nothing is wrong with the file that is read, and the server
// need not be asked again.
func errKeep(err error) error {
	return fmt.Errorf("the server gives no parts of files, so it is kept in %s (TMPDIR names another folder): %v: %w",
		os.TempDir(), err, errHere)
}

// errHere is a failure of this machine, which no server can mend.
var errHere = errors.New("blob: failed on this machine")

// bytes is how many there are; nil has none.
func (k *kept) bytes() int64 {
	if k == nil {
		return 0
	}
	return k.have
}

// close gives the room back; nil has none.
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

// fetch has the first bytes of the file kept, up to to. A stream that broke begins at the first byte again.
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
		// The bytes kept before the stream broke are sent again.
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
