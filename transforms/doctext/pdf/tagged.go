package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// Many programs tag badly, so the structure of a page is used only if it agrees with the page. It must have most of the
// text, in parts, and few parts that are above those before them.

const (
	// taggedShare is the part of a page's glyphs that must be in the structure. Artifacts do not count: up to
	// artifactShare of all glyphs may be some.
	taggedShare, artifactShare = 0.9, 0.35
	// wholePage is the part of a page's glyphs that one element may have, if the page has manyGlyphs.
	wholePage, manyGlyphs = 0.7, 1200
	// jumpsUp is the part of elements that may be above the one before it.
	jumpsUp = 0.25
	// longTagged bounds tagged headings, in bytes, manyTagged is the part of a text that they may have.
	longTagged, manyTagged = 300, 0.4
	// cellWords is the mean number of words of a cell above which a table is the layout of a page.
	cellWords = 40
	// maxCells bounds the cells of a table on a page, with empty ones: small files could have millions.
	maxCells = 1 << 18
)

// part is the glyphs of an element on a page.
type part struct {
	of     int32 // the element, partLoose or partArtifact
	from   int32 // the first of its glyphs
	glyphs []glyph
}

// Elements of glyphs that have none.
const (
	partLoose    = 0
	partArtifact = -1
)

// tagged writes glyphs in the order of the structure, and reports whether it could be trusted.
func (w *writer) tagged(glyphs []glyph) bool {
	if w.structure == nil {
		return false
	}
	parts := w.partsOf(glyphs)
	if !w.areTrusted(parts, len(glyphs)) {
		return false
	}
	w.paragraph()
	start := w.text.Len()
	for i := 0; i < len(parts); {
		p := &parts[i]
		if p.of > 0 && w.elements[p.of].role == roleCell {
			end := i + 1
			for end < len(parts) && parts[end].of > 0 && w.elements[parts[end].of].table == w.elements[p.of].table {
				end++
			}
			w.taggedTable(parts[i:end])
			i = end
			continue
		}
		after := i > 0 && parts[i-1].of > 0 && p.of > 0 && w.elements[parts[i-1].of].role == roleItem &&
			w.elements[p.of].role == roleItem
		w.part(p, after)
		i++
	}
	w.paragraph()
	w.marks.trusted = append(w.marks.trusted, interval{float64(start), float64(w.text.Len() + len(w.line))})
	return true
}

// partsOf divides glyphs by elements, in the order of the structure. Artifacts and glyphs without an element
// come before it or after it.
func (w *writer) partsOf(glyphs []glyph) []part {
	var spans []part
	for i := range glyphs {
		of := w.elementOf(glyphs[i].tag)
		if n := len(spans); n > 0 && of == partLoose && spans[n-1].of > 0 && besides(&glyphs[i-1], &glyphs[i]) {
			of = spans[n-1].of // a word of the line that nobody tagged
		}
		if n := len(spans); n == 0 || spans[n-1].of != of {
			spans = append(spans, part{of: of, from: int32(i)})
		}
		s := &spans[len(spans)-1]
		s.glyphs = glyphs[s.from : i+1]
	}
	top := math.Inf(1)
	for _, s := range spans {
		if s.of > 0 {
			top = min(top, s.glyphs[0].y)
		}
	}
	for _, of := range w.structure.figures {
		spans = append(spans, part{of: of})
	}
	rank := func(s *part) int {
		switch {
		case s.of > 0:
			return 2
		case s.glyphs[0].y < top:
			return int(s.of) + 1
		}
		return 3 - int(s.of)
	}
	slices.SortStableFunc(spans, func(a, b part) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(a.of, b.of))
	})
	all := make([]glyph, 0, len(glyphs))
	var parts []part
	for i := range spans {
		s := &spans[i]
		if n := len(parts); n == 0 || parts[n-1].of != s.of || rank(&parts[n-1]) != rank(s) {
			parts = append(parts, part{of: s.of, from: int32(len(all))})
		}
		all = append(all, s.glyphs...)
		p := &parts[len(parts)-1]
		p.glyphs = all[p.from:len(all):len(all)]
	}
	return parts
}

func besides(a, b *glyph) bool {
	return math.Abs(a.y-b.y) < a.size && math.Abs(b.x-a.x-a.dx) < 2*a.size
}

// elementOf returns the element of a tag.
func (w *writer) elementOf(tag uint16) int32 {
	switch id := int(tag) - tagContent; {
	case tag == tagArtifact:
		return partArtifact
	case id >= 0 && id < len(w.structure.of):
		return w.structure.of[id]
	}
	return partLoose
}

// areTrusted reports whether parts are those of a page with n glyphs.
func (w *writer) areTrusted(parts []part, n int) bool {
	tagged, artifacts, largest, jumps, elements := 0, 0, 0, 0, 0
	var last *part
	for i := range parts {
		p := &parts[i]
		if p.of == partArtifact {
			artifacts += len(p.glyphs)
		}
		if p.of <= 0 || len(p.glyphs) == 0 {
			continue
		}
		tagged += len(p.glyphs)
		elements++
		if w.elements[p.of].role != roleItem {
			largest = max(largest, len(p.glyphs))
		}
		if last != nil && p.isAbove(last) {
			jumps++
		}
		last = p
	}
	return float64(tagged) >= taggedShare*float64(n-artifacts) && tagged > 0 &&
		float64(artifacts) <= artifactShare*float64(n) &&
		(n < manyGlyphs || float64(largest) <= wholePage*float64(n)) &&
		float64(jumps) <= max(1, jumpsUp*float64(elements))
}

// isAbove reports whether p begins above another part, and not at its right.
func (p *part) isAbove(other *part) bool {
	a, b := &p.glyphs[0], &other.glyphs[0]
	return a.y < b.y-upward*a.size && a.x < b.x+wideSolid*10*a.size
}

// part writes an element. Items of a list have no empty lines between them.
func (w *writer) part(p *part, follows bool) {
	w.paragraph()
	if follows {
		w.breaks = 1
	}
	if p.of > 0 && w.elements[p.of].alt != "" {
		at := w.text.Len() + len(w.line)
		w.mark(doctext.Block{Start: at, End: at, Kind: doctext.BlockPicture, Text: w.elements[p.of].alt})
	}
	if len(p.glyphs) == 0 {
		return
	}
	w.from = -1
	for _, glyphs := range columnsDrawn(p.glyphs) {
		lines := sortLines(runsOf(joinAccents(glyphs, rightwards), rightwards))
		if p.of <= 0 || w.elements[p.of].role == roleFigure {
			w.prose(lines, nil)
			continue
		}
		var fragments []fragment
		for _, line := range lines {
			fragments = appendLine(fragments, line, nil)
		}
		w.lines(fragments)
		w.endColumn()
	}
	b := doctext.Block{Start: w.from, End: w.begins + len(w.line)}
	if w.from < 0 {
		return
	}
	switch {
	case p.of == partArtifact:
		b.Kind = doctext.BlockArtifact
		w.mark(b)
	case p.of == partLoose:
	case w.elements[p.of].role == roleHeading && b.End-b.Start <= longTagged:
		b.Level = w.elements[p.of].level
		w.marks.tagged = append(w.marks.tagged, b)
	case w.elements[p.of].role == roleItem:
		b.Kind, b.Level = doctext.BlockItem, w.elements[p.of].level
		w.mark(b)
	}
}

// mark notes a block that is neither a heading nor a table.
func (w *writer) mark(b doctext.Block) {
	if len(w.marks.others) < maxHeadings {
		w.marks.others = append(w.marks.others, b)
	}
}

// columnsDrawn divides the glyphs of an element where it goes on at the top of the next column.
func columnsDrawn(glyphs []glyph) (columns [][]glyph) {
	start, right := 0, math.Inf(-1)
	for i := range glyphs {
		g := &glyphs[i]
		if i > start && g.y < glyphs[i-1].y-upward*g.size && g.x > right {
			columns = append(columns, glyphs[start:i:i])
			start, right = i, math.Inf(-1)
		}
		right = max(right, g.x+g.dx)
	}
	return append(columns, glyphs[start:])
}

// taggedTable writes the cells of a table, or parts one after the other if they are only the layout of the page.
func (w *writer) taggedTable(parts []part) {
	var numbers []int // of the rows on this page
	columns := 0
	for _, p := range parts {
		e := &w.elements[p.of]
		numbers, columns = append(numbers, e.row), max(columns, e.column+1)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	rows := len(numbers)
	if columns < 2 || rows < 2 || rows*columns > maxCells {
		w.oneByOne(parts)
		return
	}
	t := &grid{rows: make([][]string, rows), looks: make([]look, rows)}
	words, full := 0, 0
	for i := range parts {
		p := &parts[i]
		e := &w.elements[p.of]
		text, l := cellText(slices.Clone(p.glyphs))
		at, _ := slices.BinarySearch(numbers, e.row)
		if t.rows[at] == nil {
			t.rows[at] = make([]string, columns)
		}
		t.rows[at][e.column], t.looks[at] = text, l
		words += len(strings.Fields(text))
		full += b2i(text != "")
	}
	if words > cellWords*full || full < columns {
		w.oneByOne(parts)
		return
	}
	w.table(t)
}

func (w *writer) oneByOne(parts []part) {
	for i := range parts {
		w.part(&parts[i], false)
	}
}

// cellText returns the text of a cell, in one line.
func cellText(glyphs []glyph) (string, look) {
	var text []byte
	var row []fragment
	for _, line := range sortLines(runsOf(joinAccents(glyphs, rightwards), rightwards)) {
		f := newFragment(line)
		row = append(row, f)
		if stem, ok := hyphenated(text); ok && startsLower(f.append(nil, false)) {
			text = stem
		} else if len(text) > 0 {
			text = append(text, ' ')
		}
		text = f.append(text, mostlyRTL(row[len(row)-1:]))
	}
	return string(text), lookOf(row)
}
