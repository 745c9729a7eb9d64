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

// Table prints rows for a terminal in screens of gridRows, because the widths depend on all rows of a screen. This
// bounds its memory.
type Table struct {
	out    io.Writer
	fields []string
	g      *Grid
}

// NewTable returns a table with the columns fields, for documents or for cells by Add.
func NewTable(out io.Writer, fields []string) *Table { return &Table{out: out, fields: fields} }

// gridRows is more than a terminal shows.
const gridRows = 1000

// Columns returns the fields.
func (w *Table) Columns() []string { return w.fields }

// Write adds a row with the fields of a document.
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
	// The first row has the names, hence >.
	if len(w.g.rows) > gridRows {
		return w.Close()
	}
	return nil
}

// Close prints the remaining rows.
func (w *Table) Close() error {
	if w.g == nil {
		return nil
	}
	// The next screen gets its own widths and names.
	g := w.g
	w.g = nil
	return g.Print(w.out, TerminalWidth())
}

// TerminalWidth returns the columns of standard output, or 0 if it is not a terminal.
func TerminalWidth() int {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Grid is a table whose widths depend on all its rows. The first row has the names.
type Grid struct {
	rows   [][]string
	widths []int
	// Right is the index of a right-aligned column, or -1.
	Right int
}

// NewGrid returns a table with the names of its columns.
func NewGrid(names []string) *Grid {
	g := &Grid{widths: make([]int, len(names)), Right: -1}
	g.Add(names)
	return g
}

// maxCell limits the width of columns except the last, which gets the rest of the terminal. Without truncation,
// longer cells shift the following ones.
const maxCell = 40

// Add adds a row.
func (g *Grid) Add(cells []string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = printable(c)
		g.widths[i] = max(g.widths[i], min(columns(row[i]), maxCell))
	}
	g.rows = append(g.rows, row)
}

// Print writes the table. For a terminal of total columns it truncates the last column to the remaining width, and
// others to maxCell. If total is 0, as for a program or file, nothing is truncated.
func (g *Grid) Print(out io.Writer, total int) error {
	var b strings.Builder
	for _, row := range g.rows {
		left := total
		for i, c := range row {
			switch {
			case i == len(row)-1 && i != g.Right:
				if total > 0 {
					// On a terminal too narrow for 10 columns the lines wrap.
					c = cut(c, max(left, 10))
				}
				b.WriteString(c)
				// No padding: lines must not end in blanks.
				continue
			case i == g.Right:
				b.WriteString(strings.Repeat(" ", max(0, g.widths[i]-columns(c))) + c)
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

// printable makes a text safe for one line of a terminal: pages may have escape sequences and marks that change the
// text direction.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		// A dot shows that something was there.
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == unicode.ReplacementChar:
			return '\u00b7'
		}
		return r
	}, s)
}

// columns returns the width of a text on a terminal. Wide East Asian characters take two columns (Unicode Standard
// Annex #11), combining marks none.
func columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	// Nonspacing and enclosing marks, and format characters such as joiners.
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut truncates a text to limit columns, ending in …
func cut(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		// One column is for the …
		if n += columnsOf(r); n > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}
