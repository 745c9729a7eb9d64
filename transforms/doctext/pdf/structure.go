package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// Headings are short paragraphs in larger or bolder letters than the text of the document. Which letters these are is
// known at its end, so paragraphs are collected while it is written.

const (
	// maxHeadingLines and maxHeadingBytes bound headings.
	maxHeadingLines, maxHeadingBytes = 3, 200
	// sizeSteps is the number of sizes told apart in a point, maxSizes bounds them in a document.
	sizeSteps, maxSizes = 2, 1024
	// larger is how much larger than the text headings are, if they are not bold.
	larger = 1.12
	// maxHeadings bounds the headings of a document, and maxRepeats those with the same text: more are running heads.
	maxHeadings, maxRepeats = 1 << 16, 2
	// manyHeadings is the part of a document's text that is too much for headings of one kind.
	manyHeadings = 0.25
	// boldShare is the part of a line's letters that are bold, if it is.
	boldShare = 0.9
)

// look is the size of letters, in steps, and whether they are bold.
type look struct {
	size int
	bold bool
}

// paragraph is a part of the text in one look.
type paragraph struct {
	start, end, lines int
	look
	apart bool // an empty line, or another size, is before it
}

// structure collects what may be headings and tables.
type structure struct {
	letters map[look]int // bytes of text in each look
	found   []paragraph
	tables  []doctext.Block
	open    paragraph
}

// add adds a line of text between two offsets.
func (s *structure) add(start, end int, l look, gap bool) {
	if _, known := s.letters[l]; known || len(s.letters) < maxSizes {
		s.letters[l] += end - start
	}
	if !gap && s.open.lines > 0 && s.open.look == l {
		s.open.lines++
		s.open.end = end
		return
	}
	apart := gap || s.open.lines == 0 || s.open.size != l.size
	s.close(gap || s.open.size != l.size)
	s.open = paragraph{start: start, end: end, lines: 1, look: l, apart: apart}
}

// close ends the open paragraph. A paragraph that goes on in other letters is not kept, unless these are not bold.
func (s *structure) close(gap bool) {
	p := s.open
	s.open = paragraph{}
	if p.lines > 0 && p.lines <= maxHeadingLines && p.end-p.start <= maxHeadingBytes && p.apart && (gap || p.bold) &&
		len(s.found) < maxHeadings {
		s.found = append(s.found, p)
	}
}

// blocks returns the headings and tables of text, in order.
func (s *structure) blocks(text string) []doctext.Block {
	s.close(true)
	body := s.usual()
	headings := s.headings(text, body)
	levels := levelsOf(headings)
	var blocks []doctext.Block
	for _, p := range headings {
		blocks = append(blocks, doctext.Block{Start: p.start, End: p.end, Level: levels[p.look]})
	}
	blocks = append(blocks, s.tables...)
	slices.SortStableFunc(blocks, func(a, b doctext.Block) int { return cmp.Compare(a.Start, b.Start) })
	// Offsets count in the text that was written, which may be cut.
	for len(blocks) > 0 && blocks[len(blocks)-1].End > len(text) {
		blocks = blocks[:len(blocks)-1]
	}
	return blocks
}

// usual returns the look of most of the text.
func (s *structure) usual() (usual look) {
	most := 0
	for l, n := range s.letters {
		if n > most || n == most && (l.size < usual.size || l.size == usual.size && !l.bold) {
			usual, most = l, n
		}
	}
	return usual
}

// headings returns the paragraphs that stand out. Looks with much of the text are not those of headings.
func (s *structure) headings(text string, body look) []paragraph {
	all := 0
	for _, n := range s.letters {
		all += n
	}
	times := map[string]int{}
	var kept []paragraph
	for _, p := range s.found {
		if !p.standsOut(body) || p.end > len(text) || !isTitle(text[p.start:p.end]) || s.inTable(p) ||
			float64(s.letters[p.look]) > manyHeadings*float64(all) {
			continue
		}
		times[text[p.start:p.end]]++
		kept = append(kept, p)
	}
	return slices.DeleteFunc(kept, func(p paragraph) bool { return times[text[p.start:p.end]] > maxRepeats })
}

func (p *paragraph) standsOut(body look) bool {
	return float64(p.size) >= larger*float64(body.size) || p.bold && !body.bold && p.size >= body.size
}

func (s *structure) inTable(p paragraph) bool {
	byEnd := func(b doctext.Block, at int) int { return cmp.Compare(b.End, at) }
	i, _ := slices.BinarySearchFunc(s.tables, p.start+1, byEnd)
	return i < len(s.tables) && s.tables[i].Start < p.end
}

// isTitle reports whether a text may be a heading. It has letters, begins with one or with a number, and does not end
// as a sentence does.
func isTitle(text string) bool {
	text = strings.TrimSpace(text)
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	begins := unicode.IsLetter(first) || unicode.IsDigit(first) || strings.ContainsRune("¿¡\"“«„'§(", first)
	return begins && strings.IndexFunc(text, unicode.IsLetter) >= 0 &&
		!strings.ContainsRune(".,;:", last) && !strings.Contains(text, "\t") && utf8.RuneCountInString(text) > 1
}

// levelsOf returns the level of each look: the largest letters have the first, and bold ones come before others.
func levelsOf(headings []paragraph) map[look]int {
	var looks []look
	for _, p := range headings {
		if !slices.Contains(looks, p.look) {
			looks = append(looks, p.look)
		}
	}
	slices.SortFunc(looks, func(a, b look) int {
		if a.bold != b.bold && a.size == b.size {
			return cmp.Compare(b2i(b.bold), b2i(a.bold))
		}
		return cmp.Compare(b.size, a.size)
	})
	levels := map[look]int{}
	for i, l := range looks {
		levels[l] = min(i+1, 6)
	}
	return levels
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lookOf returns the look of a row: the size of most letters.
func lookOf(row []fragment) look {
	var sizes [8]struct {
		size  float64
		count int
	}
	bold, all := 0, 0
	for i := range row {
		for j := range row[i].runs {
			for k := range row[i].runs[j].glyphs {
				g := &row[i].runs[j].glyphs[k]
				all++
				bold += b2i(g.bold)
				for n := range sizes {
					if sizes[n].count == 0 || sizes[n].size == g.size {
						sizes[n].size = g.size
						sizes[n].count++
						break
					}
				}
			}
		}
	}
	most := 0
	for n := range sizes {
		if sizes[n].count > sizes[most].count {
			most = n
		}
	}
	size := math.Round(min(sizes[most].size, 1000) * sizeSteps)
	return look{int(size), float64(bold) >= boldShare*float64(all)}
}
