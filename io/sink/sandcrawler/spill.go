package sandcrawler

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// maxMemory limits the rows in memory for a unit and a table, in bytes.
const maxMemory = 1 << 20

// spill holds rows, in memory while they are few, and then in a temporary file.
type spill struct {
	memory bytes.Buffer
	file   *os.File // has the rows before those in memory
	inFile int64
	rows   int64
}

// Write appends a row.
func (s *spill) Write(b []byte) (int, error) {
	// A row larger than the limit goes into the empty buffer: rows are never split.
	if s.memory.Len()+len(b) > maxMemory && s.memory.Len() > 0 {
		if err := s.move(); err != nil {
			return 0, err
		}
	}
	return s.memory.Write(b)
}

// move moves the rows in memory to the file.
func (s *spill) move() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "gleaner-sandcrawler-*.tmp")
		if err != nil {
			return err
		}
		// The file disappears with the process; where open files cannot be removed, close does it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	n, err := s.memory.WriteTo(s.file)
	s.inFile += n
	return err
}

// reader returns a reader of all rows from the first on. It may be called repeatedly.
func (s *spill) reader() io.Reader {
	rest := bytes.NewReader(s.memory.Bytes())
	if s.file == nil {
		return rest
	}
	// By offsets, not by the file's position, so that a failed attempt leaves no trace.
	return io.MultiReader(io.NewSectionReader(s.file, 0, s.inFile), rest)
}

func (s *spill) close() error {
	s.memory = bytes.Buffer{}
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	// Gone already if move could remove it.
	if removed := os.Remove(s.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	s.file = nil
	return err
}
