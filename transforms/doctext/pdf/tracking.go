package pdf

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Letters of titles may be set apart (tracking, letter spacing) by an eighth to a third of an em. That is more than
// the spaces of narrow fonts. The other gaps of the line help to distinguish them from words of one letter.
const (
	// widestTracking is the gap in ems from which on letters are words of their own.
	widestTracking = 0.4
	// evenTracking is the maximum ratio of a gap within a word to the usual one; kerning makes them differ.
	evenTracking = 1.5
	// narrowSpace is the narrowest gap that counts as a space if none was shown.
	narrowSpace = 0.2
	// innerTracking is the gap within a run from which on its letters are set apart too: kerned pairs.
	innerTracking = 0.05
	// fewTracked is the smallest number of letters that show tracking. Limit fewClose applies if the gaps are too
	// narrow for spaces.
	fewTracked = 4
	fewClose   = 3
	// fewListed is the smallest number of ascending letters that are a list of letters.
	fewListed = 8
)

// alphabets are the scripts with tracked words. Letters of cursive scripts join, and charts of large scripts have rows
// of characters.
var alphabets = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Hebrew, unicode.Nd,
}

// unspaced are scripts without spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao}

// joinTracked joins the letters of tracked words, in the runs of a fragment.
func joinTracked(runs []run) {
	for start := 0; start < len(runs); {
		end := start
		for end < len(runs) && runs[end].tracked() {
			end++
		}
		if end-start >= fewClose {
			joinStretch(runs, start, end)
		}
		start = end + 1
	}
}

// tracked reports whether the run is a single letter, or several that do not touch each other.
func (r *run) tracked() bool {
	for i, g := range r.glyphs {
		first, _ := utf8.DecodeRuneInString(g.text)
		if i == 0 && !unicode.In(first, alphabets...) {
			return false
		}
		if i > 0 && !r.apartAt(i) {
			return unicode.IsPunct(first) && i == len(r.glyphs)-1
		}
	}
	return true
}

// apartAt reports whether the glyph i of the run begins well after the end of the one before.
func (r *run) apartAt(i int) bool {
	a, b := &r.glyphs[i-1], &r.glyphs[i]
	gap := (b.x-a.x-a.dx)*b.dx + (b.y-a.y-a.dy)*b.dy
	return gap >= innerTracking*r.size*max(b.dx, b.dy, -b.dx, -b.dy)
}

// joinStretch joins the words in runs[start:end], all of which are possibly tracked letters.
func joinStretch(runs []run, start, end int) {
	gaps := gapsIn(runs[start:end])
	usual := slices.Sorted(slices.Values(gaps))[(len(gaps)-1)/4]
	widest := min(evenTracking*usual, widestTracking)
	if usual < wordGap*0.5 || !isTracking(runs, start, end, widest) || isListed(runs[start:end]) {
		return
	}
	for i, gap := range gaps {
		runs[start+1+i].joined = gap < widest
	}
}

// isListed reports whether runs are the letters of an alphabet or a row of numbers: nearly all letters and digits are
// in ascending order. Charts of fonts have them, while a word of so many letters is never in this order.
func isListed(runs []run) bool {
	last, letters, ascending := rune(0), 0, 0
	for i := range runs {
		for _, g := range runs[i].glyphs {
			r, _ := utf8.DecodeRuneInString(norm.NFD.String(g.text)) // without the accent
			if r = unicode.ToLower(r); letters > 0 && r >= last {
				ascending++
			}
			last = r
			letters++
		}
	}
	return letters >= fewListed && ascending*10 >= (letters-1)*9
}

// gapsIn returns the gaps between runs, in ems.
func gapsIn(runs []run) []float64 {
	gaps := make([]float64, 0, len(runs)-1)
	for i := 1; i < len(runs); i++ {
		gaps = append(gaps, (runs[i].u0-runs[i-1].u1)/min(runs[i-1].size, runs[i].size))
	}
	return gaps
}

// isTracking reports whether gaps below widest are those of letters. They may also be spaces between words of one
// letter, as in a list of letters. If a space was shown in every gap, wider gaps between words are needed as evidence.
func isTracking(runs []run, start, end int, widest float64) bool {
	within, spaced, wider := 0, 0, 0
	for i, gap := range gapsIn(runs[start:end]) {
		switch {
		case gap >= widest:
			wider++
		case runs[start+i].spaced:
			spaced++
		default:
			within++
		}
	}
	switch {
	case within+spaced+wider+1 < fewClose || within+spaced < 2:
		return false
	// These are letters with spaces between, and wider spaces between words.
	case spaced > within/4:
		return wider > 0 && within+spaced >= fewTracked && within+spaced > 2*wider
	case widest/evenTracking < narrowSpace:
		return true
	}
	return within+1 >= fewTracked && !elsewhere(runs, start, end, widest)
}

// elsewhere reports whether other words of the line have gaps as narrow, without a shown space. It checks only a part
// of the line, so that the work stays linear.
func elsewhere(runs []run, start, end int, widest float64) bool {
	const near = 64
	from := max(0, start-near)
	for i, gap := range gapsIn(runs[from:min(len(runs), end+near)]) {
		i += from
		if (i+1 < start || i >= end) && !runs[i].spaced && gap >= wordGap && gap < widest {
			return true
		}
	}
	return false
}
