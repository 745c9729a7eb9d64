package cdx

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// layout are the columns of a CDX file, as letters of its legend.
type layout struct {
	delimiter byte
	letters   string
	odd       []*regexp.Regexp // see fit; made on first use
}

// IsLegend reports whether a line names the columns of a file. A reader that begins within a file needs it first.
func IsLegend(line []byte) bool {
	line = bytes.TrimPrefix(line, byteOrderMark)
	return len(line) > 0 && (parseLegend(line) != nil || rowNames(cells(line)) != nil)
}

// parseLegend reads the line " CDX N b a …", whose first byte is the columns' delimiter. Alexa's files lack that byte
// and use spaces.
func parseLegend(raw []byte) *layout {
	delimiter := byte(' ')
	if !bytes.HasPrefix(raw, []byte("CDX ")) {
		delimiter, raw = raw[0], raw[1:]
	}
	names := bytes.Split(bytes.TrimRight(raw, " "), []byte{delimiter})
	if string(names[0]) != "CDX" || len(names) < 2 {
		return nil
	}
	letters := bytes.Join(names[1:], nil)
	// Letters of a legend are single; anything else is data that happens to begin with CDX.
	if len(letters) != len(names)-1 || slices.ContainsFunc(names, func(n []byte) bool { return len(n) == 0 }) {
		return nil
	}
	return &layout{delimiter: delimiter, letters: string(letters)}
}

// The columns of files without a legend, the longest first. Those of 12 to 14 end with the location of a revisit's
// original. All but the shortest have offset and file at the same place, counted from the right.
var plainLayouts = []*layout{
	{' ', "NbamskrMSVg---", nil},
	{' ', "NbamskrMVg---", nil},
	{' ', "NbamskrVg---", nil},
	{' ', "NbamskrMSVg", nil},
	{' ', "NbamskrMVg", nil},
	{' ', "NbamskrVg", nil},
	{' ', "NbamskS", nil},
}

// columns reads a line of a CDX file.
func (r *Reader) columns(raw []byte) (Line, error) {
	l, err := r.values(raw)
	l.Columns = err == nil
	return l, err
}

// values reads a line of columns. Spaces in values give a line more columns than its legend; such lines are read from
// both ends, by the form of the values.
func (r *Reader) values(raw []byte) (Line, error) {
	if r.legend != nil {
		return r.legend.line(raw)
	}
	if r.plain == nil {
		// Copied, because patterns are made on first use and readers may run concurrently.
		for _, p := range plainLayouts {
			r.plain = append(r.plain, &layout{p.delimiter, p.letters, nil})
		}
	}
	n := bytes.Count(raw, []byte(" ")) + 1
	var exact *layout
	for _, p := range r.plain {
		if len(p.letters) == n {
			exact = p
		}
	}
	if exact != nil {
		// The number of columns is not enough: a space in a URL makes eleven of ten. The shortest layout has neither
		// offset nor file to check.
		if f := exact.split(raw); exact.letters == "NbamskS" || f.plausible() {
			return f.line()
		}
	}
	ways := []int{fits, fitsFile, fitsPlace}
	switch {
	case exact != nil && exact.split(raw).isPlaced():
		// The number fits but a value is odd, unless another layout fits exactly.
		ways = ways[:1]
	case exact != nil:
		// A number that is not an offset is not made part of a name.
		ways = []int{fits, fitsPlace}
	}
	for _, way := range ways {
		for _, p := range r.plain {
			if f := p.fit(raw, n, way); f != nil {
				return f.line()
			}
		}
	}
	if exact != nil {
		return exact.split(raw).line()
	}
	return Line{}, fmt.Errorf("%w: %d columns", ErrFormat, n)
}

// line reads a line by the layout.
func (lg *layout) line(raw []byte) (Line, error) {
	n := bytes.Count(raw, []byte{lg.delimiter}) + 1
	if n == len(lg.letters) {
		return lg.split(raw).line()
	}
	if f := lg.fit(raw, n, fits, fitsFile, fitsPlace); f != nil {
		return f.line()
	}
	return Line{}, fmt.Errorf("%w: %d columns", ErrFormat, n)
}

// split returns the values of a line with as many columns as there are letters.
func (lg *layout) split(raw []byte) *fields {
	f := &fields{}
	for i, v := range bytes.Split(raw, []byte{lg.delimiter}) {
		f.set(lg.letters[i], v)
	}
	return f
}

// The ways to fit a line that has too many columns, from the strictest to the last resort.
const (
	fits      = iota // only key, URL and type may contain spaces
	fitsFile         // the file's name may contain spaces, too
	fitsPlace        // middle columns may be odd; those with spaces are then unknown
)

// maxOddColumns limits the legends for which patterns are made. Real ones have about twenty letters at most.
const maxOddColumns = 40

// fit returns the values of a line of n columns, more than there are letters, by the first way that fits, or nil.
func (lg *layout) fit(raw []byte, n int, ways ...int) *fields {
	// Only the offset marks the end of the columns before it.
	if n < len(lg.letters) || len(lg.letters) > maxOddColumns || !strings.Contains(lg.letters, "V") {
		return nil
	}
	if lg.odd == nil {
		// In the order of the ways, which are indexes.
		lg.odd = []*regexp.Regexp{lg.pattern(fits), lg.pattern(fitsFile), lg.pattern(fitsPlace)}
	}
	for _, way := range ways {
		values := lg.odd[way].FindSubmatch(raw)
		if values == nil {
			continue
		}
		f := &fields{}
		for i, v := range values[1:] {
			f.set(lg.letters[i], v)
		}
		if way == fitsPlace {
			// The boundary between the two is unknown.
			f.URL, f.MIME = "", ""
		}
		// A line without a file names no record.
		if f.Filename.known() {
			return f
		}
	}
	return nil
}

// pattern returns the expression for lines whose values contain spaces. RE2 takes time linear in the line.
func (lg *layout) pattern(way int) *regexp.Regexp {
	word := fmt.Sprintf(`[^\x{%x}]+`, lg.delimiter)
	// Times have 4 digits (a year) to 17 (milliseconds). Types may have parameters, with spaces before them.
	of := map[byte]string{
		'b': `-|\d{4,17}`, 's': `-|\d{3}`, 'S': `-|-?\d+`, 'V': `\d+`, 'N': `.+?`, 'A': `.+?`, 'a': `.+?`,
		'm': `-|unk|[\w.+-]+/[\w.+*-]+(?:[ ]*;.*?)?`,
	}
	switch way {
	case fitsFile:
		of['g'] = `.+`
	case fitsPlace:
		of['b'], of['s'], of['S'], of['m'] = word, word, word, `.+?`
	}
	parts := make([]string, len(lg.letters))
	for i := range parts {
		parts[i] = word
		if p, is := of[lg.letters[i]]; is {
			parts[i] = p
		}
	}
	// One group for each letter, because set is called in their order.
	between := fmt.Sprintf(`)\x{%x}(`, lg.delimiter)
	return regexp.MustCompile(`(?s)^(` + strings.Join(parts, between) + `)$`)
}

var statusSyntax = pattern.Lazy(`^(-|\d{3})$`)

// plausible reports whether the values have the form of their columns.
func (f *fields) plausible() bool {
	_, err := f.Timestamp.time()
	return err == nil && f.isPlaced() && statusSyntax().MatchString(string(f.Status))
}

// isPlaced reports whether the values locate a record.
func (f *fields) isPlaced() bool {
	_, err := f.Offset.number("offset", 64, -1)
	return err == nil && f.Offset.known() && f.Filename.known()
}

// set stores the value of the column with this letter.
func (f *fields) set(letter byte, value []byte) {
	if to := f.column(letter); to != nil {
		*to = text(value)
	}
}

// column returns the field for the column with this letter, or nil if Line has no such field.
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
