// Package odf reads OpenDocument: text (ODT), spreadsheets (ODS), presentations (ODP), drawings and their templates.
// They may be archives or flat XML. It also reads the formats of OpenOffice.org 1.x (SXW, SXC, SXI), whose elements
// have the same names.
//
// The format is ISO/IEC 26300 (https://docs.oasis-open.org/office/OpenDocument/v1.3/).
package odf

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// ErrFormat is returned for input that is not an OpenDocument.
var ErrFormat = errors.New("not OpenDocument")

// maxSpaces bounds how often a repeated space is written, maxRepeat how often a cell or row is. Sheets fill the last
// of their 16,384 columns and 1,048,576 rows with one empty cell.
const (
	maxSpaces = 100
	maxRepeat = 1 << 20
)

// reader reads one document. Notes, headers and footers are collected separately and joined in finish, because in the
// XML they are in the middle of sentences.
type reader struct {
	a      *parts.Archive // nil when the document is flat
	doc    *doctext.Document
	o      doctext.Options
	out    *flow.Text // where text goes: body, or one of the others
	body   *flow.Text
	notes  *flow.Text
	header *flow.Text
	footer *flow.Text
	said   map[string]bool // headers and footers already added
	inText int             // paragraphs and headings that are open
	repeat []int           // repetitions of the open cells
	rows   []int           // likewise of rows
	values map[string][]string

	styles map[string]style // automatic ones
	spans  []flow.Raised    // that are open

	properties int             // number of values kept
	objects    map[string]bool // objects already read
	inside     int             // open objects
}

func newReader(a *parts.Archive, doc *doctext.Document, o doctext.Options) *reader {
	o = o.WithDefaults()
	r := &reader{
		a: a, doc: doc, o: o, body: flow.New(o.MaxText), notes: flow.New(o.MaxText), header: flow.New(o.MaxText),
		footer: flow.New(o.MaxText), said: map[string]bool{}, values: map[string][]string{}, objects: map[string]bool{},
	}
	r.out = r.body
	return r
}

// Read reads the document in the archive.
func Read(a *parts.Archive, doc *doctext.Document, o doctext.Options) error {
	// One of the two is enough: a truncated archive may have lost the other.
	if !a.Has("content.xml") && !a.Has("meta.xml") {
		return ErrFormat
	}
	r := newReader(a, doc, o)
	// The manifest lists how each part is encrypted. One encrypted part makes the document an encrypted one.
	if bytes.Contains(a.Read("META-INF/manifest.xml"), []byte("encryption-data")) {
		doc.Add(doctext.KindEncrypted, "a password is needed")
	}
	if meta := a.Read("meta.xml"); len(doc.Problems) == 0 || bytes.Contains(meta, []byte("<office:")) {
		r.scan("meta.xml", meta) // some programs leave it readable
	}
	// Encrypted content is noise and would only add a second problem. Other problems do not prevent reading.
	if len(doc.Problems) == 0 || doc.Problems[0].Kind != doctext.KindEncrypted {
		r.scan("content.xml", a.Read("content.xml"))
		// Headers and footers are among the styles.
		r.scan("styles.xml", a.Read("styles.xml"))
	}
	r.finish()
	return nil
}

// ReadFlat reads a document that is one XML file.
func ReadFlat(src []byte, doc *doctext.Document, o doctext.Options) error {
	r := newReader(nil, doc, o)
	// The root element tells flat OpenDocument ("document") and its older forms ("document-content") from other XML.
	s := xmlscan.New(src, r.o.MaxDepth)
	for s.Next() {
		if s.Kind == xmlscan.Start {
			break
		}
	}
	if s.Name != "document" && !strings.HasPrefix(s.Name, "document-") {
		return ErrFormat
	}
	r.tokens("the document", s)
	r.finish()
	return nil
}

func (r *reader) scan(name string, src []byte) {
	if len(src) > 0 {
		r.tokens(name, xmlscan.New(src, r.o.MaxDepth))
	}
}

func (r *reader) tokens(name string, s *xmlscan.Scanner) {
	// One page beyond the limit ends the loop; newPage has noted it by then.
	for !r.body.Full() && r.doc.Pages <= r.o.MaxPages && s.Next() {
		switch s.Kind {
		case xmlscan.Start:
			r.start(s)
		case xmlscan.End:
			r.end(s.Name, s.Parent())
		case xmlscan.Text:
			r.text(s.Text)
		}
	}
	// ErrDepth is our bound; every other error is a fault of the document.
	switch err := s.Err(); {
	case errors.Is(err, xmlscan.ErrDepth):
		r.doc.Add(doctext.KindLimit, name+": "+err.Error())
	case err != nil:
		r.doc.Add(doctext.KindDamaged, name+": "+err.Error())
	}
}

func (r *reader) finish() {
	all := flow.New(r.o.MaxText)
	for _, t := range []*flow.Text{r.header, r.body, r.notes, r.footer} {
		// This is the order in which they appear in print, with all notes at the end.
		all.Append(t)
	}
	r.doc.Text, r.doc.Shown = all.String(), r.body.Shown()
	if all.Full() {
		r.doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	r.describe()
}

// skipped are elements whose text is not part of the document's. They are deleted text, scripts, styles, names of
// drawings, numbers of notes, readings of characters, and pictures in flat XML.
var skipped = map[string]bool{
	"tracked-changes": true, "script": true, "scripts": true, "binary-data": true, "ruby-text": true,
	"note-citation": true, "dde-source": true, "font-face-decls": true, "hidden-text": true,
	"settings": true, "event-listeners": true, "footnote-citation": true, "endnote-citation": true, "page-number": true,
	"page-count": true,
	"sheet-name": true,
}

// start handles the start of an element.
func (r *reader) start(s *xmlscan.Scanner) {
	parent := s.Parent()
	if s.Name == "automatic-styles" {
		r.readStyles(s)
		return
	}
	// Drawings have titles and descriptions (svg:title, svg:desc) for screen readers; comments have author, initials and
	// date.
	if skipped[s.Name] || s.Prefix == "svg" || parent == "annotation" && s.Name != "p" && s.Name != "list" {
		s.Skip()
		return
	}
	// Paragraphs are counted because a note has paragraphs inside one of the body.
	switch s.Name {
	case "p", "h":
		if r.styles[s.Attr("style-name")].hidden {
			s.Skip()
			return
		}
		r.inText++
		if rank := r.rank(s); rank > 0 {
			r.out.Heading(rank)
		}
	case "span":
		style := r.styles[s.Attr("style-name")]
		if style.hidden {
			s.Skip()
			return
		}
		if n := len(r.spans) - 1; n >= 0 && style.raised == flow.Level {
			style.raised = r.spans[n]
		}
		r.spans = append(r.spans, style.raised)
	case "tab", "tab-stop":
		r.out.Tab()
	// XML white space collapses, so the format has an element for several spaces.
	case "s":
		r.out.Add(strings.Repeat(" ", count(s.Attr("c"), maxSpaces)))
	case "line-break":
		r.out.Line()
	case "text-box":
		r.out.Paragraph()
	case "object":
		r.object(s.Attr("href"))
	case "table":
		r.table(s, parent)
	case "table-row":
		r.rows = append(r.rows, count(s.Attr("number-rows-repeated"), maxRepeat))
		r.out.StartRow()
	// Covered cells are hidden under a merged one. They keep their column.
	case "table-cell", "covered-table-cell":
		r.repeat = append(r.repeat, count(s.Attr("number-columns-repeated"), maxRepeat))
		r.out.StartCell()
	// These are the slides of a presentation. An embedded drawing has pages too, but they do not belong to the
	// document.
	case "page":
		if s.Prefix == "draw" && r.inside == 0 {
			r.newPage()
		}
	default:
		r.side(s.Name, parent, s)
	}
}

// side handles elements whose text does not belong to the body: notes, headers, footers, properties. Headers and
// footers get a text of their own, so that edge can compare it with earlier ones. Variants for left and first pages
// ("header-left") count as well. Frames mark the titles of slides.
func (r *reader) side(name, parent string, s *xmlscan.Scanner) {
	switch {
	case name == "frame" && s.Attr("class") == "title" && r.doc.Pages == 1:
		r.out.Heading(flow.Title)
	case parent == "meta" || parent == "keywords":
		r.property(s)
	case isNote(name):
		r.out = r.notes
	case strings.HasPrefix(name, "header") && parent == "master-page":
		r.out = flow.New(r.o.MaxText)
	case strings.HasPrefix(name, "footer") && parent == "master-page":
		r.out = flow.New(r.o.MaxText)
	}
}

func isNote(name string) bool {
	return name == "note" || name == "footnote" || name == "endnote" || name == "annotation"
}

func (r *reader) end(name, parent string) {
	switch {
	case name == "span":
		r.spans = r.spans[:max(len(r.spans)-1, 0)]
	case name == "p" || name == "h":
		// The scanner skips stray ends, but the count must not depend on that.
		r.inText = max(r.inText-1, 0)
		r.out.Paragraph()
	case name == "table-cell" || name == "covered-table-cell":
		r.endCell()
	case name == "table-row":
		if n := len(r.rows) - 1; n >= 0 {
			r.out.RepeatRow(r.rows[n] - 1)
			r.rows = r.rows[:n]
		}
		r.out.EndRow()
	case name == "table" || name == "text-box" || name == "custom-shape":
		r.out.Paragraph()
	case isNote(name):
		r.out.Paragraph()
		// Notes are inside the body, whose paragraph continues here.
		r.out = r.body
	case parent == "master-page" && strings.HasPrefix(name, "header"):
		r.edge(r.header)
	case parent == "master-page" && strings.HasPrefix(name, "footer"):
		r.edge(r.footer)
	}
}

func (r *reader) endCell() {
	r.out.EndCell()
	if n := len(r.repeat) - 1; n >= 0 {
		// The cell's own content has already written it once.
		r.out.RepeatCell(r.repeat[n] - 1)
		r.repeat = r.repeat[:n]
	}
}

// edge ends a header or footer. Styles repeat them; each text is added once. Lines of "???" and "00/00/0000, 00:00:00"
// are left out: LibreOffice Calc writes these in the places of fields.
func (r *reader) edge(all *flow.Text) {
	if text := r.out.String(); !r.said[text] {
		r.said[text] = true
		r.out = flow.New(r.o.MaxText)
		for line := range strings.SplitSeq(text, "\n") {
			if strings.ContainsFunc(line, isWritten) {
				r.out.Add(line)
			}
			r.out.Paragraph()
		}
		all.Append(r.out)
	}
	r.out = r.body
}

// isWritten reports whether a character of a header is more than a sign for what print fills in.
func isWritten(c rune) bool { return c != '0' && (unicode.IsLetter(c) || unicode.IsNumber(c)) }

// text adds the characters of paragraphs. White space collapses to one space (part 3, section 6.1.2). Text outside
// paragraphs is indentation of the XML.
func (r *reader) text(b []byte) {
	if r.inText == 0 {
		return
	}
	// Text is taken in runs between line ends and tabs, which indented XML has within paragraphs.
	for len(b) > 0 {
		i := bytes.IndexAny(b, "\t\r\n")
		if i < 0 {
			i = len(b)
		}
		if n := len(r.spans) - 1; n >= 0 && r.spans[n] != flow.Level {
			r.out.AddRaised(string(b[:i]), r.spans[n])
		} else {
			r.out.AddBytes(b[:i])
		}
		rest := bytes.TrimLeft(b[i:], " \t\r\n")
		if len(rest) < len(b[i:]) {
			r.out.Add(" ")
		}
		b = rest
	}
}

// count is a number of repetitions: at least 1, at most most.
func count(value string, most int) int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 1
	}
	return min(max(n, 1), most)
}

// table begins a table, or a sheet. A sheet is a page, and its name is what its tab shows; tables within text have
// names that nobody sees.
func (r *reader) table(s *xmlscan.Scanner, parent string) {
	r.out.Paragraph()
	if parent == "spreadsheet" && r.inside == 0 {
		r.newPage()
		r.out.Add(s.Attr("name"))
		r.out.Paragraph()
	}
}

// object reads a table, chart or formula that the document shows and that has parts of its own: "./Object 1".
func (r *reader) object(href string) {
	// The reference is relative to the root; path.Join keeps it inside the archive.
	name := path.Join("/", href, "content.xml")[1:]
	// Each object once, and objects in objects no deeper than three: a part may refer to itself.
	if r.a == nil || href == "" || r.objects[name] || r.inside > 2 || !r.a.Has(name) {
		return
	}
	r.objects[name] = true
	content := r.a.Read(name)
	if tex := formulaOf(content); tex != "" {
		r.out.Add("$" + tex + "$")
		return
	}
	r.inside++
	// The object lies within a paragraph of the body, and begins with none of its own.
	inText := r.inText
	r.inText = 0
	r.out.Paragraph()
	r.scan(name, content)
	r.out.Paragraph()
	r.inText = inText
	r.inside--
}

// newPage begins a sheet, a slide, or a page of a drawing.
func (r *reader) newPage() {
	if r.doc.Pages > 0 {
		r.out.Page()
	}
	// Counted before the bound is asked, so that tokens sees it.
	if r.doc.Pages++; r.doc.Pages > r.o.MaxPages {
		r.doc.Add(doctext.KindLimit, "there are more pages than are read")
	}
}
