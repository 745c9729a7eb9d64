// Package rtf reads Rich Text Format: its text and what its \info says.
//
// Text is in the code page of its font, in bytes beyond ASCII written as \'hh, or in Unicode as \u with a number,
// after which \uc tells how many characters are there for old readers and left out. Groups that are destinations hold
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

// ErrFormat is returned for what is not RTF.
var ErrFormat = errors.New("not RTF")

// maxRun bounds the bytes that are decoded at once. A character of two bytes that is there is lost. Runs are long
// because text between two control words may be anything up to the whole file.
const maxRun = 1 << 20

// destination is what becomes of a group's characters.
type destination uint8

const (
	toText destination = iota
	toNothing
	toFonts // the font table: names of fonts
	toInfo  // the value of a property
)

// state is what a group has of its own. It is copied on the stack when a group opens and restored when it closes:
// formatting in RTF lasts to the end of its group.
type state struct {
	to      destination
	back    destination // what \ud goes back to inside of \upr
	out     *flow.Text
	edge    *flow.Text // where a header or footer goes when it ends
	info    string     // the property
	uc      int        // characters after \u that are left out
	font    int
	cell    bool
	deleted bool
	hidden  bool
}

// font is an entry of the font table.
type font struct {
	name   string
	page   int // code page; 0 is the document's
	symbol bool
}

// reader is the reading of one document. bytes collects characters of 8 bits until something else comes, as only
// whole runs can be decoded: a character may be two bytes, one of them written as \'hh.
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
	skip    int  // characters still to be left out after \u
	high    rune // the first half of a surrogate pair
	star    bool // \* was read
	begin   int  // of the group that was opened last
	wasRow  bool // the last thing written was a row
	values  map[string][]byte
	moments map[string]*moment
}

// Read reads the document.
func Read(src []byte, doc *doctext.Document, o doctext.Options) error {
	// A byte order mark is none of RTF, but editors put it there.
	src = bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF")), " \t\r\n\x00")
	if !bytes.HasPrefix(src, []byte(`{\rt`)) {
		return ErrFormat
	}
	o = o.WithDefaults()
	body := flow.New(o.MaxText)
	r := &reader{
		// \uc is 1 until a document says otherwise.
		src: src, doc: doc, o: o, state: state{out: body, uc: 1}, body: body, notes: flow.New(o.MaxText),
		header: flow.New(o.MaxText), footer: flow.New(o.MaxText), said: map[string]bool{}, fonts: map[int]*font{},
		page: codepage.Western, values: map[string][]byte{}, moments: map[string]*moment{},
	}
	r.run()
	// Notes are apart because they are in the middle of sentences.
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

// run reads groups until the first one ends. The first byte is "{", so the stack has an entry from the first step on,
// until the last "}" empties it.
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
		// Line ends are none of the text: \par is.
		case '\r', '\n', 0:
			r.pos++
		default:
			r.plain()
		}
	}
	// Groups that the file left open are closed all the same, for headers and notes are added then.
	for len(r.stack) > 0 {
		r.close()
		if !r.body.Full() {
			r.doc.Add(doctext.KindDamaged, "the document ends in the middle")
		}
	}
}

func (r *reader) open() bool {
	r.flush()
	// Whatever was to be skipped after \u does not reach into another group.
	r.skip, r.star, r.begin = 0, false, r.pos
	// The stack grows by a state for each byte of "{{{{…" otherwise.
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
	// The state of the outer group comes back whole, its destination and font with it.
	ended := r.state
	r.state = r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	// The group wrote to the same text as the one around it: nothing has ended but formatting.
	if ended.out == r.out {
		return
	}
	ended.out.Paragraph()
	// Notes have no edge: they went to their text directly.
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
	// Characters that stand for the \u before them, for readers without Unicode.
	left := min(r.skip, n)
	r.skip -= left
	r.bytes = append(r.bytes, rest[left:n]...)
	if len(r.bytes) > maxRun {
		r.flush()
	}
}

// control reads what begins with a backslash, which is behind us. A backslash that ends the file.
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
		// Between the brace and \* some programs write spaces.
		r.star = onlySpace(r.src[r.begin : r.pos-2])
		return
	}
	// The escaped character is what an old reader would show.
	if r.skip > 0 {
		r.skip--
		return
	}
	// They go to the run: a byte of the code page like any other.
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
	// A backslash at the end of a line is \par.
	case '\r', '\n':
		r.layout("par")
	case '\t':
		r.layout("tab")
	}
}

// hex reads \'hh, a byte of the font's code page.
func (r *reader) hex() {
	if len(r.src)-r.pos < 2 {
		// Cut in the middle of the escape.
		r.pos = len(r.src)
		return
	}
	high, low := digit(r.src[r.pos]), digit(r.src[r.pos+1])
	// Not an escape: what follows is read as text.
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
		// Bounded on the way: a thousand digits do not overflow.
		n = min(n*10+int(r.src[r.pos]-'0'), 1<<31)
	}
	if minus {
		n = -n
	}
	// One space belongs to the word, others to the text.
	if r.pos < len(r.src) && r.src[r.pos] == ' ' {
		r.pos++
	}
	// Before skip: the bytes have to be passed over even as part of what \u leaves out. They may
	// contain braces.
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

// flush adds the bytes that were collected.
func (r *reader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	// The memory of the run is used again; nothing below keeps b.
	b := r.bytes
	r.bytes = r.bytes[:0]
	// Decoding what is thrown away would be the most expensive part of documents full of pictures in
	// hexadecimal.
	if r.to == toNothing || r.deleted {
		return
	}
	f := r.fonts[r.font]
	switch {
	// The bytes of a symbol font are places of glyphs, in no code page.
	case r.to == toText && f != nil && f.symbol:
		for _, c := range b {
			r.symbol(rune(c))
		}
	case f != nil && f.page != 0 && r.to == toText:
		r.add(codepage.Decode(f.page, b))
	// The names of fonts and the properties are in the document's code page.
	default:
		r.add(codepage.Decode(r.page, b))
	}
}

// onlySpace reports whether b is a few characters of white space, if any.
func onlySpace(b []byte) bool {
	return len(b) < 16 && len(bytes.Trim(b, " \r\n")) == 0
}
