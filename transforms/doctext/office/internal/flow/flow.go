// Package flow assembles a document's text: paragraphs, rows of cells, pages. Dividers are written only when text
// follows. So empty paragraphs, rows and cells leave only the tabs that keep columns apart.
//
//	t := flow.New(1 << 20)
//	t.Add("one")
//	t.Paragraph()
//	t.Add("two")
//	t.String() // "one\n\ntwo"
package flow

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// gap is the divider due before the next text. Larger gaps win, so max chooses among them.
type gap uint8

const (
	gapNone gap = iota
	gapSpace
	gapLine
	gapParagraph
	gapPage
)

// maxTabs bounds the tabs for empty cells in a row: sheets have 16,384 columns.
const maxTabs = 100

// The bytes given are bounded too, as a multiple of the limit. A cell of white space that a sheet shows a million
// times costs work and adds no text. With the constant part, a text with a short limit (a header, a description) can
// still skip a document's long white space.
const (
	workRatio = 8
	freeWork  = 1 << 20
)

// Text is a text that grows up to a limit. Make one with New. A call such as Paragraph only notes a gap, and method
// open writes it before the next text. So the text never ends in dividers, and a hundred empty paragraphs cost
// nothing.
type Text struct {
	buf   []byte
	max   int
	gap   gap
	tabs  int // cells ended in this row since its last text
	pages int // page breaks that are due
	cells int // open cells, one inside the other
	mark  int // where the text of the outermost cell begins; -1 before it has any
	row   int // likewise of the row, with the tabs before it
	work  int // bytes given, written or not
	fresh bool
	full  bool

	raised Raised // the last addition

	heading heading
}

// New returns an empty text of at most limit bytes.
func New(limit int) *Text { return &Text{max: limit, fresh: true} }

// Add writes s, which may be a part of a paragraph. It leaves out white space at the beginning of a paragraph.
func (t *Text) Add(s string) { add(t, s) }

// AddRaised adds superscript or subscript with the mark that keeps it apart from a number before it.
func (t *Text) AddRaised(s string, how Raised) {
	if how == Level || t.raised == how || t.fresh || t.gap != gapNone || t.tabs > 0 || len(t.buf) == 0 {
		t.Add(s)
		t.raised = how
		return
	}
	// White space before the text is that of the run.
	if mark := page.RaisedMark(string(t.buf[max(0, len(t.buf)-maxBefore):]), s, how == Sub); mark != 0 {
		t.Add(string(mark))
	}
	t.Add(s)
	t.raised = how
}

// Raised puts text on the line, above or below it.
type Raised uint8

// Text on the line, superscript and subscript.
const (
	Level Raised = iota
	Super
	Sub
)

// maxBefore is how much text before superscript tells what it is.
const maxBefore = 64

// AddBytes is Add for bytes.
func (t *Text) AddBytes(s []byte) { add(t, s) }

// add is Add for both. It is generic to avoid a conversion, which would copy every run of text.
func add[S string | []byte](t *Text, s S) {
	t.raised = Level
	// A full text stays full, so that a short text after a long one is not added.
	if t.full = t.full || t.work > workRatio*t.max+freeWork; t.full || len(s) == 0 {
		return
	}
	t.work += len(s)
	// After a divider, leading white space is layout of the source (indented XML) and not text.
	if t.fresh || t.gap != gapNone || t.tabs > 0 {
		for len(s) > 0 && (s[0] == ' ' || s[0] == '\t' || s[0] == '\n' || s[0] == '\r') {
			s = s[1:]
		}
		if len(s) == 0 {
			return
		}
		t.open()
	}
	room := t.max - len(t.buf)
	// The cut may fall inside a character; clean drops the broken end.
	if len(s) > room {
		s, t.full = s[:max(room, 0)], true
	}
	from := len(t.buf)
	t.buf = append(t.buf, s...)
	t.clean(from)
}

// open writes the gap between the last text and the next. It is called only when there is text. It first removes white
// space before the break, since the last cell or line may have ended with some.
func (t *Text) open() {
	if t.gap >= gapLine || t.tabs > 0 {
		t.buf = bytes.TrimRight(t.buf, " \t\n")
	}
	first := len(t.buf) == 0
	switch {
	case t.gap == gapPage:
		t.repeat("\f", t.pages)
	case first:
	case t.gap == gapParagraph:
		t.repeat("\n", 2)
	case t.gap == gapLine:
		t.repeat("\n", 1)
	// One space is enough, however many breaks an inner cell had.
	case t.gap == gapSpace && t.tabs == 0 && t.buf[len(t.buf)-1] != ' ':
		t.repeat(" ", 1)
	}
	if t.row < 0 {
		t.row = len(t.buf)
	}
	// Empty columns between two cells keep their tabs, so that the columns of rows can be compared. Up to maxTabs
	// their number is exact.
	t.repeat("\t", min(t.tabs, maxTabs))
	t.gap, t.tabs, t.pages, t.fresh = gapNone, 0, 0, false
	// This text is the first of the outermost cell. RepeatCell copies from here.
	if t.mark < 0 {
		t.mark = len(t.buf)
	}
}

func (t *Text) repeat(s string, n int) {
	for range min(n, t.max-len(t.buf)) {
		t.buf = append(t.buf, s...)
	}
}

// clean removes control characters and invalid UTF-8 from the text after a position. Tabs and line ends stay. A form
// feed in the source is removed, since it would look like a page break.
func (t *Text) clean(from int) {
	// This works in place: valid UTF-8 stays valid without bytes below 0x20, and the text only gets shorter.
	s := t.buf[from:]
	if !utf8.Valid(s) {
		s = bytes.ToValidUTF8(s, nil)
	}
	for _, c := range s {
		if c < ' ' && c != '\t' && c != '\n' {
			s = strip(s)
			break
		}
	}
	t.buf = append(t.buf[:from], s...)
}

func strip(s []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' {
			return -1
		}
		return r
	}, s)
}

// Full reports whether the limit was reached and later text was lost.
func (t *Text) Full() bool { return t.full }

// due notes a gap before the next text. Inside a cell, lines and paragraphs become spaces, since a row must stay on
// its line.
func (t *Text) due(g gap) {
	if t.cells > 0 && g < gapPage {
		g = gapSpace
	}
	t.gap = max(t.gap, g)
}

// Tab writes a tab between words.
func (t *Text) Tab() {
	if t.cells > 0 {
		t.due(gapSpace)
		return
	}
	t.Add("\t")
}

// Space divides words. Inside a cell, lines and paragraphs do the same.
func (t *Text) Space() { t.due(gapSpace) }

// Line ends a line.
func (t *Text) Line() { t.due(gapLine) }

// Paragraph ends a paragraph.
func (t *Text) Paragraph() {
	t.endHeading()
	t.due(gapParagraph)
}

// Page ends a page, slide or sheet.
func (t *Text) Page() {
	// Every page counts: three empty slides leave three form feeds, so that page numbers can be counted from them.
	t.pages++
	t.due(gapPage)
	// A row does not continue on the next page. Hostile or broken sources may not close their rows.
	t.tabs, t.cells = 0, 0
}

// StartCell begins a cell of a row. The text of inner cells becomes words of the outer one.
func (t *Text) StartCell() {
	if t.cells++; t.cells == 1 {
		t.mark = -1
	}
}

// EndCell ends the cell.
func (t *Text) EndCell() {
	// Ends without a beginning come from broken markup and do nothing.
	t.cells = max(t.cells-1, 0)
	if t.cells > 0 {
		t.due(gapSpace)
		return
	}
	// Otherwise white space at the end of a cell would become a blank before the tab.
	if t.gap == gapSpace {
		t.gap = gapNone
	}
	t.tabs++
}

// RepeatCell writes the last cell n more times.
func (t *Text) RepeatCell(n int) {
	if t.cells > 0 {
		return
	}
	content := ""
	// Method open may have removed white space after the mark; then there is no content to repeat.
	if t.mark >= 0 && t.mark < len(t.buf) {
		content = string(t.buf[t.mark:])
	}
	if content == "" {
		t.tabs += max(n, 0)
		return
	}
	for ; n > 0 && !t.full; n-- {
		t.StartCell()
		t.Add(content)
		t.EndCell()
	}
}

// StartRow begins a row that RepeatRow may repeat. Rows of inner tables are parts of a cell.
func (t *Text) StartRow() {
	if t.cells == 0 {
		t.row = -1
	}
}

// RepeatRow writes the text of the row n more times, before its end. The text is full if a row has no room.
func (t *Text) RepeatRow(n int) {
	if t.cells > 0 || t.row < 0 || t.row >= len(t.buf) || n < 1 {
		return
	}
	t.buf = bytes.TrimRight(t.buf, " \t\n")
	row := "\n" + string(t.buf[min(t.row, len(t.buf)):])
	for ; n > 0 && !t.full; n-- {
		if t.full = len(row) > t.max-len(t.buf); !t.full {
			t.buf = append(t.buf, row...)
		}
	}
}

// EndRow ends a row.
func (t *Text) EndRow() {
	t.due(gapLine)
	// Inside a cell of an outer table the row belongs to an inner table, and the outer row keeps its tabs.
	if t.cells == 0 {
		t.tabs = 0
	}
}

// Append adds the text of other as paragraphs of its own. It drops gaps that are due in other.
func (t *Text) Append(other *Text) {
	if s := other.String(); s != "" && !t.full {
		t.Paragraph()
		t.open()
		room := max(t.max-len(t.buf), 0)
		t.full = len(s) > room
		// The cut may fall inside a character; ToValidUTF8 drops its bytes.
		t.buf = append(t.buf, strings.ToValidUTF8(s[:min(len(s), room)], "")...)
		t.Paragraph()
	}
	t.full = t.full || other.full
}

// String returns the text, without white space at its ends.
func (t *Text) String() string { return strings.Trim(string(t.buf), " \t\n") }
