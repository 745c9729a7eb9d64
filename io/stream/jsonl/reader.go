package jsonl

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// Options bound a reader; the zero value takes the defaults.
type Options struct {
	MaxLineBytes int // of a line that is returned; 64 MiB
}

// Reader reads JSON lines. It is not safe for concurrent use.
type Reader struct {
	lines *lines.Reader
}

// NewReader returns a reader of r, plain, gzip or zstd as its first bytes say, with the default limits.
func NewReader(r io.Reader) (*Reader, error) { return NewReaderOptions(r, Options{}) }

// NewReaderOptions is NewReader with limits.
func NewReaderOptions(r io.Reader, o Options) (*Reader, error) {
	in, err := lines.NewReader(r, cmp.Or(o.MaxLineBytes, MaxLineBytes))
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	return &Reader{in}, nil
}

// Next returns the next line that is not empty, without its line end; the bytes are valid until the next call. It does
// not look whether they are JSON. At the end it returns io.EOF. A line over the limit is an error that wraps a
// *lines.Error and lines.ErrTooLong, after which reading goes on; every other error is final.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.lines.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("jsonl: %w", err)
	}
	return line, err
}

// Span returns where the line stands that Next returned or reported last: the offsets of its first byte and of what
// follows its line end, in the decompressed stream.
func (r *Reader) Span() (start, end int64) { return r.lines.Span() }

// All returns the lines that Next returns, and its errors except for io.EOF. It ends after a final error.
func (r *Reader) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			line, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(line, err) {
				return
			}
			if err != nil && !errors.Is(err, lines.ErrTooLong) {
				return
			}
		}
	}
}
