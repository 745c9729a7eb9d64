package httpmsg

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// isStatusLine reports whether src begins like a status line: "HTTP" and a version in any spelling, or the "ICY 200" of
// audio streams. It returns false for "http://".
func isStatusLine(src []byte) bool {
	// Compared without making a string, as this runs for each record.
	if bytes.HasPrefix(src, []byte("HTTP/1.")) { // nearly all are
		return true
	}
	// Shoutcast's servers answer so.
	if len(src) > 4 && strings.EqualFold(string(src[:4]), "ICY ") {
		return isDigit(src[4])
	}
	if len(src) < 4 || !strings.EqualFold(string(src[:4]), "HTTP") {
		return false
	}
	// Versions are misspelled in many ways ("HTTP1.1", "HTTPS/1.1"); what must follow is a slash or a
	// number.
	rest := src[4:]
	for len(rest) > 0 && isLetter(rest[0]) {
		rest = rest[1:]
	}
	switch {
	// Cut right after "HTTP": an archive that ends here began a status line.
	case len(rest) == 0:
		return len(src) == 4
	case rest[0] == '/':
		return len(rest) == 1 || isDigit(rest[1])
	}
	return rest[0] == ' ' && len(rest) > 1 && isDigit(rest[1])
}

// isRequestLine reports whether src begins with a line of a method, a target and an HTTP version.
func isRequestLine(src []byte) bool {
	// Bounded, so that a long line of letters is not scanned to its end.
	n := 0
	for n < len(src) && n < maxMethod && isTokenByte(src[n]) {
		n++
	}
	if n == 0 || n == len(src) || src[n] != ' ' {
		return false
	}
	// The target may hold blanks: the version is what follows the last one.
	line, _ := lineAt(src, 0)
	i := bytes.LastIndexByte(line, ' ')
	return i > n && bytes.HasPrefix(line[i+1:], []byte("HTTP/"))
}

// maxMethod is longer than any registered method, in bytes.
const maxMethod = 32

// isFieldList reports whether src is a list of header fields, from its first line to a blank line, its end or the
// limit. It is stricter than after a status line, because nothing else identifies a header.
func isFieldList(src []byte, limit int) bool {
	_, whole := fieldList(src, limit)
	return whole
}

// fieldList returns the length of the list of header fields that src begins with, and whether it is as in isFieldList.
func fieldList(src []byte, limit int) (n int, whole bool) {
	// limit bounds the scan: a block of a gigabyte that looks like fields is given up where its head
	// would be.
	for n < len(src) && n < limit {
		line, next := lineAt(src, n)
		// A blank line first of all is an empty list, which is not a head.
		if len(line) == 0 {
			return n, n > 0
		}
		// A continuation line needs a line before it.
		folded := line[0] == ' ' || line[0] == '\t'
		if folded && n == 0 || !folded && !isStrictField(line) {
			return n, false
		}
		n = next
	}
	return n, n > 0
}

// ofResponses are fields that a response has and a text such as robots.txt has not.
var ofResponses = []string{
	"accept-ranges", "cache-control", "connection", "content-disposition", "content-encoding", "content-language",
	"content-length", "content-location", "content-type", "etag", "expires", "keep-alive", "last-modified", "pragma",
	"server", "set-cookie", "transfer-encoding", "vary", "www-authenticate",
}

// isHead reports whether src is a list of header fields, one of which is a response's.
func isHead(src []byte, limit int) bool {
	n, whole := fieldList(src, limit)
	if !whole {
		return false
	}
	for line := range bytes.Lines(src[:n]) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		if slices.Contains(ofResponses, strings.ToLower(string(name))) {
			return true
		}
	}
	return false
}

// isStrictField reports whether line is a token that begins with a letter, a colon, and a value. A URL is not a field.
func isStrictField(line []byte) bool {
	n := 0
	for n < len(line) && isTokenByte(line[n]) {
		n++
	}
	// Beginning with a letter leaves out lines of punctuation, as source code and CSS have them.
	if n == 0 || n == len(line) || line[n] != ':' || !isLetter(line[0]) {
		return false
	}
	// "http://example.org/" has the shape of a field named http.
	return !strings.HasPrefix(string(line[n+1:min(n+3, len(line))]), "//")
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isTokenByte reports whether c may be in a token (RFC 9110 section 5.6.2).
func isTokenByte(c byte) bool {
	// Letters come first because they are the most frequent.
	return isLetter(c) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// status reads the status line.
func (p *parser) status(line string) {
	version, rest := cutSpace(line)
	// The version is kept also if the rest cannot be read: it is archived data.
	p.m.Version = version
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		digits++
	}
	// Not a status that could be trusted: Status stays 0, and the text is kept as the reason.
	if digits != 3 {
		p.m.Reason = rest
		p.quirkIf(true, QuirkStatusLine)
		return
	}
	// Exactly three digits: "2000" is not a status.
	p.m.Status = int(rest[0]-'0')*100 + int(rest[1]-'0')*10 + int(rest[2]-'0')
	p.m.Reason = trim(rest[3:])
	p.quirkIf(!isStrictStatus(line, version, rest), QuirkStatusLine)
}

// request reads the request line.
func (p *parser) request(line string) {
	// The last blank, since targets as archived hold blanks. isRequestLine has seen that there is one.
	i := strings.LastIndexByte(line, ' ')
	p.m.Version = line[i+1:]
	p.m.Method, p.m.Target, _ = strings.Cut(line[:i], " ")
}

// isStrictStatus reports whether line is as RFC 9112 section 4 writes it; the space before an empty reason may be
// absent.
func isStrictStatus(line, version, rest string) bool {
	// The length first, which makes the indexes below safe.
	if len(version) != len("HTTP/1.1") || !strings.HasPrefix(version, "HTTP/") || version[6] != '.' {
		return false
	}
	// Exactly one blank between version and status: cutSpace took all that there were.
	if !isDigit(version[5]) || !isDigit(version[7]) || len(line) != len(version)+1+len(rest) {
		return false
	}
	return len(rest) == 3 || rest[3] == ' '
}

// cutSpace returns line up to its first white space, and what follows it.
func cutSpace(line string) (before, after string) {
	i := 0
	for i < len(line) && line[i] != ' ' && line[i] != '\t' {
		i++
	}
	j := i
	for j < len(line) && (line[j] == ' ' || line[j] == '\t') {
		j++
	}
	return line[:i], line[j:]
}

// fields reads the header fields of text, which has no blank line.
func (p *parser) fields(text string) {
	// A head without fields costs no allocation.
	if text == "" {
		return
	}
	// One field a line at most; MaxFields bounds what lines without content could ask for.
	if cap(p.m.Header) == 0 { // else there is one that is used again
		p.m.Header = make([]schemas.Field, 0, min(strings.Count(text, "\n")+1, p.o.MaxFields))
	}
	for len(text) > 0 {
		f, rest, usual := usualField(text)
		// At MaxFields a usual line takes the slow way too, where the quirk is set.
		if usual && len(p.m.Header) < p.o.MaxFields {
			p.m.Header = append(p.m.Header, f)
			text = rest
			continue
		}
		line, rest, folded := logicalLine(text)
		text = rest
		if folded {
			p.quirkIf(true, QuirkFoldedLine)
			line = unfold(line)
		}
		p.field(line)
	}
}

// usualField cuts the first line off text and splits it if it has the usual form. This is a name, a colon, a space, a
// value, and CR LF, without a continuation line.
func usualField(text string) (f schemas.Field, rest string, ok bool) {
	colon := 0
	// A byte at or below a blank within the name ends the quick way: field decides what it is.
	for colon < len(text) && text[colon] > ' ' && text[colon] != ':' {
		colon++
	}
	value := colon + len(": ")
	if colon == 0 || value >= len(text) || text[colon:value] != ": " || text[value] <= ' ' {
		return f, text, false
	}
	// -1 of IndexByte gives an end before value, which the next line refuses.
	end := strings.IndexByte(text[value:], '\n') + value - len("\r")
	if end <= value || text[end] != '\r' || text[end-1] <= ' ' {
		return f, text, false
	}
	// The next line begins with a blank or is empty, so this line may go on in it.
	if rest = text[end+len("\r\n"):]; len(rest) > 0 && rest[0] <= ' ' {
		return f, text, false
	}
	return schemas.Field{Name: text[:colon], Value: text[value:end]}, rest, true
}

// logicalLine cuts the first line off text, together with the lines that continue it.
func logicalLine(text string) (line, rest string, folded bool) {
	end := 0
	for {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text, "", folded
		}
		end += i + 1
		// Obsolete line folding (RFC 9112 section 5.2): a line that begins with a blank continues with
		// the last one.
		if end == len(text) || text[end] != ' ' && text[end] != '\t' {
			return text[:end], text[end:], folded
		}
		folded = true
	}
}

// unfold joins lines by one space.
func unfold(lines string) string {
	var joined strings.Builder
	// The result is never longer than its lines: one allocation.
	joined.Grow(len(lines))
	for part := range strings.Lines(lines) {
		part = strings.Trim(part, " \t\r\n")
		// RFC 9112 section 5.2 asks for one or more spaces in place of the fold.
		if joined.Len() > 0 && part != "" {
			joined.WriteByte(' ')
		}
		joined.WriteString(part)
	}
	return joined.String()
}

// field adds one line to the header.
func (p *parser) field(line string) {
	line = trim(line)
	if line == "" {
		return
	}
	i := 1 // the pseudo-fields of HTTP/2 begin with a colon
	for i < len(line) && line[i] != ':' {
		i++
	}
	// Skipped, not guessed at: a line without a colon has no name to file it under.
	if i == len(line) {
		p.quirkIf(true, QuirkHeaderLine)
		return
	}
	// The limit is checked before the append, which so never grows beyond what fields allotted.
	if len(p.m.Header) == p.o.MaxFields {
		p.quirkIf(true, QuirkHeaderCut)
		return
	}
	p.m.Header = append(p.m.Header, schemas.Field{Name: trim(line[:i]), Value: trim(line[i+1:])})
}

// trim returns s without white space around it. It is called three times a line, and strings.Trim would make a table
// each time.
func trim(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n') }
