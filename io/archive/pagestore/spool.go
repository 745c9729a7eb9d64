package pagestore

import (
	"errors"
	"io"
	"os"
)

// spool keeps bodies in a temporary file until all feeds are known.
type spool struct {
	file  *os.File // nil before the first
	named bool     // it could not be removed while it is open
	end   int64
}

// add appends a body, and returns where it stands.
func (s *spool) add(body []byte) (at int64, err error) {
	// Made at the first body, so that a run without any needs no file.
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "gleaner-pagestore-*"); err != nil {
			return 0, err
		}
		// A file without a name is gone when the process is, however it ends.
		s.named = os.Remove(s.file.Name()) != nil
	}
	// By place, so that what a failed write left is written over.
	if _, err := s.file.WriteAt(body, s.end); err != nil {
		return 0, err
	}
	at = s.end
	s.end += int64(len(body))
	return at, nil
}

// read returns a body, in buf if that is large enough.
func (s *spool) read(buf []byte, at int64, size int) ([]byte, error) {
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	buf = buf[:size]
	// The last body ends with the file, where ReadAt may return EOF with all of its bytes.
	if _, err := s.file.ReadAt(buf, at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return buf, nil
}

// remove removes the file.
func (s *spool) remove() error {
	if s.file == nil {
		return nil
	}
	// Closed first, since Windows does not remove a file that is open.
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}
