package pdf

import (
	"strings"
	"unicode"
)

// row is a line of the text with the size of its letters.
type row struct{ start, end, size int }

const (
	// maxRows bounds the lines of the first pages that are kept for their title.
	maxRows = 200
	// maxShown bounds a title, in bytes; shortRow is shorter than lines that may be one: initials and drop caps.
	maxShown, shortRow = 300, 4
	// nearly is the part of the largest size that further lines of a title may have.
	nearly = 0.9
)

// shown returns the title on the first page with text, or "". It is the first heading of the highest level in the
// structure, or else the text in the largest letters, if these are larger than the usual ones of the document.
func (s *structure) shown(text string) string {
	start := len(text) - len(strings.TrimLeft(text, "\f\n\t "))
	end := len(text)
	if i := strings.IndexByte(text[start:], '\f'); i >= 0 {
		end = start + i
	}
	for _, b := range s.taggedHeadings(text) {
		if b.Level == 1 && b.Start >= start && b.End <= end {
			return titleOf(text[b.Start:b.End])
		}
	}
	size, first, last := larger*float64(s.usual().size), -1, 0
	for i, r := range s.rows {
		switch {
		case r.start < start || r.end > end || r.end-r.start < shortRow:
		case float64(r.size) >= size && (first < 0 || r.size > s.rows[first].size):
			first, last, size = i, i, float64(r.size)
		case i == last+1 && first >= 0 && float64(r.size) >= nearly*size:
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	return titleOf(text[s.rows[first].start:s.rows[last].end])
}

// titleOf returns the lines of a title as one, without marks of notes; "" if they cannot be a title.
func titleOf(lines string) string {
	title := strings.TrimRight(strings.Join(strings.Fields(noteMarks.Replace(lines)), " "), "*§¶ ")
	if len(title) > maxShown || !isTitle(title) || !hasWord(title) {
		return ""
	}
	return title
}

var noteMarks = strings.NewReplacer("∗", "", "⋆", "", "†", "", "‡", "")

// hasWord reports whether two letters follow each other. Broken fonts have signs between spaces.
func hasWord(s string) bool {
	before := false
	for _, r := range s {
		is := unicode.IsLetter(r)
		if is && (before || unicode.In(r, unicode.Han, unicode.Hangul)) {
			return true
		}
		before = is
	}
	return false
}
