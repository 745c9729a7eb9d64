// Package rtf reads Rich Text Format: its text and what its \info says.
//
// Text is in the code page of its font, in bytes beyond ASCII written as \'hh, or in Unicode as \u with a number,
// behind which \uc tells how many characters are there for old readers and left out. Groups that are destinations hold
// something else than text; those marked \* that we do not know are passed over, as the format wants it.
//
// The format is that of Microsoft's Rich Text Format Specification, version 1.9.1.
package rtf

import (
	"bytes"
	"errors"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
)

// ErrFormat is returned for what is no RTF.
var ErrFormat = errors.New("not RTF")

// maxRun bounds the bytes that are decoded at once. A character of two bytes that stands there is lost.
const maxRun = 1 << 20

// destination is what becomes of a group's characters.
type destination uint8

const (
	toText destination = iota
	toNothing
	toFonts // the font table: names of fonts
	toInfo  // the value of a property
)

// state is what a group has of its own.
type state struct {
	to      destination
	back    destination // what \ud goes back to inside of \upr
	out     *flow.Text
	edge    *flow.Text // where a header or footer goes when it ends
	info    string     // the property
	uc      int        // characters behind \u that are left out
	font    int
	cell    bool
	deleted bool
}

// font is an entry of the font table.
type font struct {
	name   string
	page   int // code page; 0 is the document's
	symbol bool
}

// reader is the reading of one document.
type reader struct {
	src   []byte
	pos   int
	doc   *doctext.Document
	o     doctext.Options
	state // of the group that is open
	stack []state

	body, notes, header, footer *flow.Text
	said                        map[string]bool // headers and footers

	fonts   map[int]*font
	first   int // the font of the document
	page    int // the code page of the document
	bytes   []byte
	skip    int  // characters still to be left out behind \u
	high    rune // the first half of a surrogate pair
	star    bool // \* was read
	begin   int  // of the group that was opened last
	wasRow  bool // the last thing written was a row
	values  map[string][]byte
	moments map[string]*moment
}

// Read reads the document.
func Read(src []byte, doc *doctext.Document, o doctext.Options) error {
	src = bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF")), " \t\r\n\x00")
	if !bytes.HasPrefix(src, []byte(`{\rt`)) {
		return ErrFormat
	}
	o = o.WithDefaults()
	body := flow.New(o.MaxText)
	r := &reader{
		src: src, doc: doc, o: o, state: state{out: body, uc: 1}, body: body, notes: flow.New(o.MaxText),
		header: flow.New(o.MaxText), footer: flow.New(o.MaxText), said: map[string]bool{}, fonts: map[int]*font{},
		page: codepage.Western, values: map[string][]byte{}, moments: map[string]*moment{},
	}
	r.run()
	all := flow.New(o.MaxText)
	for _, t := range []*flow.Text{r.header, r.body, r.notes, r.footer} {
		all.Append(t)
	}
	if doc.Text = all.String(); all.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	r.describe()
	return nil
}

// run reads groups until the first one ends.
func (r *reader) run() {
	for r.pos < len(r.src) && !r.body.Full() {
		switch c := r.src[r.pos]; c {
		case '{':
			r.pos++
			if !r.open() {
				return
			}
		case '}':
			r.pos++
			if r.close(); len(r.stack) == 0 {
				return
			}
		case '\\':
			r.pos++
			r.control()
		case '\r', '\n', 0:
			r.pos++
		default:
			r.plain()
		}
	}
	for len(r.stack) > 0 {
		r.close()
		if !r.body.Full() {
			r.doc.Add(doctext.KindDamaged, "the document ends in the middle")
		}
	}
}

func (r *reader) open() bool {
	r.flush()
	r.skip, r.star, r.begin = 0, false, r.pos
	if len(r.stack) >= r.o.MaxDepth {
		r.doc.Add(doctext.KindLimit, "groups are nested too deeply")
		for len(r.stack) > 0 {
			r.close()
		}
		return false
	}
	r.stack = append(r.stack, r.state)
	return true
}

func (r *reader) close() {
	r.flush()
	r.skip, r.star = 0, false
	ended := r.state
	r.state = r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	if ended.out == r.out {
		return
	}
	ended.out.Paragraph()
	if text := ended.out.String(); ended.edge != nil && !r.said[text] {
		r.said[text] = true // sections repeat their headers
		ended.edge.Append(ended.out)
	}
}

// plain reads characters up to the next that means something else.
func (r *reader) plain() {
	rest := r.src[r.pos:]
	n := bytes.IndexAny(rest, "{}\\\r\n\x00")
	if n < 0 {
		n = len(rest)
	}
	r.pos += n
	left := min(r.skip, n)
	r.skip -= left
	r.bytes = append(r.bytes, rest[left:n]...)
	if len(r.bytes) > maxRun {
		r.flush()
	}
}

// control reads what begins with a backslash, which is behind us.
func (r *reader) control() {
	if r.pos >= len(r.src) {
		return
	}
	c := r.src[r.pos]
	if isLetter(c) {
		r.word()
		return
	}
	r.pos++
	if c == '\'' {
		r.hex()
		return
	}
	if c == '*' { // means something at the beginning of a group only
		r.star = onlySpace(r.src[r.begin : r.pos-2])
		return
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	if c == '\\' || c == '{' || c == '}' {
		r.bytes = append(r.bytes, c)
		return
	}
	r.flush()
	switch c {
	case '~':
		r.add("\u00a0")
	case '_':
		r.add("\u2011")
	case '\r', '\n':
		r.layout("par")
	case '\t':
		r.layout("tab")
	}
}

// hex reads \'hh, a byte of the font's code page.
func (r *reader) hex() {
	if len(r.src)-r.pos < 2 {
		r.pos = len(r.src)
		return
	}
	high, low := digit(r.src[r.pos]), digit(r.src[r.pos+1])
	if high < 0 || low < 0 {
		return
	}
	r.pos += 2
	if r.skip > 0 {
		r.skip--
		return
	}
	r.bytes = append(r.bytes, byte(high<<4|low))
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// word reads a control word with its number and the space that ends it.
func (r *reader) word() {
	start := r.pos
	for r.pos < len(r.src) && isLetter(r.src[r.pos]) && r.pos-start < 32 {
		r.pos++
	}
	name := r.src[start:r.pos]
	minus := r.pos < len(r.src) && r.src[r.pos] == '-'
	if minus {
		r.pos++
	}
	n, has := 0, false
	for ; r.pos < len(r.src) && r.src[r.pos] >= '0' && r.src[r.pos] <= '9'; r.pos++ {
		has = true
		n = min(n*10+int(r.src[r.pos]-'0'), 1<<31)
	}
	if minus {
		n = -n
	}
	if r.pos < len(r.src) && r.src[r.pos] == ' ' {
		r.pos++
	}
	if string(name) == "bin" { // n bytes that are not text
		r.pos += min(max(n, 0), len(r.src)-r.pos)
		return
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	r.do(string(name), n, has)
}

// flush adds the bytes that were collected.
func (r *reader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	b := r.bytes
	r.bytes = r.bytes[:0]
	if r.to == toNothing || r.deleted {
		return
	}
	f := r.fonts[r.font]
	switch {
	case r.to == toText && f != nil && f.symbol:
		for _, c := range b {
			r.symbol(rune(c))
		}
	case f != nil && f.page != 0 && r.to == toText:
		r.add(codepage.Decode(f.page, b))
	default:
		r.add(codepage.Decode(r.page, b))
	}
}

// onlySpace tells whether b is a few characters of white space, if any.
func onlySpace(b []byte) bool {
	return len(b) < 16 && len(bytes.Trim(b, " \r\n")) == 0
}
