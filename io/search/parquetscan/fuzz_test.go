package parquetscan

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// FuzzFile: reading any file ends with rows or with an error of a known kind, and yields no row twice.
func FuzzFile(f *testing.F) {
	for _, n := range []int{0, 1, 5} {
		file, _ := written(f, made(n), parquetfile.Options{RowGroupRows: 3})
		f.Add(file)
	}
	f.Add(groupsFirst)
	f.Add([]byte("PAR1\x15\x00\x00\x08\x00\x00\x00PAR1"))
	where, err := query.Parse(
		`(language = fr OR entities.text:Place) AND timestamp > 2020 AND NOT url = x AND quality.words < 900`,
	)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) { exhaust(t, b, where, nil) })
}

// exhaust reads all that a file gives.
func exhaust(t *testing.T, b []byte, where ...query.Expr) {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)), Options{})
	if err != nil {
		known(t, err)
		return
	}
	if _, err := f.Outline(); err != nil {
		known(t, err)
	}
	for _, e := range where {
		last, n := int64(-1), 0
		for r, err := range f.Rows(context.Background(), e, nil) {
			if err != nil {
				known(t, err)
				break
			}
			if r.Number <= last || r.Number >= f.NumRows() {
				t.Fatalf("row %d behind row %d of %d", r.Number, last, f.NumRows())
			}
			if last, n = r.Number, n+1; n > 10_000 {
				break // rows of nulls cost nothing, and there may be millions
			}
		}
	}
}

func known(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrUnsupported) {
		t.Fatalf("error of no known kind: %v", err)
	}
}

// TestFile_damaged turns bytes of a file, one at a time, and cuts it there: nothing panics.
func TestFile_damaged(t *testing.T) {
	file, _ := written(t, made(6), parquetfile.Options{})
	where := parse(t, `(language = fr OR entities.text:Place) AND timestamp > 2020`)
	const step = 13 // all of them take 20 s
	for i := 0; i < len(file); i += step {
		damaged := bytes.Clone(file)
		damaged[i] ^= byte(i*7 + 1)
		exhaust(t, damaged, where)
		if i%3 == 0 {
			exhaust(t, file[:i], where)
		}
	}
}

// groupsFirst is a file of which the footer has a row group without columns, then a schema with one.
var groupsFirst = []byte("PAR1\x49\x1c\x19\x0c\x26\x02\x00\x09\x04\x2c\x55\x02\x00\x15\x0c\x25\x02\x18\x03url\x00\x16\x02\x00" +
	"\x1a\x00\x00\x00PAR1")

func TestOpen_groupsBeforeTheSchema(t *testing.T) {
	if _, err := Open(bytes.NewReader(groupsFirst), int64(len(groupsFirst)), Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("%v, want ErrFormat", err)
	}
}
