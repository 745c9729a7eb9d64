package httpmsg

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Options bound a head; the zero value takes the defaults.
type Options struct {
	MaxHead   int // bytes of head; 1 MiB
	MaxFields int // header fields kept; 10,000
	// Size is how many bytes the whole block has, where only its beginning is parsed.
	Size int64
}

func (o Options) withDefaults() Options {
	// Negative values take the defaults as well, so that there always is a bound.
	o.MaxHead = cmp.Or(max(o.MaxHead, 0), 1<<20)
	o.MaxFields = cmp.Or(max(o.MaxFields, 0), 10_000)
	return o
}

// Message is an HTTP response, or by ParseRequest a request, as archived.
type Message struct {
	Method  string          // of a request: "GET"
	Target  string          // of a request: "/index.html"
	Status  int             // 0 when there is no status line or no status code of three digits in it
	Version string          // as archived, such as "HTTP/1.1" or "ICY"
	Reason  string          // as archived
	Header  []schemas.Field // in order, folded lines joined by one space, valid UTF-8
	Body    []byte          // a part of the block, not a copy; with its codings: see Decode
	Quirks  []string        // tolerated anomalies, in the order of the Quirk constants
	HasHead bool            // false when the block is not an HTTP message; Body is the whole block then
	// The rest of the block, after the first header, if Body is only a part of it. Some crawlers compute digests over
	// it.
	Rest    []byte
	Damaged bool // bits of the head were wrong, or its status is not that of its reason
}

// Parse reads the head of block, the block of a response or revisit record: the last one, where interim responses are
// before it. It never fails: a block that does not
// begin like an HTTP message has HasHead false. Body shares block's memory, everything else is copied.
func Parse(block []byte, o Options) Message {
	var m Message
	m.Parse(block, o)
	return m
}

// Parse is the function Parse into m, whose Header and Quirks are used again: one allocation, for the text of the head.
func (m *Message) Parse(block []byte, o Options) {
	o = o.withDefaults()
	m.parse(block, o)
	if m.HasHead && !m.isPlain() {
		m.final(o)
		m.bodyStart(max(o.Size, int64(len(block))) - int64(len(block)-len(m.Body)))
	}
}

// parse reads the first head of block.
func (m *Message) parse(block []byte, o Options) {
	// Slices are kept for their capacity; their elements of the last message are cut off.
	*m = Message{Body: block, Header: m.Header[:0], Quirks: m.Quirks[:0]}
	// RFC 9112 section 2.2 has readers pass over empty lines before a start line; only the head is looked
	// for after them.
	start := leadingBlank(block)
	src := block[start:]
	hasStatus := isStatusLine(src)
	// Without a status line only a list of strict fields counts as a head, lest a text be cut in two.
	if !hasStatus && !isHead(src, o.MaxHead) {
		m.parseMended(src, o)
		return
	}
	h := parser{o: o, m: m}
	h.quirkIf(start > 0, QuirkLeadingBlank)
	h.quirkIf(!hasStatus, QuirkNoStatusLine)
	h.message(src, hasStatus)
	if hasStatus && m.isDoubtful(src) {
		m.parseMended(src, o)
	}
}

// ParseRequest reads the head of block, the block of a request record, into m, as Parse does. A block that does not
// begin with a request line (RFC 9112, section 3) has HasHead false.
func (m *Message) ParseRequest(block []byte, o Options) {
	o = o.withDefaults()
	*m = Message{Body: block, Header: m.Header[:0], Quirks: m.Quirks[:0]}
	start := leadingBlank(block)
	// A request without a request line is not guessed at: nothing else tells its head from its body.
	if !isRequestLine(block[start:]) {
		return
	}
	h := parser{o: o, m: m, isRequest: true}
	h.quirkIf(start > 0, QuirkLeadingBlank)
	h.message(block[start:], true)
}

// message reads src, which begins with a head, the first line of which may be no field.
func (p *parser) message(src []byte, hasStart bool) {
	m := p.m
	m.HasHead = true
	// Split on bytes before the text is decoded, since decoding may change lengths.
	head, body := p.split(src, hasStart)
	// One string for all of the head; the fields are parts of it and share its memory.
	text := p.decodeText(head)
	if hasStart {
		// Cut at LF, with any CR taken off after: heads with bare LF are read the same way.
		line, rest, _ := strings.Cut(text, "\n")
		if line = strings.TrimRight(line, "\r"); p.isRequest {
			p.request(line)
		} else {
			p.status(line)
		}
		text = rest
	}
	p.fields(text)
	m.Damaged = mendNames(m.Header) || m.Damaged
	// In a fixed order, so that the same head gives the same list however it was met.
	if len(m.Quirks) > 1 {
		slices.SortFunc(m.Quirks, func(a, b string) int { return quirkRank(a) - quirkRank(b) })
	}
	// Body is set last: until here m.Body was the whole block, as for a block without a head.
	m.Body = body
}

// parser collects what Parse finds.
type parser struct {
	o         Options
	m         *Message
	isRequest bool
}

// parseQuirks is the order in which Parse reports.
var parseQuirks = [...]string{
	QuirkLeadingBlank, QuirkStatusLine, QuirkNoStatusLine, QuirkLFLine, QuirkFoldedLine, QuirkHeaderLine,
	QuirkHeaderBytes, QuirkHeaderCut, QuirkNoBlankLine,
}

func quirkRank(name string) int { return slices.Index(parseQuirks[:], name) }

func (p *parser) quirkIf(yes bool, name string) {
	// A linear search: there are nine quirks at most.
	if yes && !slices.Contains(p.m.Quirks, name) {
		p.m.Quirks = append(p.m.Quirks, name)
	}
}

// leadingBlank returns how many bytes of CR and LF src begins with.
func leadingBlank(src []byte) int {
	n := 0
	for n < len(src) && (src[n] == '\r' || src[n] == '\n') {
		n++
	}
	return n
}

// split divides src, which begins with a head, into head and body.
func (p *parser) split(src []byte, hasStart bool) (head, body []byte) {
	pos := 0
	// The scan stops at MaxHead, so a block without a blank line costs no more than that.
	for first := hasStart; pos < len(src) && pos < p.o.MaxHead; first = false {
		line, next := lineAt(src, pos)
		// The head is cut between lines, and never inside of one.
		if next > p.o.MaxHead {
			break
		}
		if len(line) == 0 {
			// The blank line itself counts as well for the way that lines end.
			p.quirkIf(endsInLF(src, next), QuirkLFLine)
			return src[:pos], src[next:]
		}
		// No field name begins with "<": this is markup whose blank line was lost. After an interim response it may
		// be that of the next one.
		if !first && (line[0] == '<' || hasStart && isStatusByte(line[0]) && isStatusLine(line) && isInterim(src)) {
			p.quirkIf(true, QuirkNoBlankLine)
			return src[:pos], src[pos:]
		}
		p.quirkIf(endsInLF(src, next), QuirkLFLine)
		pos = next
	}
	return p.splitEndless(src, pos, hasStart)
}

// splitEndless divides src when no blank line was found in its first pos bytes, which are lines.
func (p *parser) splitEndless(src []byte, pos int, hasStart bool) (head, body []byte) {
	// The limit was reached. The body begins after the blank line, wherever that is. The bytes in between are lost to
	// the header, and do not become part of the body.
	if pos < len(src) {
		p.quirkIf(true, QuirkHeaderCut)
		return src[:pos], afterBlankLine(src[pos:])
	}
	p.quirkIf(true, QuirkNoBlankLine)
	// All of src is lines of a head, perhaps with a body whose blank line is missing after them.
	end := beforeJunk(src, hasStart)
	return src[:end], src[end:]
}

// beforeJunk returns where the first line of src begins that is not a field and has a line end, or the length of src.
// The first line need not be a field when hasStart says so.
func beforeJunk(src []byte, hasStart bool) int {
	for pos := 0; pos < len(src); {
		line, next := lineAt(src, pos)
		// A last line without an end may be a field that was cut, and stays in the head.
		if (pos > 0 || !hasStart) && isJunk(line) && src[next-1] == '\n' {
			return pos
		}
		pos = next
	}
	return len(src)
}

// afterBlankLine returns the part of src after its first blank line, or src if it has none. In the latter case the
// header's end is unknown, and keeping everything is better than losing everything.
func afterBlankLine(src []byte) []byte {
	for pos := 0; pos < len(src); {
		line, next := lineAt(src, pos)
		if len(line) == 0 {
			return src[next:]
		}
		pos = next
	}
	return src
}

// lineAt returns the line that begins at pos, without its end, and where the next one begins.
func lineAt(src []byte, pos int) (line []byte, next int) {
	end := bytes.IndexByte(src[pos:], '\n')
	// No line end: the rest is the line, and next is the length, at which loops over lines end.
	if end < 0 {
		return trimCR(src[pos:]), len(src)
	}
	return trimCR(src[pos : pos+end]), pos + end + 1
}

func trimCR(line []byte) []byte {
	// All of them: some servers end lines in CR CR LF.
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}

// endsInLF reports whether the line that ends before next ends in LF without CR.
func endsInLF(src []byte, next int) bool {
	return src[next-1] == '\n' && (next < 2 || src[next-2] != '\r')
}

// isJunk reports whether line is neither a field nor the continuation of one.
func isJunk(line []byte) bool {
	return line[0] != ' ' && line[0] != '\t' && bytes.IndexByte(line, ':') < 0
}

// isAddress reports whether the values of a field are URLs.
func isAddress(field string) bool {
	return strings.EqualFold(field, "Location") || strings.EqualFold(field, "Content-Location")
}

// decodeText returns head as valid UTF-8. It reads a line that is not UTF-8 as ISO 8859-1, which RFC 9110 section 5.5
// names as the historical charset of field values.
func (p *parser) decodeText(head []byte) string {
	// Nearly every head is ASCII, and costs one copy.
	if utf8.Valid(head) {
		return string(head)
	}
	p.quirkIf(true, QuirkHeaderBytes)
	var text strings.Builder
	// A byte above 0x7f becomes two; an eighth more is room for a few such lines.
	text.Grow(len(head) + len(head)/8)
	// Line by line, so that one field in an old charset does not garble the others.
	for line := range bytes.Lines(head) {
		if utf8.Valid(line) {
			text.Write(line)
			continue
		}
		// A URL keeps its bytes, by which the page that it leads to is found.
		if name, _, _ := bytes.Cut(line, []byte(":")); isAddress(string(bytes.TrimSpace(name))) {
			text.WriteString(urlkey.Text(string(line)))
			continue
		}
		for _, c := range line {
			text.WriteRune(rune(c))
		}
	}
	return text.String()
}
