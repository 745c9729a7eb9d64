package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// As factors of the usual distance of lines in the region, and of the size of the letters before.
const (
	// paragraphGap is how much further than usual the next line is where a paragraph ends.
	paragraphGap = 1.35
	// headingSize is how much the size of letters changes where a paragraph ends.
	headingSize = 1.15
)

// writer writes lines. One writer serves a page; regions and columns write to it one after the other.
type writer struct {
	text   *strings.Builder
	limit  int
	line   []byte // the last line, held back until it is known whether its hyphen stays
	breaks int    // line ends that are due before the next line
	begun  bool   // the page has text
}

// apart reports whether a space is between two runs that are neighbours on a line. A space that was shown needs less of
// a gap to count. A run that reaches far back over the one before it is something else, on top of it.
func apart(a, b *run) bool {
	gap, em := b.u0-a.u1, min(a.size, b.size)
	return !b.joined && (gap >= wordGap*em || a.spaced && gap >= drawnSpace*em || gap < -overlap*max(a.size, b.size))
}

// lines writes fragments row by row, from the top to the bottom, cells of a row divided by tabs. Paragraphs end where
// the distance is wider than usual, or the letters change their size.
func (w *writer) lines(fragments []fragment) {
	slices.SortStableFunc(fragments, func(a, b fragment) int { return cmp.Compare(a.v, b.v) })
	// The usual distance is that of the region: its median, so that gaps between paragraphs do not
	// count.
	usual := pitch(fragments)
	for i := 0; i < len(fragments); {
		n := i + 1
		for n < len(fragments) && fragments[n].level(&fragments[i]) {
			n++
		}
		// All fragments of a row, from the left to the right; row is a part of fragments, which are
		// sorted in place.
		row := fragments[i:n]
		slices.SortStableFunc(row, func(a, b fragment) int { return cmp.Compare(a.u0, b.u0) })
		if i > 0 {
			last := &fragments[i-1]
			ratio := row[0].size / last.size
			if row[0].v-last.v > paragraphGap*usual || ratio > headingSize || ratio < 1/headingSize {
				w.paragraph()
			}
		}
		w.row(row)
		i = n
	}
}

// pitch returns the usual distance of lines. 0 where there is only one line: then any distance ends a paragraph, but
// there is none.
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

// row writes fragments that are beside each other. In rows from the right to the left the first cell is the
// rightmost.
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
		// A single line may be beyond the limit: the rest of it is not made.
		if line = row[i].append(line, rtl); len(line) > w.limit {
			break
		}
	}
	w.writeLine(line)
}

// writeLine writes a line after the one that was held back. Where that ends in a hyphen, and the new one begins with a
// small letter, they are joined. So line ends inside of a paragraph stay line ends, and words that were divided
// become whole.
func (w *writer) writeLine(line []byte) {
	if len(line) == 0 {
		return
	}
	if w.begun {
		if stem, ok := hyphenated(w.line); ok && startsLower(line) {
			w.text.Write(stem)
		} else {
			w.text.Write(w.line)
			// One line end or two, by how many are due.
			w.text.WriteString("\n\n"[:max(1, w.breaks)])
		}
	}
	w.line, w.breaks, w.begun = line, 0, true
}

// paragraph ends a paragraph.
func (w *writer) paragraph() { w.breaks = 2 }

// endPage writes what was held back. The last line keeps its hyphen: the next page is not looked at.
func (w *writer) endPage() {
	if w.begun {
		w.text.Write(w.line)
		w.text.WriteByte('\n')
	}
}

// hyphenated returns line without the hyphen at its end, where that follows a letter. U+2010 is the hyphen proper,
// U+00AD the soft one that fonts show at ends of lines.
func hyphenated(line []byte) ([]byte, bool) {
	r, n := utf8.DecodeLastRune(line)
	if r != '-' && r != '\u2010' && r != '\u00ad' {
		return line, false
	}
	stem := line[:len(line)-n]
	// "-" after a digit or another sign is a minus or a dash.
	before, _ := utf8.DecodeLastRune(stem)
	return stem, unicode.IsLetter(before)
}

func startsLower(line []byte) bool {
	r, _ := utf8.DecodeRune(line)
	return unicode.IsLower(r)
}

// append adds the text of the fragment to line. Only text with letters from the right to the left is reordered: most
// lines are not looked at twice.
func (f *fragment) append(line []byte, rtl bool) []byte {
	glyphs := f.texts()
	if slices.ContainsFunc(glyphs, isRTL) {
		reorder(glyphs, rtl)
	}
	start := len(line)
	for _, text := range glyphs {
		line = append(line, expand(text)...)
	}
	// In line's own memory: what is trimmed is never longer.
	return append(line[:start], strings.TrimSpace(string(line[start:]))...)
}

// texts returns the texts of the glyphs, from the left to the right, with spaces between words.
func (f *fragment) texts() []string {
	var texts []string
	for i := range f.runs {
		r := &f.runs[i]
		if i > 0 && apart(&f.runs[i-1], r) {
			texts = append(texts, " ")
		}
		for _, g := range r.glyphs {
			texts = append(texts, g.text)
		}
	}
	return texts
}

// expand returns a glyph's text in letters: ligatures and the forms that Arabic letters take are presentation forms,
// which text does not have. Control characters become spaces. Form feeds would be taken for ends of pages. U+FB00 to
// U+FDFF and U+FE70 to U+FEFC are the presentation forms; compatibility forms elsewhere, such as superscripts, keep
// their meaning and stay.
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
		case r == '\u00a0' || unicode.IsControl(r):
			out.WriteByte(' ')
		case r == '\ufeff' || r == utf8.RuneError:
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
