package cdx

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// layout is what the columns of a CDX file are, by the letters of its legend.
type layout struct {
	delimiter byte
	letters   string
	odd       []*regexp.Regexp // see fit; made when the first line needs them
}

// IsLegend reports whether a line tells what the columns of a file are. A reader that begins in the middle of a file
// needs it first.
func IsLegend(line []byte) bool {
	line = bytes.TrimPrefix(line, byteOrderMark)
	return len(line) > 0 && (parseLegend(line) != nil || rowNames(cells(line)) != nil)
}

// parseLegend reads the line " CDX N b a …", whose first byte is the delimiter of the columns. Alexa's files have it
// without that byte, and spaces then.
func parseLegend(raw []byte) *layout {
	delimiter := byte(' ')
	if !bytes.HasPrefix(raw, []byte("CDX ")) {
		delimiter, raw = raw[0], raw[1:]
	}
	// Blanks at the end would make columns without a name.
	names := bytes.Split(bytes.TrimRight(raw, " "), []byte{delimiter})
	if string(names[0]) != "CDX" || len(names) < 2 {
		return nil
	}
	letters := bytes.Join(names[1:], nil)
	// Letters of the legend are single; anything else is a line of data that begins so by chance.
	if len(letters) != len(names)-1 || slices.ContainsFunc(names, func(n []byte) bool { return len(n) == 0 }) {
		return nil
	}
	return &layout{delimiter: delimiter, letters: string(letters)}
}

// The columns of files without a legend, the longest first. Those of 12 to 14 end in where the original of a revisit
// is. All but the shortest have offset and file at the same place, counted from the right.
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

// values reads a line of columns. Blanks in them make a line longer than its legend; such lines are read from both
// ends, by what the values of columns look like.
func (r *Reader) values(raw []byte) (Line, error) {
	if r.legend != nil {
		return r.legend.line(raw)
	}
	if r.plain == nil {
		// Copied: patterns are made at the first need, and readers may run at the same time.
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
		// The number of columns alone does not tell: a blank in a URL makes eleven of ten.
		// The shortest layout has neither offset nor file to judge by.
		if f := exact.split(raw); exact.letters == "NbamskS" || f.plausible() {
			return f.line()
		}
	}
	ways := []int{fits, fitsFile, fitsPlace}
	switch {
	case exact != nil && exact.split(raw).isPlaced():
		// The number is right, and one of them is odd, unless another layout fits as it is.
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
	fits      = iota // only key, URL and type have blanks
	fitsFile         // the file's name may have some as well
	fitsPlace        // columns in the middle are odd; those that have blanks are then unknown
)

// maxOddColumns bounds the legends for which patterns are made. Real ones have at most some twenty letters.
const maxOddColumns = 40

// fit returns the values of a line of n columns, which are more than there are letters, by the first way that fits; nil
// if none does.
func (lg *layout) fit(raw []byte, n int, ways ...int) *fields {
	// Without the column of offsets nothing marks the end of those before it.
	if n < len(lg.letters) || len(lg.letters) > maxOddColumns || !strings.Contains(lg.letters, "V") {
		return nil
	}
	if lg.odd == nil {
		// In the order of the ways, which are the indices.
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
			// Where one of them ends and the next one begins is not known.
			f.URL, f.MIME = "", ""
		}
		// A line without a file names no record, whatever else fits.
		if f.Filename.known() {
			return f
		}
	}
	return nil
}

// pattern is the expression for lines whose values have blanks. Its time is linear in the line (RE2).
func (lg *layout) pattern(way int) *regexp.Regexp {
	word := fmt.Sprintf(`[^\x{%x}]+`, lg.delimiter)
	// Times have 4 digits (a year) to 17 (milliseconds). Types may have parameters, with blanks before them.
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
	// Each letter is a group of its own, and the only one: set is called by their order.
	between := fmt.Sprintf(`)\x{%x}(`, lg.delimiter)
	return regexp.MustCompile(`(?s)^(` + strings.Join(parts, between) + `)$`)
}

var statusSyntax = regexp.MustCompile(`^(-|\d{3})$`)

// plausible reports whether values look like those of their columns.
func (f *fields) plausible() bool {
	_, err := f.Timestamp.time()
	return err == nil && f.isPlaced() && statusSyntax.MatchString(string(f.Status))
}

// isPlaced reports whether the values tell where a record is.
func (f *fields) isPlaced() bool {
	_, err := f.Offset.number("offset", 64, -1)
	return err == nil && f.Offset.known() && f.Filename.known()
}

// set keeps the value of the column with a letter.
func (f *fields) set(letter byte, value []byte) {
	if to := f.column(letter); to != nil {
		*to = text(value)
	}
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
