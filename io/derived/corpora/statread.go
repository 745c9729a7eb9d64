package corpora

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// eachStatRow calls do with each row of a shard. The row is reused after the call.
func eachStatRow(f folder.Folder, name string, do func(*statRow) error) (err error) {
	if !strings.HasSuffix(name, ".parquet") {
		return eachLine(f, name, do)
	}
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	rows, err := openStatRows(in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	buf := make([]statRow, 256)
	for {
		n, err := readStatRows(rows, buf)
		for i := range buf[:n] {
			if err := do(&buf[i]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// openStatRows opens the columns of a Parquet file that statistics need.
func openStatRows(in folder.Reader) (rows *parquet.GenericReader[statRow], err error) {
	defer recoverTo(&err)
	file, err := parquet.OpenFile(in, in.Size())
	if err != nil {
		return nil, err
	}
	return parquet.NewGenericReader[statRow](file), nil
}

func readStatRows(rows *parquet.GenericReader[statRow], buf []statRow) (n int, err error) {
	defer recoverTo(&err)
	return rows.Read(buf)
}

// recoverTo turns a panic into an error: the library panics on some broken files.
func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", errRecords, r)
	}
}

// signatures reads the signatures of a corpus one by one.
type signatures struct {
	in folder.Reader
	r  *bufio.Reader
	f  folder.Folder
}

func openSignatures(f folder.Folder) (*signatures, error) {
	in, err := f.Open(SignaturesFile)
	if err != nil {
		return nil, err
	}
	return &signatures{in, bufio.NewReaderSize(in, 1<<18), f}, nil
}

// next returns the next one, or io.EOF after the last.
func (s *signatures) next() (sig signature, err error) {
	_, value, err := nextRecord(s.r)
	if err == nil {
		sig, err = parseSignature(value)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", s.f.Path(SignaturesFile), err)
	}
	return sig, err
}

// Close closes the file.
func (s *signatures) Close() error { return s.in.Close() }
