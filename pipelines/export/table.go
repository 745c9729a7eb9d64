package export

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/gleaner-web/gleaner/schemas"
)

// Table gathers rows for a terminal: its widths are known when all of a screen are there, so it prints in
// screens of gridRows, which also bounds its memory.
type Table struct {
	out    io.Writer
	fields []string
	g      *Grid
}

// NewTable returns a writer of documents, or by Add of any cells, below a line of names.
func NewTable(out io.Writer, fields []string) *Table { return &Table{out: out, fields: fields} }

// gridRows is more than a terminal shows at a time. Rows are held until a screen is whole: without a bound, all of
// them.
const gridRows = 1000

// Columns are the fields.
func (w *Table) Columns() []string { return w.fields }

// Write adds the fields of a document.
func (w *Table) Write(d *schemas.Document) error {
	list, err := cells(d, w.fields)
	if err != nil {
		return err
	}
	return w.Add(list)
}

// Add adds a row of cells.
func (w *Table) Add(cells []string) error {
	if w.g == nil {
		w.g = NewGrid(w.fields)
	}
	w.g.Add(cells)
	// More than, since the first row are the names.
	if len(w.g.rows) > gridRows {
		return w.Close()
	}
	return nil
}

// Close prints the rows that are not printed yet.
func (w *Table) Close() error {
	if w.g == nil {
		return nil
	}
	// Forgotten, so that the next screen has widths and a line of names of its own.
	g := w.g
	w.g = nil
	return g.Print(w.out, TerminalWidth())
}

// TerminalWidth is how many columns standard output has; 0 when it is not a terminal.
func TerminalWidth() int {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Grid is a table whose widths are not known yet; its first row are the names.
type Grid struct {
	rows   [][]string
	widths []int
	// Right is the column whose cells are at the right; -1 for none.
	Right int
}

// NewGrid returns a table with the names of its columns.
func NewGrid(names []string) *Grid {
	g := &Grid{widths: make([]int, len(names)), Right: -1}
	g.Add(names)
	return g
}

// maxCell is how wide a column gets, except for the last one, which has what is left of the terminal. Longer cells push
// the others aside where nothing is cut.
const maxCell = 40

// Add adds a row. Widths are those of all rows, so a table is held whole before it is printed.
func (g *Grid) Add(cells []string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = printable(c)
		g.widths[i] = max(g.widths[i], min(columns(row[i]), maxCell))
	}
	g.rows = append(g.rows, row)
}

// Print writes the table. A terminal's lines are not wrapped: the last column is cut to what is left of total columns,
// and others to maxCell. Where there is no terminal total is 0, and nothing is cut: a program reads it, or a file has
// it.
func (g *Grid) Print(out io.Writer, total int) error {
	var b strings.Builder
	for _, row := range g.rows {
		left := total
		for i, c := range row {
			switch {
			case i == len(row)-1 && i != g.Right:
				if total > 0 {
					// Never below 10: on a very narrow terminal lines wrap, where else the last column would be gone.
					c = cut(c, max(left, 10))
				}
				b.WriteString(c)
				// The last column is not filled up with blanks: lines would end in them.
				continue
			case i == g.Right:
				b.WriteString(strings.Repeat(" ", g.widths[i]-columns(c)) + c)
			default:
				if total > 0 {
					c = cut(c, g.widths[i])
				}
				b.WriteString(c + strings.Repeat(" ", max(0, g.widths[i]-columns(c))))
			}
			if i < len(row)-1 {
				b.WriteString("  ")
			}
			// Two for the blanks between columns.
			left -= g.widths[i] + 2
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// printable is a text on one line that a terminal shows and does not obey: pages may hold escape sequences, and marks
// that turn the direction of what follows.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		// A dot takes its place, so that people see that something was there.
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == unicode.ReplacementChar:
			return '\u00b7'
		}
		return r
	}, s)
}

// columns is how many columns of a terminal a text takes: two for the wide letters of East Asia (Unicode Standard Annex
// #11), none for marks that stand on the letter before.
func columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	// Nonspacing and enclosing marks, and formatting characters, such as a joiner.
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens a text to so many columns, with … at the end of what is cut.
func cut(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		// One column is left for the … itself.
		if n += columnsOf(r); n > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}
