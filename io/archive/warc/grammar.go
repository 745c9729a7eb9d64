package warc

import (
	"bytes"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// Grammar is the record grammar of WARC 0.9 to 1.1 and of future versions: a version line, named fields, a blank line.
// See section 4 of WARC/1.1, ISO 28500:2017.
type Grammar struct{}

var magic = []byte("WARC/")

// Match reports whether b begins with a WARC head. Lenient: the magic word in any case. Strict: a version number that
// ends its line and, as far as b reaches, a line after it that names a field. Either way a head counts of which the
// version line is damaged, if the fields after it are a record's.
func (Grammar) Match(b []byte, strict bool) bool {
	// The usual case costs one comparison; EqualFold is for the few others.
	if !bytes.HasPrefix(b, magic) && (len(b) < len(magic) || !bytes.EqualFold(b[:len(magic)], magic)) {
		return resembles(b)
	}
	return !strict || isHead(b) || resembles(b)
}

// isHead reports whether b begins with a head by strict evidence.
func isHead(b []byte) bool {
	if !bytes.HasPrefix(b, magic) && (len(b) < len(magic) || !bytes.EqualFold(b[:len(magic)], magic)) {
		return false
	}
	rest, ok := skipVersion(b[len(magic):])
	// With nothing after the version line there is no evidence against it.
	return ok && (len(rest) == 0 || namesField(rest))
}

// skipVersion skips "1.0" and the line end after it.
func skipVersion(b []byte) ([]byte, bool) {
	i, dots := 0, 0
	// Eight digits and dots are more than any version has; the bound keeps the walk short in data that is not a head.
	for i < len(b) && i < 8 && (b[i] == '.' || '0' <= b[i] && b[i] <= '9') {
		if b[i] == '.' {
			dots++
		}
		i++
	}
	// At least "1.0", with one dot.
	if i < 3 || dots != 1 {
		return nil, false
	}
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	// The data ends here: as far as it reaches, it is a version.
	if i == len(b) {
		return nil, true
	}
	return b[i+1:], b[i] == '\n'
}

const (
	maxName    = 64 // longer than any field name in use
	maxVersion = 16 // longer than any version line
)

// namesField reports whether b begins with a token and a colon, as far as it reaches.
func namesField(b []byte) bool {
	// Reaching the end of b is a yes: the missing bytes may follow.
	for i, c := range b {
		switch {
		case c == ':':
			return i > 0
		case i >= maxName, !isToken(c):
			return false
		}
	}
	return true
}

// isToken accepts fewer bytes than RFC 9110 allows in a token. Names of fields in WARC need no more, and a strict match
// excludes binary data.
func isToken(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// Index returns the first position at or after from where the magic word stands.
// The usual case only: records in lower case are found where they are expected, but not looked for in damaged data.
func (Grammar) Index(b []byte, from int) int {
	i := bytes.Index(b[min(from, len(b)):], magic)
	if i < 0 {
		return -1
	}
	return from + i
}

// Separator returns the size of the two line ends that close a record, 0 when b does not begin with them.
func (Grammar) Separator(b []byte) int {
	// CR LF CR LF is what the format asks for; the others are what some tools make of it.
	for _, ends := range []string{"\r\n\r\n", "\n\n", "\r\r"} {
		if len(b) >= len(ends) && string(b[:len(ends)]) == ends {
			return len(ends)
		}
	}
	return 0
}

// Complete reports whether h has the field that no other record's head has.
// WARC-Record-ID is mandatory, and its name does not occur elsewhere. HTTP heads, which also have fields, lack it.
func (Grammar) Complete(h *record.Head) bool {
	return h.Length >= 0 && len(h.Get("WARC-Record-ID")) > 0
}

// Confirms reports whether one of the digests in the head matches block, or its payload. A match proves that the
// block's bounds are right, whatever the length in the head says; that there is none proves nothing.
func (Grammar) Confirms(h *record.Head, block []byte) bool {
	b, err := digest.Parse(text(h.Get("WARC-Block-Digest")))
	if declared := err == nil; declared && b.Matches(block) {
		return true
	} else if declared { // its payload's tells only where nothing can stand after the last chunk
		m := httpmsg.Parse(block, httpmsg.Options{})
		d, err := digest.Parse(text(h.Get("WARC-Payload-Digest")))
		return err == nil && Type(h) != string(schemas.TypeRevisit) && m.HasHead &&
			(d.Matches(m.Body) || m.Rest != nil && d.Matches(m.Rest))
	}
	// A revisit's payload digest is that of the record it refers to, so its own block says nothing of it.
	d, err := digest.Parse(text(h.Get("WARC-Payload-Digest")))
	if err != nil || Type(h) == string(schemas.TypeRevisit) {
		return false
	}
	// Not an HTTP message: then the block itself is the payload.
	if !(Grammar{}).IsHTTP(h, block) {
		return d.Matches(block)
	}
	m := httpmsg.Parse(block, httpmsg.Options{})
	// Some writers compute the digest with the transfer coding of the body, others without it. So a match of either
	// form counts. The default limits bound the size of a hostile body.
	return m.HasHead && (d.Matches(m.Body) || m.Rest != nil && d.Matches(m.Rest) ||
		d.Matches(httpmsg.Decode(m.Header, m.Body, httpmsg.Limits{}).Payload))
}

// Describes reports whether h is of a record that is about others, by its type.
func (Grammar) Describes(h *record.Head) bool {
	t := Type(h)
	return t == "warcinfo" || t == "metadata" || t == "request"
}

// Remains reports whether b holds a line with a field of WARC's own. After a line end, so that a mention of such a name
// within a line does not count.
func (Grammar) Remains(b []byte) bool { return bytes.Contains(b, []byte("\nWARC-")) }

// Parse parses the head at the start of b, which it may change: folded lines are joined in place. It returns the size
// of the head, with the blank line, or 0 if b is too short to hold it. If no more bytes will come, whole is true.
func (Grammar) Parse(h *record.Head, b []byte, whole bool) int {
	// In a head with CR alone, the lines would end somewhere in the block.
	mended := endsInCR(b) && mend.LineEnds(b)
	size := parse(h, b, whole)
	if size > 0 && isDoubtful(h) && !isSound(h, b[:size]) {
		size = mendHead(h, b[:size])
	}
	h.Damaged = h.Damaged || mended && size > 0
	return size
}

// parse is Parse for heads as the format requires, or with a quirk.
func parse(h *record.Head, b []byte, whole bool) int {
	line, next := cutLine(b, 0)
	if next < 0 && !whole {
		return 0
	}
	h.Line, h.Length = trim(line), -1
	// Each turn takes one line; next is -1 after a line without an end.
	for next >= 0 && next < len(b) {
		at := next
		// The fast path: no quirk is possible in a field that it takes.
		if f, size := usualField(b[at:]); size > 0 {
			h.Fields = append(h.Fields, f)
			next = at + size
			continue
		}
		var line []byte
		line, next = cutLine(b, at)
		// A line must wait for more data if b ends within it or soon after it. The test below could otherwise not see
		// whether a new record begins.
		if (next < 0 || len(b)-at < maxVersion+maxName) && !whole {
			return 0
		}
		if len(trim(line)) == 0 {
			return finish(h, b, next)
		}
		if isHead(b[at:]) { // the next record's: this one's head was cut off
			quirk(h, "head_without_blank_line")
			// The length may have been in the lost part, and the length that was read may belong to another record.
			h.Length = -1
			return at
		}
		if isStatusLine(line) { // the block's: no blank line is before it
			quirk(h, "head_without_blank_line")
			return finish(h, b, at)
		}
		addLine(h, b, at, line)
	}
	if !whole {
		return 0
	}
	quirk(h, "head_without_blank_line")
	return finish(h, b, -1)
}

// finish ends a head that reaches to b[next], or to the end of b when next is -1. A head that names two records is two
// heads that ran together. Neither's length is reliable, and the first ends where the second begins within a line. By
// now h.Fields have been read by now. The length is worked out here and not for each field, since the first field of
// that name counts.
func finish(h *record.Head, b []byte, next int) int {
	if next < 0 {
		next = len(b)
	}
	h.Length = contentLength(h)
	if !namesTwo(h) {
		return next
	}
	// From 1 on: at 0 stands the head's own version line.
	for i := (Grammar{}).Index(b[:next], 1); i >= 0; i = (Grammar{}).Index(b[:next], i+1) {
		if isHead(b[i:next]) {
			// Parsed again without what belongs to the second: whole is true, since b[:i] is all there is of it.
			h.Fields, h.Quirks = h.Fields[:0], h.Quirks[:0]
			next = parse(h, b[:i], true)
			break
		}
	}
	// Also where no second version line was found: one record has one name.
	h.Length = -1
	return next
}

// naming are the fields that tell one record from the next. The first may be in the part of a head that was cut off.
var naming = [...]string{"WARC-Record-ID", "WARC-Type", "WARC-Target-URI"}

// namesTwo reports whether one of these fields is in a head with two values.
// The same value twice is a field that was written twice, and harmless.
func namesTwo(h *record.Head) bool {
	var first [len(naming)][]byte
	for i := range h.Fields {
		f := &h.Fields[i]
		for k, name := range naming {
			// The lengths first: EqualFold for each field of each head would be felt.
			if len(f.Name) != len(name) || string(f.Name) != name && !bytes.EqualFold(f.Name, []byte(name)) {
				continue
			}
			if first[k] != nil && !bytes.Equal(first[k], f.Value) {
				return true
			}
			first[k] = f.Value
		}
	}
	return false
}

// cutLine returns the line at b[at:] without its end, and where the next one begins, -1 when b ends before.
func cutLine(b []byte, at int) ([]byte, int) {
	i := bytes.IndexByte(b[at:], '\n')
	if i < 0 {
		return b[at:], -1
	}
	return b[at : at+i], at + i + 1
}

// usualField splits the first line of b and returns its size, if it has the usual form: a name, ": ", a value, CR LF.
// Otherwise it returns 0. It slices b and copies nothing. Anything unusual, a fold, blanks or a bare LF, goes to
// addLine, which is slower and notes quirks.
func usualField(b []byte) (f record.Field, size int) {
	colon := 0
	for colon < len(b) && b[colon] > ' ' && b[colon] != ':' {
		colon++
	}
	value := colon + len(": ")
	// A value that begins with a blank or control byte would have to be trimmed.
	if colon == 0 || value >= len(b) || string(b[colon:value]) != ": " || b[value] <= ' ' {
		return f, 0
	}
	// Where there is no line end, IndexByte gives -1, so end lies before value, and the next test fails.
	end := bytes.IndexByte(b[value:], '\n') + value - len("\r")
	if end <= value || b[end] != '\r' || b[end-1] <= ' ' {
		return f, 0
	}
	return record.Field{Name: b[:colon], Value: b[value:end]}, end + len("\r\n")
}

// addLine takes one line of the head as a field, or as the rest of the field before.
func addLine(h *record.Head, b []byte, at int, line []byte) {
	// cutLine has taken the LF, so a CR before it is the end of the line.
	if !bytes.HasSuffix(line, []byte("\r")) {
		quirk(h, "lf_line_end")
	}
	// A fold before the first field has nothing to extend, and is read as a field of its own.
	if (line[0] == ' ' || line[0] == '\t') && len(h.Fields) > 0 {
		quirk(h, "folded_field")
		unfold(h, b, at, line)
		return
	}
	before, after, ok := bytes.Cut(line, []byte{':'})
	if !ok {
		quirk(h, "line_without_colon")
		return
	}
	if before = trim(before); isOddName(before) {
		quirk(h, quirkOddName)
	}
	h.Fields = append(h.Fields, record.Field{Name: before, Value: trim(after)})
}

// unfold extends the last field's value over the line that starts at b[at]; the line end between becomes blanks.
// The value is a slice of b, and its bytes stay there: nothing is copied, and the line end between is overwritten.
func unfold(h *record.Head, b []byte, at int, line []byte) {
	last := &h.Fields[len(h.Fields)-1]
	text := trim(line)
	// A value that was empty is nil, and has no place in b that could be extended.
	if len(last.Value) == 0 {
		last.Value = text
		return
	}
	// Both slices reach to the end of the same array, so the difference of their capacities is the distance between
	// them.
	begin := at - (cap(last.Value) - cap(b[at:])) // where the value begins in b
	for i := at - 1; i >= begin && (b[i] == '\r' || b[i] == '\n'); i-- {
		b[i] = ' '
	}
	last.Value = trim(b[begin : at+len(line)])
}

// trim returns b without blanks, line ends and zeros around it, nil when nothing is left. It is called twice a line,
// and bytes.Trim would make a table each time.
// Zeros are blanks here, too: some writers pad lines with them.
func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return nil
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == 0 }

func quirk(h *record.Head, name string) {
	// A head has few quirks, so a plain search is quickest; each is named once.
	if slices.Contains(h.Quirks, name) {
		return
	}
	h.Quirks = append(h.Quirks, name)
}

// maxLength is larger than any archive; it keeps sums of positions within an int64.
const maxLength = 1 << 60

// contentLength reads the block's length; -1 when it is missing, negative or no number.
// The first field of that name counts, as Get returns it.
func contentLength(h *record.Head) int64 {
	if n, ok := decimal(h.Get("Content-Length")); ok {
		return n
	}
	return -1
}

// decimal reads a number that is not negative; a larger one than maxLength counts as that.
func decimal(v []byte) (n int64, ok bool) {
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		// Capped before and after the step, so that neither the product nor the sum overflows, however many digits
		// there are.
		n = min(min(n, maxLength/10)*10+int64(c-'0'), maxLength)
	}
	return n, len(v) > 0
}
