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

// SortedWriter writes an index whose lines come in any order. It sorts lines bytewise, like "LC_ALL=C sort", and keeps
// equal lines. The output depends on the set of lines only; it is one gzip member, or plain. It is not safe for
// concurrent use.
type SortedWriter struct {
	w      io.Writer
	plain  bool
	sorter *extsort.Sorter
	line   []byte
}

// NewSortedWriter returns a writer to w. The caller must call Close or Abort, or temporary files remain.
func NewSortedWriter(w io.Writer, o Options) *SortedWriter {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &SortedWriter{w: w, plain: o.Plain, sorter: sorter}
}

// Add adds a line. After an error the writer is unusable.
func (s *SortedWriter) Add(l Line) error {
	s.line = l.AppendTo(s.line[:0])
	return s.AddText(bytes.TrimSuffix(s.line, []byte("\n")))
}

// AddText adds a line without its line end, because sort compares lines so: "a" is before "a\x01". The writer copies
// the line without checking it. After an error the writer is unusable.
func (s *SortedWriter) AddText(line []byte) error {
	if err := s.sorter.Add(line, nil); err != nil {
		return fmt.Errorf("cdx: %w", err)
	}
	return nil
}

// Close writes the lines and removes temporary files. It does not close the underlying writer. After Abort it returns
// an error and writes nothing.
func (s *SortedWriter) Close() error {
	var err error
	if s.plain {
		err = s.writeTo(s.w)
	} else {
		// No name and no time in the gzip header, so that the same lines give the same bytes.
		zw := gzip.NewWriter(s.w)
		zw.ModTime = time.Unix(0, 0) // time 0 of RFC 1952 means unknown; package gzip would refuse the zero Time
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
	// The merge yields single lines, too small for the compressor.
	out := bufio.NewWriterSize(w, 64<<10)
	err := s.sorter.Merge(func(line, _ []byte) error {
		if _, err := out.Write(line); err != nil {
			return err
		}
		return out.WriteByte('\n')
	})
	// Flushed even after an error; the output is useless then.
	return errors.Join(err, out.Flush())
}

// Abort drops the lines and removes temporary files. After Close it does nothing, so that it can be deferred.
func (s *SortedWriter) Abort() error {
	if err := s.sorter.Close(); err != nil {
		return fmt.Errorf("cdx: %w", err)
	}
	return nil
}
