package legacy

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/numfmt"
)

// Types of records ([MS-XLS], section 2.3.2).
const (
	xlsFormula    = 0x0006
	xlsEOF        = 0x000A
	xlsHeader     = 0x0014
	xlsFooter     = 0x0015
	xlsDate1904   = 0x0022
	xlsContinue   = 0x003C
	xlsCodePage   = 0x0042
	xlsBoundSheet = 0x0085
	xlsMulRK      = 0x00BD
	xlsRString    = 0x00D6
	xlsXF         = 0x00E0
	xlsSST        = 0x00FC
	xlsLabelSST   = 0x00FD
	xlsTextBox    = 0x01B6
	xlsNumber     = 0x0203
	xlsLabel      = 0x0204
	xlsBoolErr    = 0x0205
	xlsString     = 0x0207
	xlsRK         = 0x027E
	xlsFormat     = 0x041E
	xlsBOF        = 0x0809

	biff8    = 0x0600
	maxXF    = 100_000
	maxBoxes = 100_000

	maxContinued = 100_000 // records that continue one: 800 MB, if they were full
)

// xlsErrors are the errors that a cell may show (section 2.5.10).
var xlsErrors = map[int]string{
	0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A",
}

// book reads a workbook. Strings are stored back to back in text, and ends[i] is the end of the i-th. That takes 4
// bytes for each string instead of 16 and an allocation. Field codes holds number formats by id, formats the ids by
// the number of a style (XF), parsed the formats in use. A file is one stream of records. First come the globals:
// styles, names of sheets, shared strings. Then comes one substream for each sheet, at the position that the globals
// give.
type book struct {
	*reader
	b        []byte
	wide     bool // BIFF8: strings may be Unicode
	page     int
	date1904 bool
	sheets   []xlsSheet
	text     []byte // of the shared strings
	ends     []uint32
	codes    map[int]string
	formats  []int
	parsed   map[int]*numfmt.Format
	budget   int // bytes of records that may still be read
}

// xlsSheet holds a sheet's name and the position of its substream (BoundSheet8, section 2.4.28).
type xlsSheet struct {
	name string
	at   int
}

// workbook reads the sheets in order: name, rows, header and footer, text boxes.
func (r *reader) workbook(b []byte) {
	k := &book{
		reader: r, b: b, page: codepage.Western, codes: map[int]string{}, parsed: map[int]*numfmt.Format{},
		// As in presentations, several entries of the list may name the same bytes.
		budget: 4*len(b) + 1<<20,
	}
	if u16(b, 0) != xlsBOF {
		r.damaged("the stream with the sheets is none")
		return
	}
	if !k.globals() {
		r.encrypted()
		return
	}
	seen := map[int]bool{}
	// Two sheets at one position would repeat the same rows, and a hostile list has thousands.
	for i, s := range k.sheets {
		if i >= r.o.MaxPages || k.budget < 0 {
			r.doc.Add(doctext.KindLimit, "there are more sheets than are read")
			break
		}
		if i > 0 {
			r.out.Page()
		}
		r.doc.Pages++
		// A page begins with the name of its sheet, as the tab shows it.
		r.out.Add(s.name)
		r.out.Paragraph()
		if !seen[s.at] {
			seen[s.at] = true
			k.sheet(s.at)
		}
	}
}

// records calls visit with the records from a position on, until it returns false. Parameter more of visit holds the
// bodies of the records that continue one.
func (k *book) records(at int, visit func(kind int, body []byte, more [][]byte) bool) {
	// Each record has a type and a length of 16 bits, so every step advances by 4 bytes.
	for at+4 <= len(k.b) && k.budget >= 0 && !k.out.Full() {
		kind, n := u16(k.b, at), u16(k.b, at+2)
		body := cut(k.b, at+4, at+4+n)
		at += 4 + n
		k.budget -= 4 + n
		var more [][]byte
		// Continuations belong to the record before them, whatever its type. One record has at most 8,224 bytes.
		for u16(k.b, at) == xlsContinue && at+4 <= len(k.b) {
			if len(more) < maxContinued {
				more = append(more, cut(k.b, at+4, at+4+u16(k.b, at+2)))
			}
			k.budget -= 4 + u16(k.b, at+2)
			at += 4 + u16(k.b, at+2)
		}
		if !visit(kind, body, more) {
			return
		}
	}
	if at+4 > len(k.b) {
		k.damaged("the workbook ends in the middle")
	}
}

// globals reads the data that sheets share. It returns false if the rest is encrypted under another password than the
// default one.
func (k *book) globals() bool {
	open := k.unlock()
	k.records(0, func(kind int, b []byte, more [][]byte) bool {
		switch kind {
		// The version of BIFF decides how every string is stored; BOF is the first record.
		case xlsBOF:
			k.wide = u16(b, 0) >= biff8
		case xlsCodePage:
			k.page = u16(b, 0)
		case xlsDate1904:
			k.date1904 = u16(b, 0) == 1
		case xlsBoundSheet:
			// The content of a macro sheet is not text, and its name is useless without it.
			if u8(b, 5) == 0 || u8(b, 5) == 2 { // a sheet or a chart, no macros
				k.sheets = append(k.sheets, xlsSheet{k.short(cut(b, 6, len(b))), u32(b, 0)})
			}
		case xlsFormat:
			if len(k.codes) < maxXF {
				k.codes[u16(b, 0)] = k.formatCode(b)
			}
		case xlsXF:
			// Styles refer to formats by id, and cells refer to styles by position. So all styles are kept, even those
			// that show no number.
			if len(k.formats) < maxXF {
				k.formats = append(k.formats, u16(b, 2))
			}
		case xlsSST:
			k.shared(b, more)
		}
		return open && kind != xlsEOF
	})
	return open
}

func (k *book) formatCode(b []byte) string {
	if k.wide {
		return k.long(cut(b, 2, len(b)))
	}
	return k.short(cut(b, 2, len(b)))
}

// shared reads the table of strings.
func (k *book) shared(b []byte, more [][]byte) {
	// 8 bytes of counts come first: the uses of strings, and the number of strings. The latter is only a bound, since
	// a truncated file has fewer.
	c := &chunks{b: cut(b, 8, len(b)), more: more}
	for n := u32(b, 4); n > 0 && (len(c.b) > 0 || len(c.more) > 0); n-- {
		k.text = append(k.text, c.rich()...)
		k.ends = append(k.ends, uint32(len(k.text)))
	}
}

// sheet reads the records of one sheet.
func (k *book) sheet(at int) {
	row, column, depth := -1, -1, 0
	var boxes, edges []string
	k.records(at, func(kind int, b []byte, more [][]byte) bool {
		// Cells begin with row and column, 16 bits each. Rows come in order; a new number ends the row before.
		cell := func() {
			if r := u16(b, 0); r != row {
				k.out.EndRow()
				row, column = r, -1
			}
			k.goTo(&column, u16(b, 2))
		}
		// A chart repeats the cells that it shows, and has edges of its own.
		if depth > 1 && kind != xlsBOF && kind != xlsEOF && kind != xlsTextBox {
			return true
		}
		switch kind {
		case xlsBOF: // also begins a chart in the sheet
			depth++
		case xlsEOF:
			depth--
		case xlsLabelSST, xlsLabel, xlsRString, xlsNumber, xlsRK, xlsBoolErr, xlsFormula:
			// If the result of a formula is a string, its text is in a String record after it. The cell stays open
			// until then.
			cell()
			k.cell(k.value(kind, b, more), kind == xlsFormula && isString(b))
		// This text belongs to the formula before it.
		case xlsString:
			k.cell(k.long(b, more...), false)
		case xlsMulRK:
			cell()
			k.several(b, &column)
		case xlsHeader, xlsFooter:
			edges = append(edges, numfmt.Edge(k.edge(b)))
		// The text is in the continuations, the formatting in the last one (TxO, section 2.4.329).
		case xlsTextBox:
			if len(more) > 0 && u16(b, 10) > 0 && len(boxes) < maxBoxes {
				boxes = append(boxes, boxText(u16(b, 10), more))
			}
		}
		// Charts are substreams inside the sheet; the sheet ends with the EOF that matches its BOF.
		return depth > 0
	})
	k.out.EndRow()
	k.out.Paragraph()
	for _, text := range append(boxes, edges...) {
		k.out.Add(text)
		k.out.Paragraph()
	}
}

// goTo writes the empty cells before a column. Package flow writes at most a hundred tabs in a row.
func (k *book) goTo(column *int, to int) {
	for range min(to-*column-1, 100) {
		k.out.StartCell()
		k.out.EndCell()
	}
	*column = to
}

// cell writes a cell. It leaves a cell open whose text is in the next record.
func (k *book) cell(text string, open bool) {
	if open {
		return
	}
	k.out.StartCell()
	k.out.Add(text)
	k.out.EndCell()
}

// isString reports whether the result of a formula is a string. Bytes 6 to 13 hold the result, which is a float unless
// the last two are 0xFFFF. In that case the first gives its kind: 0 string, 1 boolean, 2 error, 3 empty (section
// 2.5.133).
func isString(b []byte) bool { return u16(b, 12) == 0xFFFF && u8(b, 6) == 0 }

// value returns the text that a cell shows.
func (k *book) value(kind int, b []byte, more [][]byte) string {
	switch kind {
	case xlsLabelSST:
		// An index outside the table leaves the cell empty. Only the record is broken.
		if i := u32(b, 6); i < len(k.ends) {
			start := uint32(0)
			if i > 0 {
				start = k.ends[i-1]
			}
			return string(k.text[start:k.ends[i]])
		}
	case xlsLabel, xlsRString:
		return k.long(cut(b, 6, len(b)), more...)
	case xlsNumber:
		return k.number(float(b, 6), u16(b, 4))
	case xlsRK:
		return k.number(rk(u32(b, 6)), u16(b, 4))
	case xlsBoolErr:
		return flag(u8(b, 6), u8(b, 7) == 1)
	case xlsFormula:
		if u16(b, 12) != 0xFFFF {
			return k.number(float(b, 6), u16(b, 4))
		}
		// A boolean or an error; an empty string (3) shows nothing.
		if kind := u8(b, 6); kind == 1 || kind == 2 {
			return flag(u8(b, 8), kind == 2)
		}
	}
	return ""
}

func flag(v int, isError bool) string {
	switch {
	case isError:
		return xlsErrors[v]
	case v == 0:
		return "FALSE"
	}
	return "TRUE"
}

// several reads a row of numbers (MulRk): 6 bytes for each, a style and an RK. The last column follows them; the loop
// leaves it out.
func (k *book) several(b []byte, column *int) {
	for at := 4; at+8 <= len(b); at += 6 {
		k.cell(k.number(rk(u32(b, at+2)), u16(b, at)), false)
		*column++
	}
	// column is the last column written.
	*column--
}

// number returns v in the format of a cell's style.
func (k *book) number(v float64, style int) string {
	id := 0
	if style < len(k.formats) {
		id = k.formats[style]
	}
	// A format is parsed once for a workbook. The table has at most maxXF entries, since id comes from one of them.
	if k.parsed[id] == nil {
		code, ok := k.codes[id]
		if !ok {
			code = numfmt.Builtin(id)
		}
		k.parsed[id] = numfmt.Parse(code)
	}
	return k.parsed[id].Text(v, k.date1904)
}

func float(b []byte, at int) float64 {
	if at+8 > len(b) {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
}

// rk decodes a number of 30 bits: the upper bits of a float, or an integer, possibly in hundredths (section 2.5.217).
// If bit 1 is clear, the upper 30 bits of n are the upper ones of a 64-bit float. Its lower 34 bits are zero.
func rk(n int) float64 {
	v := math.Float64frombits(uint64(n&^3) << 32)
	if n&2 != 0 {
		// The shift is signed, so negative integers keep their sign.
		v = float64(int32(uint32(n)) >> 2)
	}
	if n&1 != 0 {
		v /= 100
	}
	return v
}

// edge returns the text of a header or footer.
func (k *book) edge(b []byte) string {
	if k.wide {
		return k.long(b)
	}
	return k.short(b)
}

// short reads a string with an 8-bit length, long one with a 16-bit length that may continue in other records.
func (k *book) short(b []byte) string {
	if !k.wide {
		return codepage.Decode(k.page, cut(b, 1, 1+u8(b, 0)))
	}
	c := &chunks{b: cut(b, 1, len(b))}
	return c.wideOrNot(u8(b, 0))
}

func (k *book) long(b []byte, more ...[]byte) string {
	c := &chunks{b: cut(b, 2, len(b)), more: more}
	if !k.wide {
		return codepage.Decode(k.page, c.take(u16(b, 0)))
	}
	return c.wideOrNot(u16(b, 0))
}

// boxText reads the n characters of a text box.
func boxText(n int, more [][]byte) string {
	c := &chunks{more: more}
	return strings.TrimRight(c.wideOrNot(n), "\x00")
}
