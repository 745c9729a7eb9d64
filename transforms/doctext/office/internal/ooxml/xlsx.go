package ooxml

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/numfmt"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	maxCell   = 32_767  // characters of a cell, a limit of the format
	maxStyles = 100_000 // the format has 65,490 cell formats
)

// book holds the data that the sheets of a workbook share. Strings are stored back to back in text, and ends[i] is the
// end of the i-th. A workbook may have a million strings, and each would need an allocation. By default parts are
// bounded by 64 MiB, far below the 4 GiB of a uint32. Field formats is indexed by the style of a cell; equal codes
// share a format.
type book struct {
	text     []byte // of the shared strings
	ends     []uint32
	codes    map[int]string // number formats, by id
	formats  []*numfmt.Format
	byCode   map[string]*numfmt.Format
	date1904 bool
}

// sheet is an entry of the workbook's list.
type sheet struct{ name, part string }

// workbook reads the sheets in order: name, rows, header and footer, drawings, comments.
func (r *reader) workbook(main string) {
	b := &book{codes: map[int]string{}, byCode: map[string]*numfmt.Format{}}
	r.escapes = true
	sheets := r.sheets(main, b)
	// If the workbook part is lost, main is one of the sheets, and the shared parts are in the parent folder.
	dir := main[:strings.LastIndexByte(main, '/')+1]
	if strings.HasSuffix(dir, "worksheets/") {
		dir = "xl/"
	}
	// Strings and styles come first, since sheets refer to them by number.
	r.shared(first(r.targets(main, "sharedStrings"), dir+"sharedStrings.xml"), b)
	r.styles(first(r.targets(main, "styles"), dir+"styles.xml"), b)
	for i, s := range sheets {
		if r.limitPages(i) {
			break
		}
		if i > 0 {
			r.out.Page()
		}
		r.doc.Pages++
		r.out.Add(s.name)
		r.out.Paragraph()
		r.sheet(s.part, b)
	}
}

func first(names []string, otherwise string) string {
	if len(names) > 0 {
		return names[0]
	}
	return otherwise
}

// sheets returns the sheets of the workbook's list, in order. Chart sheets and hidden sheets are included.
func (r *reader) sheets(main string, b *book) []sheet {
	var sheets []sheet
	r.walk(main, func(s *xmlscan.Scanner) {
		switch {
		case s.Kind != xmlscan.Start:
		case s.Name == "workbookPr":
			b.date1904 = isTrue(s.Attr("date1904"))
		case s.Name == "sheet":
			if part := r.target(main, s.QualifiedAttr("id")); r.once(part) {
				sheets = append(sheets, sheet{string(unescape([]byte(s.Attr("name")))), part})
			}
		}
	})
	// The list is lost, so sheets come in the order of their numbers, without names.
	if len(sheets) == 0 {
		for _, part := range r.numbered("xl/worksheets/sheet") {
			sheets = append(sheets, sheet{"", part})
		}
	}
	return sheets
}

// isTrue reads a flag. ST_OnOff has all three forms.
func isTrue(value string) bool { return value == "1" || value == "true" || value == "on" }

// shared reads the strings that cells refer to by number.
func (r *reader) shared(part string, b *book) {
	how, begin := flow.Level, 0 // of the run and the string at hand
	r.walk(part, func(s *xmlscan.Scanner) {
		switch {
		case s.Kind == xmlscan.Start && s.Name == "si":
			begin = len(b.text)
		case s.Kind == xmlscan.Start && s.Name == "rPr":
			how = flow.Level
			for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
				if s.Kind == xmlscan.Start && s.Name == "vertAlign" {
					how = verticals[s.Attr("val")]
				}
			}
		case s.Kind == xmlscan.End && s.Name == "r":
			how = flow.Level
		case s.Kind == xmlscan.Start && skipped[s.Name]:
			// These are phonetic readings of East Asian strings.
			s.Skip()
		case s.Kind == xmlscan.Text && s.Parent() == "t":
			// A string may consist of several runs, each with a <t>. They are joined.
			text := unescape(s.Text)
			if how != flow.Level {
				if mark := page.RaisedMark(string(b.text[begin:]), string(text), how == flow.Sub); mark != 0 {
					b.text = utf8.AppendRune(b.text, mark)
				}
			}
			b.text = append(b.text, text...)
		case s.Kind == xmlscan.End && s.Name == "si":
			// Empty strings have an end too, so that numbers stay right.
			b.ends = append(b.ends, uint32(len(b.text)))
		}
	})
}

// shared returns the string with a number, or nil if there is none. Cells hold the number as text. A number outside
// the table shows nothing.
func (b *book) shared(number string) []byte {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(b.ends) {
		return nil
	}
	start := uint32(0)
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.text[start:b.ends[i]]
}

// styles reads the number formats and the number format of each cell format.
func (r *reader) styles(part string, b *book) {
	cells := false
	r.walk(part, func(s *xmlscan.Scanner) {
		if s.Name == "cellXfs" { // formats of cells; named styles have others
			cells = s.Kind == xmlscan.Start
		}
		if s.Kind != xmlscan.Start {
			return
		}
		// Number formats come before the cell formats (CT_Stylesheet is a sequence), so format finds them.
		id, err := strconv.Atoi(s.Attr("numFmtId"))
		switch {
		// An <xf> without a format has id 0, General, and must keep its place in the list.
		case err != nil && s.Name != "xf":
		case s.Name == "numFmt" && len(b.codes) < maxStyles:
			b.codes[id] = s.Attr("formatCode")
		case s.Name == "xf" && cells && len(b.formats) < maxStyles:
			b.formats = append(b.formats, b.format(id))
		}
	})
}

// format returns the format with an id, defined in the file or built in.
func (b *book) format(id int) *numfmt.Format {
	code, ok := b.codes[id]
	if !ok {
		code = numfmt.Builtin(id)
	}
	if b.byCode[code] == nil {
		b.byCode[code] = numfmt.Parse(code)
	}
	return b.byCode[code]
}

// cell is the part of a cell read so far.
type cell struct {
	kind  string
	style int
	value []byte
}

// sheet adds the rows of a sheet and what belongs to it.
func (r *reader) sheet(part string, b *book) {
	var c cell
	var edges []string
	column := 0 // the last column written in this row
	r.walk(part, func(s *xmlscan.Scanner) {
		switch s.Kind {
		case xmlscan.Start:
			switch s.Name {
			case "row":
				column = 0
			case "c":
				// The value reuses its memory from cell to cell.
				c = cell{kind: s.Attr("t"), value: c.value[:0]}
				// The style is a position among cellXfs.
				c.style, _ = strconv.Atoi(s.Attr("s")) // without one it is 0, the default
				column = r.goTo(column, s.Attr("r"))
			// These are formulas, readings, extensions of newer programs, and other users' views, which repeat headers.
			case "f", "rPh", "extLst", "customSheetViews":
				s.Skip()
			}
		case xmlscan.Text:
			switch parent := s.Parent(); {
			// <v> holds the value or the number of a string, <t> a string stored in the cell. A cell takes at most
			// four bytes for each character that the format allows.
			case parent == "v" || parent == "t":
				c.value = append(c.value, s.Text[:min(len(s.Text), max(4*maxCell-len(c.value), 0))]...)
			// In the XML, headers and footers come after the rows.
			case isEdge(parent):
				edges = append(edges, numfmt.Edge(string(unescape(s.Text))))
			}
		case xmlscan.End:
			switch s.Name {
			case "c":
				r.out.StartCell()
				r.cell(&c, b)
				r.out.EndCell()
			case "row":
				r.out.EndRow()
			}
		}
	})
	r.out.Paragraph()
	for _, e := range edges {
		r.out.Add(e)
		r.out.Paragraph()
	}
	r.beside(part)
}

// goTo writes the empty cells between the last column written and that of a reference such as "C7". It returns the new
// column. Columns have at most three letters, A to XFD, so at does not overflow. A cell without a reference is the
// next one.
func (r *reader) goTo(column int, ref string) int {
	at := 0
	for i := 0; i < len(ref) && i < 3 && ref[i] >= 'A' && ref[i] <= 'Z'; i++ {
		at = at*26 + int(ref[i]-'A') + 1
	}
	for range min(at-column-1, 100) {
		r.out.StartCell()
		r.out.EndCell()
	}
	return max(at, column+1)
}

func (r *reader) cell(c *cell, b *book) {
	// The kinds are those of section 18.18.11: "s" shared string, "b" boolean, "n" number. The kinds "str",
	// "inlineStr", "e" (error) and "d" (ISO date) are written unchanged.
	switch c.kind {
	case "s":
		r.out.AddBytes(b.shared(strings.TrimSpace(string(c.value))))
		return
	case "b":
		if isTrue(string(c.value)) {
			r.out.Add("TRUE")
		} else if len(c.value) > 0 {
			r.out.Add("FALSE")
		}
		return
	case "", "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(string(c.value)), 64)
		// A value that is not a number is written unchanged.
		if err != nil || math.IsInf(v, 0) {
			break
		}
		// The zero Format is General.
		f := &numfmt.Format{}
		if c.style >= 0 && c.style < len(b.formats) {
			f = b.formats[c.style]
		}
		r.out.Add(f.Text(v, b.date1904))
		return
	}
	r.out.AddBytes(unescape(c.value))
}

// beside adds the contents of a sheet that have parts of their own.
func (r *reader) beside(sheet string) {
	for _, drawing := range r.targets(sheet, "drawing") {
		if r.once(drawing) {
			r.textPart(drawing)
		}
	}
	threads := r.targets(sheet, "threadedComment")
	for _, part := range r.targets(sheet, "comments") {
		if r.once(part) {
			r.notes(part, len(threads) > 0)
		}
	}
	for _, part := range threads {
		if r.once(part) {
			r.comments(part)
		}
	}
}

// notes adds the notes of a sheet, without those that repeat threads for programs before Office 365. The authors of
// these begin with "tc=".
func (r *reader) notes(part string, threads bool) {
	var authors []string
	r.walk(part, func(s *xmlscan.Scanner) {
		switch {
		case s.Kind == xmlscan.Start && s.Name == "author":
			authors = append(authors, s.All(maxCell))
		case s.Kind == xmlscan.Start && s.Name == "comment" && threads:
			author, err := strconv.Atoi(s.Attr("authorId"))
			named := err == nil && author >= 0 && author < len(authors)
			if named && !strings.HasPrefix(authors[author], "tc=") {
				return
			}
			if text := s.All(maxCell); !named && !strings.HasPrefix(text, "[Threaded comment]") {
				r.out.Add(text)
				r.out.Paragraph()
			}
		default:
			r.comment(part, s)
		}
	})
	r.out.Paragraph()
}

func isEdge(name string) bool {
	switch name {
	case "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		return true
	}
	return false
}
