package pdf

import (
	"math"
	"slices"
)

// Programs that set columns draw one column after the other. This order is better evidence than white space, if the
// page agrees with it: so it decides which column a word is in. Blocks are parts of the drawing order whose areas do
// not overlap. A page that was drawn in rows, or in no order, is one block.

const (
	// upward is how far the pen goes up between two columns, in ems. Formulas need less.
	upward = 1.5
	// columnLines is the smallest number of lines that two blocks side by side have in columns. Smaller ones may be
	// cells of a table.
	columnLines = 4
	// cellLines is more than the lines of a cell in a table with rules.
	cellLines = 12
	// maxBlocks and maxSpans bound the blocks of a page and their lines. Work grows with their squares. Pages with more
	// are drawings with labels, or dense tables.
	maxBlocks, maxSpans = 64, 1024
	// maxRounds bounds how often blocks are compared with each other, to join some.
	maxRounds = 8
	// reach is the height of a line above and below its baseline, in ems, and the smallest overlap of two lines.
	reach = 0.3
	// sharedWidth is the part of the narrower of two areas that is in both. Words that cannot be divided reach into the
	// next column, but not far.
	sharedWidth = 0.2
	// crossing is the part of a block's lines that are in another's area, from which on the two are one.
	crossing = 0.25
	// touching is the width of a gap between two parts of one line, in ems. Columns are farther apart.
	touching = 0.3
)

// span is the area of a line, or of the lines of a block: its ends along the line, and its baselines.
type span struct{ u0, u1, v0, v1, size float64 }

func spanOf(r *run) span { return span{r.u0, r.u1, r.line, r.line, r.size} }

// with returns the area around both spans.
func (s span) with(t span) span {
	return span{min(s.u0, t.u0), max(s.u1, t.u1), min(s.v0, t.v0), max(s.v1, t.v1), max(s.size, t.size)}
}

// overlaps reports whether the spans are above each other.
func (s *span) overlaps(t *span) bool {
	least := max(reach*min(s.size, t.size), sharedWidth*min(s.u1-s.u0, t.u1-t.u0))
	return min(s.u1, t.u1)-max(s.u0, t.u0) > least
}

// crosses reports whether the areas of the spans overlap.
func (s *span) crosses(t *span) bool {
	em := reach * min(s.size, t.size)
	return s.v0 < t.v1+em && t.v0 < s.v1+em && s.overlaps(t)
}

// line is a part of a line that was drawn at once, and its runs.
type line struct {
	span
	first, end int // indexes of runs
	stroke     int // number of the part of the drawing order that goes down the page
}

// block is a part of the drawing order.
type block struct {
	lines []line
	hull  span
	first int // index of the first line, by which blocks are in drawing order
	gone  bool
}

// blocksOf divides the runs of a page, which are in drawing order, into blocks in reading order. It returns one block
// if the page has no columns, or if they are not drawn in their order.
func blocksOf(runs []run, zones []ruled) [][]run {
	whole := [][]run{runs}
	lines := linesOf(runs)
	if lines == nil {
		return whole
	}
	blocks := divideLines(lines)
	if len(blocks) > maxBlocks {
		return whole
	}
	blocks = mergeCells(mergeCrossing(blocks), zones)
	if !haveColumns(blocks, mostRunsRTL(runs)) {
		return whole
	}
	blocks = stack(inOrder(blocks))
	parts := make([][]run, 0, len(blocks))
	for _, b := range blocks {
		slices.SortFunc(b.lines, func(a, b line) int { return a.first - b.first })
		var part []run
		for _, l := range b.lines {
			part = append(part, runs[l.first:l.end]...)
		}
		parts = append(parts, part)
	}
	return parts
}

// linesOf returns the lines of a page in drawing order. It returns nil if the pen only goes down, or if there are too
// many lines.
func linesOf(runs []run) (lines []line) {
	stroke := 0
	for i := range runs {
		r := &runs[i]
		r.line = r.v
		if n := len(lines); n > 0 {
			l := &lines[n-1]
			if math.Abs(r.v-l.v0) < reach*r.size && r.u0-l.u1 < fragmentGap*r.size && r.u1 > l.u0 {
				l.span, l.end = l.with(spanOf(r)), i+1
				l.v1 = l.v0
				continue
			}
			if r.v < l.v0-upward*r.size {
				stroke++
			}
		}
		if len(lines) == maxSpans {
			return nil
		}
		lines = append(lines, line{span: spanOf(r), first: i, end: i + 1, stroke: stroke})
	}
	if stroke == 0 {
		return nil
	}
	return lines
}

// divideLines divides lines into blocks. A block ends where the pen goes up, and before a line with which its area
// would take in lines of another.
func divideLines(lines []line) (blocks []block) {
	start := 0
	hull := lines[0].span
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && lines[i].stroke == lines[start].stroke {
			grown := hull.with(lines[i].span)
			if !takesIn(lines, i, &hull, &grown) {
				hull = grown
				continue
			}
		}
		if len(blocks) > maxBlocks {
			break
		}
		blocks = append(blocks, block{lines: slices.Clone(lines[start:i]), hull: hull, first: start})
		if start = i; i < len(lines) {
			hull = lines[i].span
		}
	}
	return blocks
}

// takesIn reports whether a line of another stroke is in the grown area, but neither in the former area nor in line i.
func takesIn(lines []line, i int, hull, grown *span) bool {
	for j := range lines {
		l := &lines[j]
		if l.stroke != lines[i].stroke && grown.crosses(&l.span) && !hull.crosses(&l.span) && !lines[i].crosses(&l.span) {
			return true
		}
	}
	return false
}

// merge adds the lines of c to b.
func (b *block) merge(c *block) {
	b.lines, b.hull, b.first = append(b.lines, c.lines...), b.hull.with(c.hull), min(b.first, c.first)
	c.lines, c.gone = nil, true
}

// inside returns how many lines of b are in the area of c.
func (b *block) inside(c *block) (n int) {
	for i := range b.lines {
		if b.lines[i].crosses(&c.hull) {
			n++
		}
	}
	return n
}

// mergeCrossing joins blocks that reach into each other, such as words in bold that were drawn last.
func mergeCrossing(blocks []block) []block {
	return mergeIf(blocks, func(b, c *block) bool {
		few := crossing * float64(min(len(b.lines), len(c.lines)))
		if b.hull.crosses(&c.hull) {
			in, out := b.inside(c), c.inside(b)
			if in > 0 && out > 0 && float64(max(in, out)) > few {
				return true
			}
		}
		return float64(b.continued(c)) > few
	})
}

// continued returns how many lines of b end where a line of c begins, or the other way round: they are one line.
func (b *block) continued(c *block) (n int) {
	em := touching * max(b.hull.size, c.hull.size)
	if b.hull.v1 < c.hull.v0-em || c.hull.v1 < b.hull.v0-em || b.hull.u1 < c.hull.u0-em || c.hull.u1 < b.hull.u0-em {
		return 0
	}
	for i := range b.lines {
		l := &b.lines[i]
		if slices.ContainsFunc(c.lines, func(m line) bool {
			em := touching * min(l.size, m.size)
			return math.Abs(l.v0-m.v0) < em && (math.Abs(m.u0-l.u1) < em || math.Abs(l.u0-m.u1) < em)
		}) {
			n++
		}
	}
	return n
}

// mergeCells joins short blocks side by side, which may be the cells of a row. Between rules, cells may be longer.
func mergeCells(blocks []block, zones []ruled) []block {
	return mergeIf(blocks, func(b, c *block) bool {
		em := reach * min(b.hull.size, c.hull.size)
		longest := max(len(b.lines), len(c.lines))
		between := func(z ruled) bool { return z.holds(&b.hull) && z.holds(&c.hull) }
		return longest < cellLines && b.hull.v0 < c.hull.v1+em && c.hull.v0 < b.hull.v1+em &&
			(longest < columnLines || slices.ContainsFunc(zones, between))
	})
}

// mergeIf joins the pairs of blocks of which the condition is true, until there is none.
func mergeIf(blocks []block, condition func(b, c *block) bool) []block {
	again := true
	for round := 0; again && round < maxRounds; round++ {
		again = false
		for i := range blocks {
			for j := i + 1; j < len(blocks) && !blocks[i].gone; j++ {
				if b, c := &blocks[i], &blocks[j]; !c.gone && condition(b, c) {
					b.merge(c)
					again = true
				}
			}
		}
		blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.gone })
	}
	return blocks
}

// haveColumns reports whether some blocks are side by side, and all of these were drawn in the order of reading.
func haveColumns(blocks []block, rtl bool) (some bool) {
	for i := range blocks {
		for j := i + 1; j < len(blocks); j++ {
			before, after := &blocks[i], &blocks[j]
			if rtl {
				before, after = after, before
			}
			if after.isLeftOf(before) {
				return false
			}
			some = some || before.isLeftOf(after)
		}
	}
	return some
}

// isLeftOf reports whether several lines of b are at the left of c, and as many of c at the right of b. Both are wider
// than a column of numbers.
func (b *block) isLeftOf(c *block) bool {
	narrow := stripSide * max(b.hull.size, c.hull.size)
	return b.hull.u0 < c.hull.u0 && min(b.hull.u1-b.hull.u0, c.hull.u1-c.hull.u0) > narrow && !b.hull.overlaps(&c.hull) &&
		min(b.linesBeside(&c.hull), c.linesBeside(&b.hull)) >= columnLines
}

// linesBeside returns how many lines of b are as low as s.
func (b *block) linesBeside(s *span) (n int) {
	for i := range b.lines {
		if l := &b.lines[i]; l.v0 > s.v0-l.size && l.v0 < s.v1+l.size {
			n++
		}
	}
	return n
}

// inOrder returns the blocks in drawing order, but none before one that is above it.
func inOrder(blocks []block) []block {
	slices.SortFunc(blocks, func(a, b block) int { return a.first - b.first })
	ordered := make([]block, 0, len(blocks))
	for len(blocks) > 0 {
		next := slices.IndexFunc(blocks, func(b block) bool {
			return !slices.ContainsFunc(blocks, func(c block) bool {
				return c.first != b.first && c.hull.v1 < b.hull.v0 && c.hull.overlaps(&b.hull)
			})
		})
		next = max(next, 0)
		ordered = append(ordered, blocks[next])
		blocks = slices.Delete(blocks, next, next+1)
	}
	return ordered
}

// stack joins a block with the next one below it, if no other block is in their area. Then a table or a list is whole
// again.
func stack(blocks []block) []block {
	stacked := blocks[:1]
	for i := 1; i < len(blocks); i++ {
		last, next := &stacked[len(stacked)-1], blocks[i]
		hull := last.hull.with(next.hull)
		in := func(b block) bool { return hull.crosses(&b.hull) }
		if next.hull.v0 > last.hull.v1 && !slices.ContainsFunc(stacked[:len(stacked)-1], in) &&
			!slices.ContainsFunc(blocks[i+1:], in) {
			last.merge(&next)
			continue
		}
		stacked = append(stacked, next)
	}
	return stacked
}

// mostRunsRTL reports whether more runs begin with a right-to-left letter than not.
func mostRunsRTL(runs []run) bool {
	n := 0
	for i := range runs {
		if isRTL(runs[i].glyphs[0].text) {
			n++
		}
	}
	return 2*n > len(runs)
}
