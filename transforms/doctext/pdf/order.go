package pdf

import (
	"cmp"
	"slices"
)

const (
	// gutter is the width of the white space between columns, in ems. It is below fragmentGap, so any gap that divides
	// fragments may become a gutter. Constants prose and aligned were set together with the distances of layout.go.
	gutter = 0.8
	// narrowGutter is the same on pages with columns that are as close as words. It is below stripGap.
	narrowGutter = 0.4
	// maxCuts bounds how deep regions are cut into columns, maxGutters the number of white spaces followed at once.
	maxCuts    = 12
	maxGutters = 64
	// prose is the average number of words in a fragment from which on columns hold prose; those of tables have fewer.
	prose = 3.5
	// markerWidth is the maximum width of item numbers, in ems.
	markerWidth = 2.5
	// aligned is the share of a table's fragments that have a neighbour on the same baseline.
	aligned = 0.6
	// filled is the share of a column's width that three in five lines of prose have, fewFilled the smallest number of
	// lines.
	filled, fewFilled = 0.75, 4
)

// interval is a range along the line, in units of the page.
type interval struct{ lo, hi float64 }

// region writes fragments in reading order. Going from the top to the bottom, it collects parts that share white space
// between columns. It writes one column after the other, or, for a table, row by row. It is related to the recursive
// XY-cut (Nagy and Seth, 1984), with slabs: horizontal bands of fragments that overlap in height. Slabs join as long
// as some gutter goes through all of them.
func (w *writer) region(fragments []fragment, depth int) {
	// Fragments are sorted by the upper edge, so that slabs are parts of the slice.
	slices.SortStableFunc(fragments, func(a, b fragment) int { return cmp.Compare(a.top(), b.top()) })
	var gutters []interval
	strips := w.within(fragments)
	start, slab, striped := 0, 0, false
	for slab < len(fragments) {
		end := slabEnd(fragments, slab)
		gaps := w.gapsOf(fragments[slab:end])
		through := reaching(strips, fragments[slab:end])
		if len(through) > 0 {
			gaps = inStrips(gaps, through)
		}
		// The first slab of a region has its gutters; later ones can only narrow them.
		if start == slab {
			gutters, striped = gaps, len(through) > 0
			// Two slabs without any gutter belong together too: full-width lines of a text.
		} else if common := w.commonGutters(gutters, gaps, fragments[slab:end]); striped == (len(through) > 0) &&
			(len(common) > 0 || len(gutters) == 0 && len(gaps) == 0) {
			gutters = common
		} else {
			// No gutter goes through all slabs. So the collected ones are written, and this slab begins a new region.
			w.columns(fragments[start:slab], gutters, depth)
			start, gutters, striped = slab, gaps, len(through) > 0
		}
		slab = end
	}
	w.columns(fragments[start:], gutters, depth)
}

// within returns the strips of the page that divide a region.
func (w *writer) within(fragments []fragment) (strips []strip) {
	if len(w.strips) == 0 || len(fragments) == 0 {
		return nil
	}
	lo, hi := fragments[0].u0, fragments[0].u1
	for i := range fragments {
		lo, hi = min(lo, fragments[i].u0), max(hi, fragments[i].u1)
	}
	for _, s := range w.strips {
		if s.lo > lo && s.hi < hi {
			strips = append(strips, s)
		}
	}
	return strips
}

// reaching returns the strips that reach as far up or down as a slab.
func reaching(strips []strip, slab []fragment) (through []strip) {
	for _, s := range strips {
		if slices.ContainsFunc(slab, func(f fragment) bool { return f.v >= s.top && f.v <= s.bottom }) {
			through = append(through, s)
		}
	}
	return through
}

// inStrips returns the gaps that are parts of strips: others are wide spaces between words.
func inStrips(gaps []interval, strips []strip) (kept []interval) {
	for _, g := range gaps {
		if slices.ContainsFunc(strips, func(s strip) bool { return g.lo < s.hi && s.lo < g.hi }) {
			kept = append(kept, g)
		}
	}
	return kept
}

// gutter returns the width of the white space between columns, in ems. Pages with strips have fragments that are
// closer.
func (w *writer) gutter() float64 {
	if len(w.strips) > 0 {
		return narrowGutter
	}
	return gutter
}

// slabEnd returns the end of the slab that begins at start. The slab grows with each fragment that begins above its
// lower edge.
func slabEnd(fragments []fragment, start int) int {
	bottom := fragments[start].bottom()
	end := start + 1
	for end < len(fragments) && fragments[end].top() < bottom {
		bottom = max(bottom, fragments[end].bottom())
		end++
	}
	return end
}

// gapsOf returns the white spaces between the fragments of a slab that are wide enough for gutters. A gap is a range
// that no fragment covers, found from left to right.
func (w *writer) gapsOf(slab []fragment) []interval {
	byStart := slices.Clone(slab)
	slices.SortFunc(byStart, func(a, b fragment) int { return cmp.Compare(a.u0, b.u0) })
	var gaps []interval
	// This is the rightmost end so far, since fragments may lie within each other.
	right := byStart[0].u1
	for _, f := range byStart[1:] {
		if f.u0-right > w.gutter()*f.size && len(gaps) < maxGutters {
			gaps = append(gaps, interval{right, f.u0})
		}
		right = max(right, f.u1)
	}
	return gaps
}

// commonGutters returns the parts of the gutters that are free in the slab too. A line of one column leaves the others
// free. So is the space left and right of all fragments of the slab. Both lists are in order, and so is the result.
func (w *writer) commonGutters(gutters, gaps []interval, slab []fragment) []interval {
	lo, hi := slab[0].u0, slab[0].u1
	size := slab[0].size
	for _, f := range slab {
		lo, hi = min(lo, f.u0), max(hi, f.u1)
	}
	var common []interval
	keep := func(g interval) {
		if g.hi-g.lo > w.gutter()*size {
			common = append(common, g)
		}
	}
	i := 0
	// Each gutter is intersected with the left margin, the gaps, and the right margin of the slab.
	for _, g := range gutters {
		if g.lo < lo {
			keep(interval{g.lo, min(g.hi, lo)})
		}
		// Gaps that end before this gutter end before all later ones, so i never goes back.
		for i < len(gaps) && gaps[i].hi <= g.lo {
			i++
		}
		for j := i; j < len(gaps) && gaps[j].lo < g.hi; j++ {
			keep(interval{max(g.lo, gaps[j].lo), min(g.hi, gaps[j].hi)})
		}
		if g.hi > hi {
			keep(interval{max(g.lo, hi), g.hi})
		}
	}
	return common
}

// columns writes fragments divided by gutters. A table is written row by row, prose column by column.
func (w *writer) columns(fragments []fragment, gutters []interval, depth int) {
	all := fragments
	fragments = texts(all)
	switch {
	case len(fragments) == 0:
		return
	// The bound on depth also bounds the work: each level reads all its fragments again.
	case len(gutters) == 0 || depth >= maxCuts:
		w.lines(fragments)
		return
	}
	columns := divideBy(gutters, all)
	if isTable(fragments) && !(len(w.strips) > 0 && areFilled(columns)) {
		w.lines(fragments)
		return
	}
	columns = joinMarkers(columns)
	if mostlyRTL(fragments) {
		slices.Reverse(columns)
	}
	for _, column := range columns {
		// Otherwise the recursion would not end.
		if len(column) == len(all) {
			w.lines(column) // nothing was divided
		} else if len(column) > 0 {
			w.region(column, depth+1)
			w.paragraph()
		}
	}
}

// divideBy returns the columns between gutters; there is one more of them.
func divideBy(gutters []interval, fragments []fragment) [][]fragment {
	columns := make([][]fragment, len(gutters)+1)
	for _, f := range fragments {
		// The column is the number of gutters that end before the fragment begins. The small number allows for
		// rounding.
		i, _ := slices.BinarySearchFunc(gutters, f.u0, func(g interval, u float64) int { return cmp.Compare(g.hi, u+1e-6) })
		columns[i] = append(columns[i], f)
	}
	return columns
}

// areFilled reports whether most lines of each column reach over its width, as those of prose do. Cells of a table
// differ in width.
func areFilled(columns [][]fragment) bool {
	for _, column := range columns {
		column = slices.Clone(texts(column))
		slices.SortStableFunc(column, func(a, b fragment) int { return cmp.Compare(a.v, b.v) })
		var widths []float64
		for i := 0; i < len(column); {
			lo, hi, n := column[i].u0, column[i].u1, i+1
			for ; n < len(column) && column[n].level(&column[i]); n++ {
				lo, hi = min(lo, column[n].u0), max(hi, column[n].u1)
			}
			widths = append(widths, hi-lo)
			i = n
		}
		if len(widths) < fewFilled {
			return false
		}
		slices.Sort(widths)
		if widths[len(widths)*2/5] < filled*widths[len(widths)-1] {
			return false
		}
	}
	return true
}

// joinMarkers joins columns of numbers or bullets with the column at their right, whose items they mark. A separate
// column with "1.", "2." would be read before all the items.
func joinMarkers(columns [][]fragment) [][]fragment {
	joined := columns[:0]
	var markers []fragment
	for i, column := range columns {
		// append copies, because markers has no spare capacity.
		column = append(markers, column...)
		wide := slices.ContainsFunc(column, func(f fragment) bool { return f.u1-f.u0 > markerWidth*f.size })
		if !wide && i+1 < len(columns) {
			markers = column
			continue
		}
		joined, markers = append(joined, column), nil
	}
	return joined
}

// isTable tells rows of cells from columns of prose. Cells are short, and are beside each other on one baseline. Both
// must hold: lists have short lines too, and columns of prose share their baselines.
func isTable(fragments []fragment) bool {
	words, beside := 0, 0
	byLine := slices.Clone(fragments)
	slices.SortFunc(byLine, func(a, b fragment) int { return cmp.Compare(a.v, b.v) })
	for i := range byLine {
		f := &byLine[i]
		words += f.words()
		if i > 0 && f.level(&byLine[i-1]) || i+1 < len(byLine) && f.level(&byLine[i+1]) {
			beside++
		}
	}
	n := float64(len(fragments))
	return float64(words) < prose*n && float64(beside) >= aligned*n
}

// level reports whether two fragments are in one row. A cell may be lower by less than 0.3 of the smaller letters, as
// superscripts and mixed fonts are.
func (f *fragment) level(g *fragment) bool {
	d := f.v - g.v
	return max(d, -d) < 0.3*min(f.size, g.size)
}

// words returns the approximate number of words in the fragment.
func (f *fragment) words() int {
	n := 1
	for i := 1; i < len(f.runs); i++ {
		if apart(&f.runs[i-1], &f.runs[i]) {
			n++
		}
	}
	return n
}
