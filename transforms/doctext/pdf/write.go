package pdf

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	webpage "github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/visual"
)

// These are factors of the usual line distance in the region, and of the size of the letters before.
const (
	// paragraphGap is the factor of the line distance at the end of a paragraph.
	paragraphGap = 1.35
	// headingPitch is the distance of lines within a heading, which has larger letters than the rest of its region.
	headingPitch = 1.4
	// headingSize is the change in letter size that ends a paragraph.
	headingSize = 1.15
)

// writer writes lines. One writer serves a page; regions and columns write to it one after the other.
type writer struct {
	text   *strings.Builder
	limit  int
	line   []byte // the last line, held until it is known whether its hyphen stays
	breaks int    // line ends that are due before the next line
	begun  bool   // the page has text
	turned bool   // a column has ended: its last paragraph may go on in the next
	strips []strip
	marks  *structure
	rules  *rules
	begins int  // offset of the last line
	cells  bool // the last line is a row of a table
	from   int  // offset of the first line after it was set to -1
	// elements are of a tagged file; structure is of the page, or nil.
	elements  []element
	structure *pageTags
}

// apart reports whether there is a space between two neighbouring runs on a line. A shown space needs a smaller gap to
// count. A run that reaches far back over the one before it is a separate word on top of it.
func apart(a, b *run) bool {
	gap, em := b.u0-a.u1, min(a.size, b.size)
	return !b.joined && (gap >= wordGap*em || a.spaced && gap >= drawnSpace*em || gap < -overlap*max(a.size, b.size))
}

// lines writes fragments row by row, from the top to the bottom, and divides the cells of a row by tabs. A paragraph
// ends where the distance is wider than usual or the letters change in size.
func (w *writer) lines(fragments []fragment) {
	fragments = texts(fragments)
	slices.SortStableFunc(fragments, func(a, b fragment) int { return cmp.Compare(a.v, b.v) })
	// The usual distance is the median of the region, so that gaps between paragraphs do not count.
	usual := pitch(fragments)
	for i := 0; i < len(fragments); {
		n := i + 1
		for n < len(fragments) && fragments[n].level(&fragments[i]) {
			n++
		}
		// These are all fragments of a row, from left to right. Variable row is a part of fragments and sorted in
		// place.
		row := fragments[i:n]
		slices.SortStableFunc(row, func(a, b fragment) int { return cmp.Compare(a.u0, b.u0) })
		if i > 0 {
			last := &fragments[i-1]
			ratio := row[0].size / last.size
			far := row[0].v-last.v > max(paragraphGap*usual, headingPitch*last.size)
			if far || ratio > headingSize || ratio < 1/headingSize {
				w.paragraph()
			}
		}
		w.row(row)
		i = n
	}
}

// pitch returns the usual distance of lines. It returns 0 if there is only one line, since there is no distance then.
func pitch(fragments []fragment) float64 {
	var distances []float64
	for i := 1; i < len(fragments); i++ {
		if !fragments[i].level(&fragments[i-1]) {
			distances = append(distances, fragments[i].v-fragments[i-1].v)
		}
	}
	if len(distances) == 0 {
		return 0
	}
	slices.Sort(distances)
	return distances[len(distances)/2]
}

// row writes fragments that are beside each other. In right-to-left rows the first cell is the rightmost.
func (w *writer) row(row []fragment) {
	if w.text.Len() >= w.limit {
		return
	}
	rtl := mostlyRTL(row)
	if rtl {
		slices.Reverse(row)
	}
	var line []byte
	for i := range row {
		if i > 0 {
			line = append(line, '\t')
		}
		// A single line may exceed the limit; its rest is left out.
		if line = row[i].append(line, rtl); len(line) > w.limit {
			break
		}
	}
	w.writeLine(line, lookOf(row))
}

// writeLine writes a line after the one held back. If that ends in a hyphen and the new one begins with a small
// letter, they are joined. So other line ends stay, and divided words become whole.
func (w *writer) writeLine(line []byte, l look) {
	if len(line) == 0 {
		return
	}
	gap := !w.begun
	if w.begun {
		if stem, ok := hyphenated(w.line); ok && startsLower(line) && !w.cells {
			w.text.Write(stem)
		} else {
			if w.turned && goesOn(w.line, line) {
				w.breaks = 1
			}
			w.text.Write(w.line)
			// One line end or two, by how many are due.
			w.text.WriteString("\n\n"[:max(1, w.breaks)])
			gap = w.breaks > 1
		}
	}
	w.begins = w.text.Len()
	if w.from < 0 {
		w.from = w.begins
	}
	w.marks.add(w.begins, w.begins+len(line), l, gap)
	w.line, w.breaks, w.begun, w.turned, w.cells = line, 0, true, false, false
}

// paragraph ends a paragraph.
func (w *writer) paragraph() { w.breaks, w.turned = 2, false }

// endColumn ends a column. It ends a paragraph too, unless that goes on in the next column.
func (w *writer) endColumn() { w.breaks, w.turned = 2, true }

// goesOn reports whether a sentence goes on from the last line of a column to the first of the next.
func goesOn(last, next []byte) bool {
	r, _ := utf8.DecodeLastRune(last)
	return startsLower(next) && (unicode.IsLetter(r) || r == ',')
}

// endPage writes the line held back. It keeps its hyphen, since the next page is not known.
func (w *writer) endPage() {
	if w.begun {
		w.text.Write(w.line)
		w.text.WriteByte('\n')
	}
}

// hyphenated returns line without a hyphen at its end, if it comes after a letter. U+2010 is the hyphen proper, U+00AD
// the soft one that fonts show at line ends.
func hyphenated(line []byte) ([]byte, bool) {
	r, n := utf8.DecodeLastRune(line)
	if r != '-' && r != '\u2010' && r != '\u00ad' {
		return line, false
	}
	stem := line[:len(line)-n]
	// After a digit or another sign "-" is a minus or a dash.
	before, _ := utf8.DecodeLastRune(stem)
	return stem, unicode.IsLetter(before)
}

func startsLower(line []byte) bool {
	r, _ := utf8.DecodeRune(line)
	return unicode.IsLower(r)
}

// append adds the text of the fragment to line. It reorders only text with right-to-left letters.
func (f *fragment) append(line []byte, rtl bool) []byte {
	start := len(line)
	if f.hasRTL() {
		glyphs := f.texts()
		visual.Reorder(glyphs, rtl)
		for _, text := range glyphs {
			line = append(line, expand(text)...)
		}
	} else {
		f.visit(func(text string) { line = append(line, expand(text)...) })
	}
	// The result uses the memory of line: trimmed text is never longer.
	return append(line[:start], bytes.TrimSpace(line[start:])...)
}

// hasRTL reports whether a glyph is a right-to-left letter. Marks between runs do not count.
func (f *fragment) hasRTL() bool {
	for i := range f.runs {
		for j := range f.runs[i].glyphs {
			if isRTL(f.runs[i].glyphs[j].text) {
				return true
			}
		}
	}
	return false
}

// texts returns the texts of the glyphs, from left to right, with spaces between words.
func (f *fragment) texts() (texts []string) {
	f.visit(func(text string) { texts = append(texts, text) })
	return texts
}

// visit calls add with each of the texts.
func (f *fragment) visit(add func(text string)) {
	for i := range f.runs {
		r := &f.runs[i]
		if i > 0 && apart(&f.runs[i-1], r) {
			add(" ")
		} else if i > 0 {
			if mark := raised(f.runs[i-1], *r, f.runs[i+1:]); mark != 0 {
				add(string(mark))
			}
		}
		for j := range r.glyphs {
			add(r.glyphs[j].text)
		}
	}
}

// Superscript and subscript are smaller than the text before them, and above or below it, as factors of its size.
const (
	scriptSize = 0.85
	scriptRise = 0.15
)

// raised returns the mark that keeps superscript or subscript b apart from the number at the end of a, or 0. The runs
// after b may begin with the bar of a fraction.
func raised(a, b run, after []run) rune {
	rise := a.v - b.v
	if b.size > scriptSize*a.size || math.Abs(rise) < scriptRise*a.size {
		return 0
	}
	mark := webpage.RaisedMark(a.text(), b.text(), rise < 0)
	if mark != 0 && len(after) > 0 && (after[0].glyphs[0].text == "/" || after[0].glyphs[0].text == "⁄") {
		return ' '
	}
	return mark
}

// text returns the text of the run's glyphs.
func (r *run) text() string {
	var b strings.Builder
	for _, g := range r.glyphs {
		b.WriteString(g.text)
	}
	return b.String()
}

// expand returns a glyph's text in plain letters. It replaces radicals and presentation forms: ligatures and the forms
// of Arabic letters (U+FB00 to U+FDFF and U+FE70 to U+FEFC). Control characters become spaces, since a form feed would
// look like the end of a page. Other compatibility forms, such as superscripts, have a meaning and stay.
func expand(text string) string {
	plain := true
	for i := range len(text) {
		if b := text[i]; b >= utf8.RuneSelf || b < ' ' {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r < 0xfeff:
			out.WriteString(norm.NFKC.String(string(r)))
		case r >= 0x2e80 && r <= 0x2fd5:
			out.WriteString(unified(r))
		case r == '\u00a0' || unicode.IsControl(r):
			out.WriteByte(' ')
		case r == '\ufeff' || r == utf8.RuneError:
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
