package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// Reader reads an index in CDXJ or CDX line by line: plain, gzip (including ZipNum clusters) or zstd. It is not safe
// for concurrent use.
type Reader struct {
	in     io.Reader
	o      Options
	lines  *lines.Reader
	legend *layout   // of the columns; nil before a legend was read
	plain  []*layout // of lines without a legend
	names  []byte    // letters of an array's columns; nil before its row of names
}

// NewReader returns a reader of r.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{in: r, o: o.withDefaults()}
}

// Next returns the next line, or io.EOF at the end. An error that wraps ErrFormat concerns one line, whose position is
// in its *lines.Error, and Next can be called again. Every other error is final.
//
// Next skips empty lines, comments (#) and header lines of CDXJ (!, @), unless they have the form of CDXJ. A CDX file's
// columns are those of its legend, or follow from their number, as in pywb. If a line has file and offset, other
// invalid values are unknown. Lines may be JSON as index servers write it: an object a line, or an array of arrays.
func (r *Reader) Next() (Line, error) {
	// Not in NewReader, which must neither read nor fail.
	if r.lines == nil {
		in, err := lines.NewReader(r.in, r.o.MaxLineBytes)
		if err != nil {
			return Line{}, fmt.Errorf("cdx: %w", err)
		}
		r.lines = in
	}
	for {
		raw, err := r.lines.Next()
		if errors.Is(err, io.EOF) {
			return Line{}, io.EOF
		}
		if errors.Is(err, lines.ErrTooLong) {
			err = fmt.Errorf("%w: %w", ErrFormat, err)
		}
		if err != nil {
			return Line{}, fmt.Errorf("cdx: %w", err)
		}
		l, ok, err := r.parse(raw)
		if err != nil {
			return Line{}, fmt.Errorf("cdx: %w", r.lines.Place(err))
		}
		if ok {
			return l, nil
		}
	}
}

// Span returns the position of the last line that Next returned or reported. These are offsets in the decompressed
// stream, of its first byte and of the next line.
func (r *Reader) Span() (start, end int64) { return r.lines.Span() }

// All yields the lines and errors of Next, except io.EOF. It ends after a final error.
func (r *Reader) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for {
			l, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(l, err) {
				return
			}
			if err != nil && !errors.Is(err, ErrFormat) {
				return
			}
		}
	}
}

// byteOrderMark precedes a text of some Windows programs.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parse parses a line; ok is false if it holds no capture.
func (r *Reader) parse(raw []byte) (l Line, ok bool, err error) {
	// On any line, because concatenated files have more than one.
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	// First, because the key may begin like a comment or like JSON: its host may be any text.
	if IsLine(raw) {
		l, err = Parse(raw)
		return l, true, err
	}
	if len(bytes.TrimSpace(raw)) == 0 || isComment(raw) {
		return Line{}, false, nil
	}
	if lg := parseLegend(raw); lg != nil {
		// Files that were joined have a legend for each part, and each counts from there on.
		r.legend = lg
		return Line{}, false, nil
	}
	// For each line, because a file may mix all kinds.
	switch {
	case raw[0] == '{':
		l, err = parseObject(raw)
		return l, true, err
	case raw[0] == '[':
		if row := cells(raw); row != nil {
			if names := rowNames(row); names != nil {
				r.names = names
				return Line{}, false, nil
			}
			l, err = r.row(row)
			return l, true, err
		}
	}
	if isBracket(raw) {
		return Line{}, false, nil
	}
	if _, _, object := cutCDXJ(raw); object != nil {
		l, err = Parse(raw)
		return l, true, err
	}
	l, err = r.columns(raw)
	return l, true, err
}

// isBracket reports whether a line only begins or ends a JSON array.
func isBracket(raw []byte) bool {
	s := string(bytes.TrimSpace(raw))
	return s == "[" || s == "]" || s == "[]"
}
