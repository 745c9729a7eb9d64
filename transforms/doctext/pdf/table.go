package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// A table is a series of lines with white space at the same places. Rules around it make it certain. Without them it
// needs a column of numbers or a third column. Text in columns has longer cells than tables.

const (
	// cellGap is the smallest white space between the cells of a line, in ems; ruledGap is that between two rules.
	cellGap, ruledGap = 0.8, 0.45
	// rowGap is the largest distance of the lines of a table without rules, in ems.
	rowGap = 3.5
	// sameCell is how far apart the lines of one cell are, as a factor of the smallest distance of lines.
	// closer is the same where rows are farther apart than the lines of a cell.
	sameCell, closer = 1.3, 1.12
	// maxTries bounds how often a table is looked for in the same lines, maxTableLines its lines.
	maxTries, maxTableLines = 3, 4096
)

// block writes the lines of a block, and its tables as such.
func (w *writer) block(lines [][]run, zones []ruled, solids []rect) {
	start, tries, tried := 0, 0, 0 // tried is the end of the lines that were tried as a table
	for i := 0; i < len(lines); {
		t := w.ruledTable(lines, i, zones)
		if t == nil && (i >= tried || tries < maxTries) {
			var end int
			if t, end = openTable(lines[i:]); i+end > tried {
				tried, tries = i+end, 0
			}
			tries++
		}
		if t == nil {
			i++
			continue
		}
		if i > start {
			w.prose(lines[start:i], solids)
		}
		w.table(t)
		i += t.lines
		start, tried = i, i
	}
	if start < len(lines) {
		w.prose(lines[start:], solids)
	}
}

// grid is a table: its rows, and the number of lines that it takes.
type grid struct {
	rows  [][]string
	looks []look
	lines int
}

// table writes the rows of a table.
func (w *writer) table(t *grid) {
	w.paragraph()
	start := -1
	for i, row := range t.rows {
		if w.text.Len() >= w.limit {
			return
		}
		w.writeLine([]byte(strings.TrimRight(strings.Join(row, "\t"), "\t")), t.looks[i])
		w.cells = true
		if start < 0 {
			start = w.begins
		}
	}
	if start >= 0 && len(w.marks.tables) < maxHeadings {
		w.marks.tables = append(w.marks.tables, doctext.Block{Start: start, End: w.begins + len(w.line)})
	}
	w.paragraph()
}

// ruledTable returns the table that begins with line i, below a rule, or nil. It goes on as long as lines have cells,
// and ends at a rule.
func (w *writer) ruledTable(lines [][]run, i int, zones []ruled) *grid {
	first := lines[i]
	v := first[0].line
	for _, z := range zones {
		at, _ := slices.BinarySearch(z.heights, v)
		if at == 0 || at == len(z.heights) || !z.hasCells(first) || v-z.heights[at-1] > rowGap*first[0].size ||
			i > 0 && lines[i-1][0].line > z.heights[at-1] {
			continue
		}
		end := i + 1
		for end < len(lines) && end-i < maxTableLines && z.hasCells(lines[end]) {
			end++
		}
		last := len(z.heights) - 1
		if end < len(lines) {
			last, _ = slices.BinarySearch(z.heights, lines[end][0].line)
			last--
		}
		for end > i && lines[end-1][0].line > z.heights[last]+thin {
			end--
		}
		if last < at || end-i < fewRows {
			continue
		}
		columns := w.columnsDown(z, v, lines[end-1][0].line)
		if columns == nil {
			columns = columnsOf(lines[i:end], ruledGap)
		}
		if t := newGrid(lines[i:end], columns, z.heights); t != nil {
			return t
		}
	}
	return nil
}

// openTable returns the table without rules that begins with the first of the lines, or nil, and the end of the lines
// with cells.
func openTable(lines [][]run) (t *grid, end int) {
	columns := cellsOf(lines[0], cellGap)
	if len(columns) < 2 || len(columns) > maxColumns {
		return nil, 0
	}
	end = 1
	for i := 1; i < min(len(lines), maxTableLines); i++ {
		line := lines[i]
		if line[0].line-lines[i-1][0].line > rowGap*line[0].size {
			break
		}
		cells := cellsOf(line, cellGap)
		joined := union(append(slices.Clone(columns), cells...))
		if len(joined) < max(2, (len(columns)+1)/2) || len(joined) > maxColumns {
			break
		}
		if len(cells) > 1 {
			columns, end = joined, i+1
		} else if i > end+1 {
			break
		}
	}
	if end < fewRowsUnruled {
		return nil, end
	}
	return newGrid(lines[:end], columnsOf(lines[:end], cellGap), nil), end
}

// cellsOf returns the parts of a line between wide gaps.
func cellsOf(line []run, gap float64) (cells []interval) {
	for i := range line {
		r := &line[i]
		if n := len(cells); n > 0 && r.u0-cells[n-1].hi < gap*r.size {
			cells[n-1].hi = max(cells[n-1].hi, r.u1)
			continue
		}
		cells = append(cells, interval{r.u0, r.u1})
	}
	return cells
}

// columnsOf returns the parts of the width with text in some of the lines.
func columnsOf(lines [][]run, gap float64) []interval {
	var all []interval
	for _, line := range lines {
		all = append(all, cellsOf(line, gap)...)
	}
	return union(all)
}

// union joins intervals that overlap.
func union(all []interval) (joined []interval) {
	slices.SortFunc(all, func(a, b interval) int { return cmp.Compare(a.lo, b.lo) })
	for _, v := range all {
		if n := len(joined); n > 0 && v.lo <= joined[n-1].hi {
			joined[n-1].hi = max(joined[n-1].hi, v.hi)
			continue
		}
		joined = append(joined, v)
	}
	return joined
}

// newGrid returns the table of lines, or nil if they are not one.
func newGrid(lines [][]run, columns []interval, heights []float64) *grid {
	if len(columns) < 2 || len(columns) > maxColumns || len(lines) < fewRows {
		return nil
	}
	list := make([]tableLine, len(lines))
	for i, line := range lines {
		list[i] = newTableLine(line, columns)
	}
	most := proseWords
	if heights != nil {
		most = proseWordsRuled
	}
	if wordyColumns(list, most) > 1 || heights == nil && !areAligned(list) {
		return nil
	}
	all := make([]fragment, len(lines))
	for i, line := range lines {
		list[i].write(line)
		all[i].runs = line
	}
	if mostlyRTL(all) {
		for i := range list {
			slices.Reverse(list[i].cells) // the first cell is the rightmost
		}
	}
	t := joinLines(list, heights)
	t.lines = len(lines)
	if !areRows(t.rows, heights != nil) {
		return nil
	}
	return t
}

// joinLines joins the lines of a row. Rules divide rows, if there are as many as full lines. Otherwise a line without a
// first cell continues the row above it, if it is as close as lines of one cell are.
func joinLines(lines []tableLine, rules []float64) *grid {
	full, closest := 0, math.Inf(1)
	for i := range lines {
		full = max(full, lines[i].full)
		if i > 0 {
			closest = min(closest, lines[i].v-lines[i-1].v)
		}
	}
	between := func(i int) bool {
		at, _ := slices.BinarySearch(rules, lines[i-1].v)
		return at < len(rules) && rules[at] < lines[i].v
	}
	divided, undivided := 0, 0
	for i := 1; i < len(lines); i++ {
		if between(i) {
			divided++
		} else if lines[i].full == full && lines[i-1].full == full {
			undivided++
		}
	}
	ruled := divided > 1 && divided > undivided
	padded := isPadded(lines, closest, full)
	t := &grid{}
	for i := range lines {
		l := &lines[i]
		if i == 0 || between(i) ||
			!ruled && padded && l.v-lines[i-1].v > closer*closest ||
			!ruled && !padded && (l.full == full || l.cells[0].words > 0 || l.v-lines[i-1].v > sameCell*closest) {
			t.rows, t.looks = append(t.rows, make([]string, len(l.cells))), append(t.looks, l.look)
		}
		row := t.rows[len(t.rows)-1]
		for c := range l.cells {
			row[c] = strings.TrimSpace(row[c] + " " + l.cells[c].text)
		}
	}
	return t
}

// isPadded reports whether lines of one cell are closer than rows are. Then lines with fewer cells are close to the
// line before, and few full lines are, or none.
func isPadded(lines []tableLine, closest float64, full int) bool {
	near, far, rows := 0, 0, 0
	for i := 1; i < len(lines); i++ {
		switch {
		case lines[i].v-lines[i-1].v > closer*closest:
			far++
		default:
			near++
			rows += b2i(lines[i].full == full && lines[i-1].full == full)
		}
	}
	return rows == 0 || far >= 2 && far*3 >= near && rows*2 <= near
}
