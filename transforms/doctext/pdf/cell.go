package pdf

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	// fewRows is the smallest number of rows, fewRowsUnruled that of a table without rules.
	fewRows, fewRowsUnruled = 2, 3
	// filledCells is the smallest part of cells with text, in the table and in each of its columns.
	filledCells, filledColumn = 0.6, 0.4
	// longCell is the mean number of bytes of a cell above which the columns are prose.
	longCell = 40
	// alignedCells is the part of a column's cells that are at the same place, up to sameAlign, in ems.
	alignedCells, sameAlign = 0.6, 0.4
	// proseWords is the mean number of words in the lines of columns that are prose, proseWordsRuled that between rules.
	proseWords, proseWordsRuled = 2.5, 4.5
	// numeric is the part of a column's cells that are numbers, if it is one of numbers.
	numeric = 0.6
)

// tableLine is a line of a table: its baseline, and its cells.
type tableLine struct {
	v, size float64
	cells   []tableCell
	full    int // cells with text
	look    look
}

// tableCell is a cell's part of a line.
type tableCell struct {
	interval
	first, end int // indexes of runs
	words      int
	text       string
}

// newTableLine divides a line into cells: a word is in the column that its middle is in, or before which it is.
func newTableLine(line []run, columns []interval) tableLine {
	l := tableLine{v: line[0].line, size: line[0].size, cells: make([]tableCell, len(columns))}
	c := 0
	for i := range line {
		r := &line[i]
		for c+1 < len(columns) && (r.u0+r.u1)/2 > columns[c].hi {
			c++
		}
		cell := &l.cells[c]
		if cell.words == 0 {
			l.full++
			*cell = tableCell{interval: interval{r.u0, r.u1}, first: i, end: i + 1, words: 1}
			continue
		}
		if apart(&line[i-1], r) {
			cell.words++
		}
		cell.hi, cell.end = max(cell.hi, r.u1), i+1
	}
	return l
}

// write sets the texts of the cells.
func (l *tableLine) write(line []run) {
	for c := range l.cells {
		if cell := &l.cells[c]; cell.words > 0 {
			f := newFragment(line[cell.first:cell.end:cell.end])
			cell.text = string(f.append(nil, mostlyRTL([]fragment{f})))
		}
	}
	l.look = lookOf([]fragment{{runs: line}})
}

// wordyColumns returns how many columns have as many words in a line as prose has. Two of them are columns of a page.
func wordyColumns(lines []tableLine, most float64) (n int) {
	for c := range lines[0].cells {
		words, full := 0, 0
		for i := range lines {
			if n := lines[i].cells[c].words; n > 0 {
				full++
				words += n
			}
		}
		n += b2i(float64(words) >= most*float64(full))
	}
	return n
}

// areAligned reports whether the cells of each column begin, end or have their middle at the same place. The gaps of
// justified prose do not.
func areAligned(lines []tableLine) bool {
	edges := []func(v interval) float64{
		func(v interval) float64 { return v.lo }, func(v interval) float64 { return v.hi },
		func(v interval) float64 { return (v.lo + v.hi) / 2 },
	}
	var places []float64
	for c := range lines[0].cells {
		aligned := slices.ContainsFunc(edges, func(edge func(interval) float64) bool {
			places = places[:0]
			for i := range lines {
				if cell := &lines[i].cells[c]; cell.words > 0 {
					places = append(places, edge(cell.interval))
				}
			}
			slices.Sort(places)
			n := int(alignedCells * float64(len(places)))
			for i := 0; i+n < len(places); i++ {
				if places[i+n]-places[i] < sameAlign*lines[0].size {
					return true
				}
			}
			return false
		})
		if !aligned {
			return false
		}
	}
	return true
}

// areRows reports whether rows are those of a table.
func areRows(rows [][]string, ruled bool) bool {
	least := fewRowsUnruled
	if ruled {
		least = fewRows
	}
	if len(rows) < least {
		return false
	}
	if len(rows[0]) == 2 && areLineNumbers(rows) || !ruled && (isContents(rows) || isCode(rows)) {
		return false
	}
	cells, size, numbers := 0, 0, 0
	for c := range rows[0] {
		full, digits, marks := 0, 0, 0
		for _, row := range rows {
			cell := row[c]
			if cell == "" {
				continue
			}
			full++
			size += len(cell)
			digits += b2i(isNumber(cell))
			marks += b2i(isMarker(cell))
			if strings.Contains(cell, "....") || strings.Contains(cell, ". . .") {
				return false // a list of contents
			}
		}
		if float64(full) < filledColumn*float64(len(rows)) || c == 0 && marks == full {
			return false
		}
		cells += full
		numbers += b2i(float64(digits) >= numeric*float64(full))
	}
	n := float64(len(rows) * len(rows[0]))
	return float64(cells) >= filledCells*n && size <= longCell*cells && (ruled || numbers > 0 || len(rows[0]) > 2)
}

// areLineNumbers reports whether the first column counts up, as the numbers of lines of a program do.
func areLineNumbers(rows [][]string) bool {
	counted := 0
	for i := 1; i < len(rows); i++ {
		a, err := strconv.Atoi(rows[i-1][0])
		b, err2 := strconv.Atoi(rows[i][0])
		counted += b2i(err == nil && err2 == nil && b == a+1)
	}
	return 2*counted >= len(rows)-1
}

// isContents reports whether rows are headings and the numbers of their pages, which do not go down.
func isContents(rows [][]string) bool {
	last := 0
	for _, row := range rows {
		n, err := strconv.Atoi(row[len(row)-1])
		if row[len(row)-1] != "" && (err != nil || n < last) {
			return false
		}
		last = max(last, n)
	}
	return len(rows[0]) <= 3
}

// isCode reports whether half of the rows have signs of programs.
func isCode(rows [][]string) bool {
	n := 0
	for _, row := range rows {
		n += b2i(slices.ContainsFunc(row, func(cell string) bool { return strings.ContainsAny(cell, "{}=;") }))
	}
	return 2*n >= len(rows)
}

// isNumber reports whether a cell has digits and no more letters than a unit has.
func isNumber(cell string) bool {
	digits, letters := 0, 0
	for _, r := range cell {
		digits += b2i(unicode.IsDigit(r))
		letters += b2i(unicode.IsLetter(r))
	}
	return digits > 0 && letters <= digits && letters < 4
}

// isMarker reports whether a cell is the bullet or number of a list's item.
func isMarker(cell string) bool {
	return strings.IndexFunc(cell, unicode.IsLetter) < 0 && len(cell) <= 4 &&
		(strings.IndexFunc(cell, unicode.IsDigit) < 0 || strings.ContainsAny(cell, ".)"))
}
