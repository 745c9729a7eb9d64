package jsonl

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// Options limit a reader. The zero value takes the defaults.
type Options struct {
	MaxLineBytes int // of a returned line; 64 MiB
}

// Reader reads JSON lines. It is not safe for concurrent use.
type Reader struct {
	lines *lines.Reader
}

// NewReader returns a reader of r with the default limits. Its first bytes say whether r is plain, gzip or zstd.
func NewReader(r io.Reader) (*Reader, error) { return NewReaderOptions(r, Options{}) }

// NewReaderOptions is NewReader with limits.
func NewReaderOptions(r io.Reader, o Options) (*Reader, error) {
	in, err := lines.NewReader(r, cmp.Or(o.MaxLineBytes, MaxLineBytes))
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	return &Reader{in}, nil
}

// Next returns the next line that is not empty, without its line end. The bytes are valid until the next call. It does
// not check whether they are JSON. At the end it returns io.EOF. For a line over the limit the error wraps a
// *lines.Error and lines.ErrTooLong, and reading continues after it. All other errors are final.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.lines.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("jsonl: %w", err)
	}
	return line, err
}

// Span returns the position of the line that Next returned or reported last, in the decompressed stream. end is the
// offset after its line end.
func (r *Reader) Span() (start, end int64) { return r.lines.Span() }

// All yields the results of Next, including errors except io.EOF. It ends after a final error.
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
