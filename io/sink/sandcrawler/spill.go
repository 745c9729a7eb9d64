package sandcrawler

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// maxMemory is how much of the rows of a unit and a table is in memory, bytes.
const maxMemory = 1 << 20

// spill is rows, in memory while they are few, and then in a temporary file.
type spill struct {
	memory bytes.Buffer
	file   *os.File // has the rows before those in memory
	inFile int64
	rows   int64
}

// Write appends.
func (s *spill) Write(b []byte) (int, error) {
	// A row that is larger than the bound alone goes into the empty buffer: rows are never divided.
	if s.memory.Len()+len(b) > maxMemory && s.memory.Len() > 0 {
		if err := s.move(); err != nil {
			return 0, err
		}
	}
	return s.memory.Write(b)
}

// move moves what is in memory to the file.
func (s *spill) move() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "gleaner-sandcrawler-*.tmp")
		if err != nil {
			return err
		}
		// Gone with the process, however that ends; where open files cannot be removed, close does it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	n, err := s.memory.WriteTo(s.file)
	s.inFile += n
	return err
}

// reader reads all rows, from the first on; as often as it is called.
func (s *spill) reader() io.Reader {
	rest := bytes.NewReader(s.memory.Bytes())
	if s.file == nil {
		return rest
	}
	// By offsets, not by the file's position: an attempt that failed halfway leaves no trace.
	return io.MultiReader(io.NewSectionReader(s.file, 0, s.inFile), rest)
}

func (s *spill) close() error {
	s.memory = bytes.Buffer{}
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	// Gone already where move could remove it.
	if removed := os.Remove(s.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	s.file = nil
	return err
}
