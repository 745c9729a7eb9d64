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
	legend *legend // of the columns; nil before a legend was seen
}

// NewReader returns a reader of r.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{in: r, o: o.withDefaults()}
}

// Next returns the next line. At the end it returns io.EOF. An error that wraps ErrFormat is about one
// line, whose position the *lines.Error in it has; Next can be called again. Every other error is final.
//
// Empty lines, comments (#) and the header lines of CDXJ (!, @) are passed over. A CDX file's columns are those of its
// legend; without one, their number tells, as in pywb.
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

// All returns the lines that Next returns, and its errors but for io.EOF. It ends after a final error.
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

// parse returns the line that raw holds; ok is false when it holds none.
func (r *Reader) parse(raw []byte) (l Line, ok bool, err error) {
	if lg := parseLegend(raw); lg != nil {
		// Files that were joined have a legend for each part, and each counts from there on.
		r.legend = lg
		return Line{}, false, nil
	}
	// Comments and headers of CDXJ; keys never begin with these.
	if strings.IndexByte("#!@", raw[0]) >= 0 || len(bytes.TrimSpace(raw)) == 0 {
		return Line{}, false, nil
	}
	// Told line by line: both kinds may be in one file.
	if isCDXJ(raw) {
		l, err = Parse(raw)
		return l, true, err
	}
	l, err = r.columns(raw)
	return l, true, err
}

// isCDXJ tells whether the third field of raw begins an object.
func isCDXJ(raw []byte) bool {
	_, rest, _ := bytes.Cut(raw, []byte(" "))
	_, object, ok := bytes.Cut(rest, []byte(" "))
	return ok && bytes.HasPrefix(bytes.TrimLeft(object, " "), []byte("{"))
}

// legend says what the columns of a CDX file are, by its letters.
type legend struct {
	delimiter byte
	letters   []byte
}

// IsLegend tells whether a line says what the columns of a CDX file are. A reader that begins in the middle of a file
// needs it first.
func IsLegend(line []byte) bool { return len(line) > 0 && parseLegend(line) != nil }

// parseLegend reads the line " CDX N b a …", whose first byte is the delimiter of the columns. Alexa's files have it
// without that byte, and spaces then.
func parseLegend(raw []byte) *legend {
	delimiter := byte(' ')
	if !bytes.HasPrefix(raw, []byte("CDX ")) {
		delimiter, raw = raw[0], raw[1:]
	}
	// Blanks at the end would make columns without a name.
	names := bytes.Split(bytes.TrimRight(raw, " "), []byte{delimiter})
	if string(names[0]) != "CDX" || len(names) < 2 {
		return nil
	}
	lg := &legend{delimiter: delimiter}
	for _, name := range names[1:] {
		// Letters of the legend are single; anything else is a line of data that begins so by chance.
		if len(name) != 1 {
			return nil
		}
		lg.letters = append(lg.letters, name[0])
	}
	return lg
}

// byCount are the columns of files without a legend. Those of 12 to 14 end in where the original of a revisit is.
var byCount = map[int]string{
	7: "NbamskS", 9: "NbamskrVg", 10: "NbamskrMVg", 11: "NbamskrMSVg", 12: "NbamskrVg---", 13: "NbamskrMVg---",
	14: "NbamskrMSVg---",
}

// columns reads a line of a CDX file.
// Missing columns would shift all others, so their number has to be right.
func (r *Reader) columns(raw []byte) (Line, error) {
	delimiter, letters := byte(' '), ""
	if r.legend != nil {
		delimiter, letters = r.legend.delimiter, string(r.legend.letters)
	}
	values := bytes.Split(raw, []byte{delimiter})
	if letters == "" {
		// An unknown number gives "", which no line has as many columns as.
		letters = byCount[len(values)]
	}
	if len(values) != len(letters) {
		return Line{}, fmt.Errorf("%w: %d columns", ErrFormat, len(values))
	}
	var f fields
	for i, v := range values {
		if to := f.column(letters[i]); to != nil {
			*to = text(v)
		}
	}
	// Only where there is no column N, which is the better key.
	if f.SURT == "" {
		f.SURT = f.canonical
	}
	return f.line()
}

// column is where the value of the column with a letter goes; nil for columns that Line does not have.
func (f *fields) column(letter byte) *text {
	switch letter {
	case 'N':
		return &f.SURT
	case 'A':
		return &f.canonical
	case 'b':
		return &f.Timestamp
	case 'a':
		return &f.URL
	case 'm':
		return &f.MIME
	case 's':
		return &f.Status
	case 'k':
		return &f.Digest
	case 'S':
		return &f.Length
	case 'V':
		return &f.Offset
	case 'g':
		return &f.Filename
	}
	return nil
}
