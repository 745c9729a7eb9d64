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
	rows    []row // the first lines of the document
	// These are from the structure of tagged pages: headings, other blocks, and the offsets of these pages.
	tagged, others []doctext.Block
	trusted        []interval
}

// add adds a line of text between two offsets.
func (s *structure) add(start, end int, l look, gap bool) {
	if len(s.rows) < maxRows {
		s.rows = append(s.rows, row{start, end, l.size})
	}
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

// blocks returns the headings, tables and others of text, in order.
func (s *structure) blocks(text string, bookmarks []bookmark) []doctext.Block {
	s.close(true)
	body := s.usual()
	blocks := s.taggedHeadings(text)
	known := len(blocks) > 0
	outline := outlined{text: text, headings: joinChapters(text, s.headings(text, body))}
	outline.level()
	if !known && len(bookmarks) > 0 {
		outline.use(s.place(text, bookmarks))
	}
	for _, b := range outline.blocks {
		if !known || !within(s.trusted, b.Start) {
			blocks = append(blocks, b)
		}
	}
	blocks = append(blocks, s.tables...)
	blocks = append(blocks, s.others...)
	slices.SortStableFunc(blocks, func(a, b doctext.Block) int { return cmp.Compare(a.Start, b.Start) })
	// Offsets count in the text that was written, which may be cut. A hyphen that was taken away may join two blocks.
	end := 0
	return slices.DeleteFunc(blocks, func(b doctext.Block) bool {
		if b.Start < end || b.End > len(text) {
			return true
		}
		end = b.End
		return false
	})
}

// place returns the bookmarks in the text, without those in tables.
func (s *structure) place(text string, bookmarks []bookmark) []marked {
	sizes := make(map[int]int, len(s.found))
	for _, p := range s.found {
		sizes[p.start] = p.size
	}
	places := place(text, bookmarks, func(start int) int { return sizes[start] })
	if 10*len(places) < 6*len(bookmarks) || len(places) < 2 {
		return nil
	}
	return slices.DeleteFunc(places, func(m marked) bool {
		p := paragraph{start: m.start}
		return inBlock(s.tables, p) || inBlock(s.others, p)
	})
}

// taggedHeadings returns the headings of the structure, if they are not most of the text.
func (s *structure) taggedHeadings(text string) (headings []doctext.Block) {
	size := 0
	for _, b := range s.tagged {
		if b.End > len(text) {
			continue
		}
		size += b.End - b.Start
		if strings.ContainsFunc(text[b.Start:b.End], unicode.IsLetter) {
			headings = append(headings, b)
		}
	}
	if float64(size) > manyTagged*float64(len(text)) && size > maxHeadingBytes {
		return nil
	}
	return headings
}

// within reports whether an offset is in one of the intervals, which are in order.
func within(list []interval, at int) bool {
	i, _ := slices.BinarySearchFunc(list, float64(at), func(v interval, at float64) int { return cmp.Compare(v.hi, at) })
	return i < len(list) && list[i].lo <= float64(at)
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
		if !p.standsOut(body) || p.end > len(text) || !isTitle(text[p.start:p.end]) || inBlock(s.tables, p) ||
			inBlock(s.others, p) || float64(s.letters[p.look]) > manyHeadings*float64(all) {
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

// inBlock reports whether a paragraph is in one of the blocks, which are in order.
func inBlock(blocks []doctext.Block, p paragraph) bool {
	byEnd := func(b doctext.Block, at int) int { return cmp.Compare(b.End, at) }
	i, _ := slices.BinarySearchFunc(blocks, p.start+1, byEnd)
	return i < len(blocks) && blocks[i].Start < p.end
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
