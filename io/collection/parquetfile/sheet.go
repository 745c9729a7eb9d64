package parquetfile

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// sheet gathers rows by columns, and writes them to a file.
type sheet struct {
	*form
	out    *parquet.GenericWriter[any]
	batch  *batch
	values [][]parquet.Value // by column; they share memory with the rows
	last   []int             // by column: first value of the last row
}

func newSheet(f *form, out *parquet.GenericWriter[any]) *sheet {
	return &sheet{f, out, newBatch(len(f.runs)), make([][]parquet.Value, f.width), make([]int, f.width)}
}

// add adds a row.
func (s *sheet) add(row reflect.Value) error {
	for c, values := range s.values {
		s.last[c] = len(values)
	}
	s.cells.write(s.values, row, levels{})
	isNull := func(i int) bool {
		c := s.runs[i]
		return s.values[c][s.last[c]].IsNull()
	}
	if s.batch.takes(isNull) {
		return nil
	}
	err := s.write(s.last)
	clear(s.last)
	s.batch.takes(isNull)
	return err
}

// flush writes all rows.
func (s *sheet) flush() error {
	for c, values := range s.values {
		s.last[c] = len(values)
	}
	return s.write(s.last)
}

// write writes the first to[c] values of each column c, and keeps the others.
func (s *sheet) write(to []int) error {
	s.batch.end()
	for c, w := range s.out.ColumnWriters() {
		if _, err := w.WriteRowValues(s.values[c][:to[c]]); err != nil {
			return err
		}
		left := copy(s.values[c], s.values[c][to[c]:])
		clear(s.values[c][left:])
		s.values[c] = s.values[c][:left]
	}
	return nil
}
