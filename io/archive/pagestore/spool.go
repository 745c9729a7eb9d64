package pagestore

import (
	"errors"
	"io"
	"os"
)

// spool keeps bodies in a temporary file until all feeds are known.
type spool struct {
	file  *os.File // nil before the first
	named bool     // it could not be removed while open
	end   int64
}

// add appends a body and returns its offset.
func (s *spool) add(body []byte) (at int64, err error) {
	// Made with the first body.
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "gleaner-pagestore-*"); err != nil {
			return 0, err
		}
		// A removed file disappears with the process, however it ends.
		s.named = os.Remove(s.file.Name()) != nil
	}
	// WriteAt overwrites what a failed write left.
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
	// ReadAt may return io.EOF with the last body.
	if _, err := s.file.ReadAt(buf, at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return buf, nil
}

func (s *spool) remove() error {
	if s.file == nil {
		return nil
	}
	// Closed first, because Windows does not remove open files.
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}
