package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// Reader reads an index in CDXJ or CDX, line by line as it comes: plain, gzip (also the clusters of ZipNum) or zstd.
// It is not safe for concurrent use.
type Reader struct {
	in     io.Reader
	o      Options
	lines  *lines.Reader
	legend *layout   // of the columns; nil before a legend was seen
	plain  []*layout // of lines without a legend
	names  []byte    // letters of an array's columns; nil before its row of names
}

// NewReader returns a reader of r.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{in: r, o: o.withDefaults()}
}

// Next returns the next line. At the end it returns io.EOF. An error that wraps ErrFormat is about one
// line, whose position the *lines.Error in it has; Next can be called again. Every other error is final.
//
// Empty lines, comments (#) and the header lines of CDXJ (!, @) are passed over. A CDX file's columns are those of its
// legend; without one, their number tells, as in pywb. Of a line that has file and offset, other values that cannot be
// read are unknown. Lines may be JSON as index servers give it: an object a line, or an array of arrays.
func (r *Reader) Next() (Line, error) {
	// Made here and not in NewReader, which has no error to return and should not read.
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
			// Place adds the line's number and offset.
			return Line{}, fmt.Errorf("cdx: %w", r.lines.Place(err))
		}
		if ok {
			return l, nil
		}
	}
}

// Span returns where the line stands that Next returned or reported last: the offsets of its first byte and of what
// follows it, in the decompressed stream.
func (r *Reader) Span() (start, end int64) { return r.lines.Span() }

// All returns the lines that Next returns, and its errors except for io.EOF. It ends after a final error.
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

// byteOrderMark is what some editors and shells of Windows put before a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parse returns the line that raw holds; ok is false when it holds none.
func (r *Reader) parse(raw []byte) (l Line, ok bool, err error) {
	// Of any line: files that were joined have more than one.
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	// Comments and headers of CDXJ; keys never begin with these.
	if len(bytes.TrimSpace(raw)) == 0 || strings.IndexByte("#!@", raw[0]) >= 0 {
		return Line{}, false, nil
	}
	if lg := parseLegend(raw); lg != nil {
		// Files that were joined have a legend for each part, and each counts from there on.
		r.legend = lg
		return Line{}, false, nil
	}
	// Told line by line: all kinds may be in one file.
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

// isBracket reports whether a line only begins or ends an array of JSON.
func isBracket(raw []byte) bool {
	s := string(bytes.TrimSpace(raw))
	return s == "[" || s == "]" || s == "[]"
}
