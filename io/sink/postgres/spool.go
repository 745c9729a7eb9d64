package postgres

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// spool has the rows of a unit in a temporary file, which disappears with the process where the system allows it. It
// can be read as often as a transaction has to be repeated.
type spool struct {
	file *os.File
	name string // to be removed at the end; "" if it was removed
	w    *bufio.Writer
	size int64
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "gleaner-postgres-*.tmp")
	if err != nil {
		return nil, err
	}
	s := &spool{file: f, name: f.Name(), w: bufio.NewWriterSize(f, 256<<10)}
	// A file without a name disappears with the process in any case.
	if os.Remove(s.name) == nil { // fails where an open file cannot be removed: then close does it
		s.name = ""
	}
	return s, nil
}

// add writes a row, after the reject for the case of a refusal. Both have their length in front.
func (s *spool) add(m *sink.Message) error {
	// The reject is made now, while the document is known; only its reason is missing.
	reject, err := json.Marshal(m.Reject)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{reject, m.Value} {
		var head [4]byte
		binary.BigEndian.PutUint32(head[:], uint32(len(part)))
		if _, err := s.w.Write(head[:]); err != nil {
			return err
		}
		if _, err := s.w.Write(part); err != nil {
			return err
		}
		// Counted here, because the buffer may not have reached the file.
		s.size += int64(len(head) + len(part))
	}
	return nil
}

// row is a written row.
type row struct{ reject, value []byte }

// rejected returns the reject of a row that the server refused.
func (r row) rejected(message string) (x schemas.Reject, err error) {
	err = json.Unmarshal(r.reject, &x)
	x.Kind, x.Message = schemas.KindRefused, message
	return x, err
}

// The limits of a batch in rows and in bytes, the latter plus one row: the part of a unit that is in memory.
const (
	batchRows  = 2000
	batchBytes = 4 << 20
)

// batches reads the rows from the beginning. It may be called again after an error.
func (s *spool) batches(do func([]row) error) error {
	if err := s.w.Flush(); err != nil {
		return &finalError{err}
	}
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.size), 256<<10)
	for {
		var batch []row
		for size := 0; len(batch) < batchRows && size < batchBytes; {
			// io.EOF between two rows is the end; within one it would be io.ErrUnexpectedEOF.
			reject, err := part(r)
			if errors.Is(err, io.EOF) {
				break
			}
			// Read even after an error of the first part, whose error is joined.
			value, err2 := part(r)
			if err := errors.Join(err, err2); err != nil {
				return &finalError{err}
			}
			size += len(value)
			batch = append(batch, row{reject, value})
		}
		if len(batch) == 0 {
			return nil
		}
		if err := do(batch); err != nil {
			return err
		}
	}
}

func part(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.BigEndian.Uint32(head[:])) // which we have written
	_, err := io.ReadFull(r, b)
	return b, err
}

func (s *spool) close() {
	_ = s.file.Close() // its rows are in the table, or were dropped
	if s.name != "" {
		_ = os.Remove(s.name) // likewise
	}
}
