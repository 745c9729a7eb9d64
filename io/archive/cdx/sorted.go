package cdx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// SortedWriter writes an index whose lines come in any order. Lines are sorted bytewise, as "LC_ALL=C sort" sorts
// them; equal lines are all kept. The same lines give the same bytes, whatever their order was. The output is one gzip
// member, or plain. It is not safe for concurrent use.
type SortedWriter struct {
	w      io.Writer
	plain  bool
	sorter *extsort.Sorter
	line   []byte
}

// NewSortedWriter returns a writer to w. Either Close or Abort has to be called, or temporary files may be left.
func NewSortedWriter(w io.Writer, o Options) *SortedWriter {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &SortedWriter{w: w, plain: o.Plain, sorter: sorter}
}

// Add adds a line. After an error the writer is of no more use.
func (s *SortedWriter) Add(l Line) error {
	// The buffer is used again; the sorter copies what it is given.
	s.line = l.AppendTo(s.line[:0])
	return s.AddText(bytes.TrimSuffix(s.line, []byte("\n")))
}

// AddText adds a finished line without its line end, because sort compares lines so: "a" is before "a\x01". The line is
// copied and not looked at. After an error the writer is of no more use.
func (s *SortedWriter) AddText(line []byte) error {
	if err := s.sorter.Add(line, nil); err != nil {
		return fmt.Errorf("cdx: %w", err)
	}
	return nil
}

// Close writes the lines and removes the temporary file. It does not close the underlying writer. After Abort it does
// nothing and reports that.
func (s *SortedWriter) Close() error {
	var err error
	if s.plain {
		err = s.writeTo(s.w)
	} else {
		// No name and no time in the member's head, so that the same lines give the same bytes.
		zw := gzip.NewWriter(s.w)
		zw.ModTime = time.Unix(0, 0) // "not known" of RFC 1952, which the zero time is not for this package
		err = s.writeTo(zw)
		if err == nil {
			err = zw.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("cdx: %w", err)
	}
	return nil
}

func (s *SortedWriter) writeTo(w io.Writer) error {
	// The merge yields line by line, and each write would go through the compressor otherwise.
	out := bufio.NewWriterSize(w, 64<<10)
	err := s.sorter.Merge(func(line, _ []byte) error {
		if _, err := out.Write(line); err != nil {
			return err
		}
		return out.WriteByte('\n')
	})
	// Flushed also after an error, whose own is then joined; the output is of no use anyway.
	return errors.Join(err, out.Flush())
}

// Abort drops the lines and removes the temporary file. After Close it does nothing, so that it can be deferred.
func (s *SortedWriter) Abort() error {
	if err := s.sorter.Close(); err != nil {
		return fmt.Errorf("cdx: %w", err)
	}
	return nil
}
