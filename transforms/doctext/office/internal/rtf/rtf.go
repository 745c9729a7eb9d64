// Package rtf reads the text of Rich Text Format and the properties in its \info.
//
// Text is in the code page of its font; bytes outside ASCII are written as \'hh. Unicode characters are \u with a
// number. After each comes a replacement for old readers, which is left out; \uc gives its length. Groups that are
// destinations hold other things than text. Unknown groups marked \* are skipped, as the format demands.
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

// ErrFormat is returned for input that is not RTF.
var ErrFormat = errors.New("not RTF")

// maxRun bounds the bytes decoded at once. A two-byte character at such a border is lost. Runs are long because text
// between two control words may be the whole file.
const maxRun = 1 << 20

// destination says where a group's characters go.
type destination uint8

const (
	toText destination = iota
	toNothing
	toFonts // the font table: names of fonts
	toInfo  // the value of a property
)

// state holds the properties of a group. It is pushed on the stack when a group opens, and restored when it closes. So
// formatting lasts to the end of its group.
type state struct {
	to      destination
	back    destination // what \ud restores inside \upr
	out     *flow.Text
	edge    *flow.Text // where a header or footer goes at its end
	info    string     // the property
	uc      int        // characters after \u to leave out
	font    int
	cell    bool
	deleted bool
	hidden  bool
	raised  flow.Raised
}

// font is an entry of the font table.
type font struct {
	name   string
	page   int // code page; 0 means the document's
	symbol bool
}

// reader reads one document. Field bytes collects characters of 8 bits until something else comes. Only whole runs can
// be decoded, since a character may have two bytes, one of them written as \'hh.
type reader struct {
	src   []byte
	pos   int
	doc   *doctext.Document
	o     doctext.Options
	state // state of the open group
	stack []state

	body, notes, header, footer *flow.Text
	said                        map[string]bool // headers and footers already added

	fonts   map[int]*font
	first   int // the font of the document
	page    int // the code page of the document
	bytes   []byte
	skip    int  // characters still to leave out after \u
	high    rune // the first half of a surrogate pair
	star    bool // \* was read
	begin   int  // start of the group opened last
	wasRow  bool // the last thing written was a row
	values  map[string][]byte
	moments map[string]*moment
}

// Read reads the document.
func Read(src []byte, doc *doctext.Document, o doctext.Options) error {
	// RTF has no byte order mark, but editors add one.
	src = bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF")), " \t\r\n\x00")
	if !bytes.HasPrefix(src, []byte(`{\rt`)) {
		return ErrFormat
	}
	o = o.WithDefaults()
	body := flow.New(o.MaxText)
	r := &reader{
		// \uc is 1 by default.
		src: src, doc: doc, o: o, state: state{out: body, uc: 1}, body: body, notes: flow.New(o.MaxText),
		header: flow.New(o.MaxText), footer: flow.New(o.MaxText), said: map[string]bool{}, fonts: map[int]*font{},
		page: codepage.Western, values: map[string][]byte{}, moments: map[string]*moment{},
	}
	r.run()
	// Notes are separate because they are in the middle of sentences.
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

// run reads groups until the first one ends. The first byte is "{", so the stack has an entry from the first step
// until the last "}".
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
		// Line ends are not text; \par is.
		case '\r', '\n', 0:
			r.pos++
		default:
			r.plain()
		}
	}
	// Closing the open groups adds headers and notes.
	for len(r.stack) > 0 {
		r.close()
		if !r.body.Full() {
			r.doc.Add(doctext.KindDamaged, "the document ends in the middle")
		}
	}
}

func (r *reader) open() bool {
	r.flush()
	// Skipping after \u does not continue in another group.
	r.skip, r.star, r.begin = 0, false, r.pos
	// Without a bound the stack would grow by one state for each byte of "{{{{…".
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
	// The state of the outer group is restored whole, with its destination and font.
	ended := r.state
	r.state = r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	// If the group wrote to the same text as the outer one, only formatting has ended.
	if ended.out == r.out {
		return
	}
	ended.out.Paragraph()
	// Notes have no edge: they went directly to their text.
	if text := ended.out.String(); ended.edge != nil && !r.said[text] {
		r.said[text] = true // sections repeat their headers
		ended.edge.Append(ended.out)
	}
}

// plain reads characters up to the next one with a special meaning.
func (r *reader) plain() {
	rest := r.src[r.pos:]
	n := bytes.IndexAny(rest, "{}\\\r\n\x00")
	if n < 0 {
		n = len(rest)
	}
	r.pos += n
	// These characters replace the \u before them in readers without Unicode.
	left := min(r.skip, n)
	r.skip -= left
	r.bytes = append(r.bytes, rest[left:n]...)
	if len(r.bytes) > maxRun {
		r.flush()
	}
}

// control reads the rest of a control word or symbol, after its backslash. A backslash may also end the file.
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
	if c == '*' { // it has a meaning only at the beginning of a group
		// Some programs write spaces between the brace and \*.
		r.star = onlySpace(r.src[r.begin : r.pos-2])
		return
	}
	// The escaped character is one that an old reader would show.
	if r.skip > 0 {
		r.skip--
		return
	}
	// These join the run like any other byte of the code page.
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
	// A backslash at the end of a line means \par.
	case '\r', '\n':
		r.layout("par")
	case '\t':
		r.layout("tab")
	}
}

// hex reads \'hh, a byte in the font's code page.
func (r *reader) hex() {
	if len(r.src)-r.pos < 2 {
		// The file ends inside the escape.
		r.pos = len(r.src)
		return
	}
	high, low := digit(r.src[r.pos]), digit(r.src[r.pos+1])
	// This is not an escape, so the next characters are text.
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
	// Words have at most 32 letters (specification, "Control Word").
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
		// The bound avoids overflow by a thousand digits.
		n = min(n*10+int(r.src[r.pos]-'0'), 1<<31)
	}
	if minus {
		n = -n
	}
	// One space belongs to the word, further ones to the text.
	if r.pos < len(r.src) && r.src[r.pos] == ' ' {
		r.pos++
	}
	// This comes before skip: the bytes must be passed over even inside the replacement of a \u. They may contain
	// braces.
	if string(name) == "bin" { // n bytes that are not text
		r.pos += min(max(n, 0), len(r.src)-r.pos)
		return
	}
	// A control word counts as one character after \u.
	if r.skip > 0 {
		r.skip--
		return
	}
	r.do(string(name), n, has)
}

// flush decodes and adds the collected bytes.
func (r *reader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	// The memory of the run is used again; nothing below keeps b.
	b := r.bytes
	r.bytes = r.bytes[:0]
	// Text that is dropped is not decoded. In documents full of pictures in hexadecimal, that would be the most
	// expensive part.
	if r.to == toNothing || r.deleted {
		return
	}
	f := r.fonts[r.font]
	switch {
	// The bytes of a symbol font are positions of glyphs and have no code page.
	case r.to == toText && f != nil && f.symbol:
		for _, c := range b {
			r.symbol(rune(c))
		}
	case f != nil && f.page != 0 && r.to == toText:
		r.add(codepage.Decode(f.page, b))
	// Names of fonts and properties are in the document's code page.
	default:
		r.add(codepage.Decode(r.page, b))
	}
}

// onlySpace reports whether b is a few characters of white space, or empty.
func onlySpace(b []byte) bool {
	return len(b) < 16 && len(bytes.Trim(b, " \r\n")) == 0
}
