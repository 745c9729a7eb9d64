package httpmsg

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/schemas"
)

// version is what nearly all responses begin with, up to the status code.
const version = "HTTP/1.1 "

// BeginsResponse reports whether block begins with the status line of a response, in which some bits may be wrong.
func BeginsResponse(block []byte) bool {
	b := block[leadingBlank(block):]
	return isStatusLine(b) || nearVersion(b) != ""
}

// nearVersion returns the version with the blank after it that b begins with, wrong bits or not; "" when it does not.
func nearVersion(b []byte) string {
	for _, v := range [...]string{version, "HTTP/1.0 "} {
		if len(b) > len(v)+2 && b[0] != '<' && mend.Near(b, v) {
			return v
		}
	}
	return ""
}

// isDoubtful reports whether the header parsed from src may be damaged. Its lines end in several ways, or its status is
// unreadable or contradicts its reason.
func (m *Message) isDoubtful(src []byte) bool {
	head := src[:len(src)-len(m.Body)]
	cr := bytes.Count(head, []byte{'\r'})
	return cr > 0 && cr != bytes.Count(head, []byte{'\n'}) || m.Status == 0 ||
		len(m.Version) == len("HTTP/1.1") && !isDigit(m.Version[7]) || m.misreads() ||
		len(m.Body) > 0 && m.Body[0] == '\r' && slices.Contains(m.Quirks, QuirkNoBlankLine)
}

// framing are the fields without which a body is read or a page found otherwise, in lower case.
var framing = [...]string{"content-type", "content-length", "content-encoding", "transfer-encoding", "location"}

// mendNames gives the names of framing to fields of which the name has wrong bits, if there is no such field. It
// reports whether it changed one. Names that a server may have misspelt stay: tokens, and those with = for the hyphen,
// the key beside it.
func mendNames(fields []schemas.Field) (changed bool) {
	var looked, there [len(framing)]bool
	for i := range fields {
		f := &fields[i]
		for k, known := range framing {
			if len(f.Name) < len(known) || !nearName(f.Name, known) ||
				isToken(strings.Replace(f.Name, "=", "-", 1)) {
				continue
			}
			if !looked[k] {
				looked[k], there[k] = true, schemas.FieldValue(fields, known) != ""
			}
			if !there[k] {
				f.Name, changed, there[k] = known, true, true
			}
		}
	}
	return changed
}

// isToken reports whether name can be that of a field (RFC 9110 section 5.6.2).
func isToken(name string) bool {
	for i := range len(name) {
		if !isTokenByte(name[i]) {
			return false
		}
	}
	return true
}

// nearName reports whether name is known, which is in lower case, with wrong bits. Bytes that are not ASCII were read
// as ISO 8859-1.
func nearName(name, known string) bool {
	i, wrong := 0, 0
	for _, r := range name {
		if i == len(known) || r > 0xff {
			return false
		}
		c := byte(r)
		if isLetter(c) {
			c |= 0x20
		}
		if wrong += mend.Bits(c, known[i]); wrong > mend.MaxBits {
			return false
		}
		i++
	}
	return i == len(known)
}

// reasons are those of RFC 9110 that most servers send.
var reasons = map[string]int{
	"OK": 200, "Created": 201, "No Content": 204, "Moved Permanently": 301, "Found": 302, "Moved Temporarily": 302,
	"See Other": 303, "Not Modified": 304, "Bad Request": 400, "Unauthorized": 401, "Forbidden": 403, "Not Found": 404,
	"Gone": 410, "Internal Server Error": 500, "Service Unavailable": 503,
}

// misreads reports whether the status differs by a bit from that of the reason. It is of another class or not
// registered: no server sends such a pair.
func (m *Message) misreads() bool {
	if m.Status == 200 { // as nearly all are
		return false
	}
	want, known := reasons[m.Reason]
	if !known || want == m.Status {
		return false
	}
	x, y, wrong := strconv.Itoa(want), strconv.Itoa(m.Status), 0
	for i := range min(len(x), len(y)) {
		wrong += mend.Bits(x[i], y[i])
	}
	return wrong == 1 && (want/100 != m.Status/100 || m.Status%100 > 31 ||
		m.Status < 400 && m.Status%100 > 8 && m.Status != http.StatusIMUsed)
}

// parseMended repairs and parses src again, which begins with a possibly damaged header. It reports whether it did;
// otherwise m is unchanged.
func (m *Message) parseMended(src []byte, o Options) bool {
	// A blank line that is damaged lets the head run on in the body, as far as one may.
	head := bytes.Clone(src[:min(len(src), o.MaxHead, maxMended)])
	changed := mendStatus(head)
	if !isStatusLine(head) {
		return false
	}
	changed = mendBlankLine(head) || changed
	if !mend.LineEnds(head) && !changed {
		m.Damaged = m.Damaged || m.HasHead && (m.misreads() || m.Status == 0 && hasOddStatus(head))
		return false
	}
	start := len(m.Quirks) > 0 && m.Quirks[0] == QuirkLeadingBlank
	*m = Message{Header: m.Header[:0], Quirks: m.Quirks[:0], Damaged: true}
	h := parser{o: o, m: m}
	h.quirkIf(start, QuirkLeadingBlank)
	h.message(head, true)
	m.Body = src[len(head)-len(m.Body):]
	return true
}

// hasOddStatus reports whether an invalid number replaces the status. Writers of archives use 000 for a missing status,
// which does not count.
func hasOddStatus(head []byte) bool {
	return len(head) > len(version) && isDigit(head[len(version)]) && !bytes.HasPrefix(head[len(version):], []byte("000"))
}

// mendBlankLine repairs a blank line that damage has put in place of the last letter of a line. It reports whether
// there is one, with more fields after it.
func mendBlankLine(b []byte) bool {
	const blank = "\n\r\n"
	i := bytes.Index(b, []byte(blank))
	if i < 1 || b[i-1] == '\r' {
		return false
	}
	// The body may be such a list, as robots.txt is.
	rest := b[i+len(blank):]
	if n, _ := fieldList(rest, maxMended); leadingBlank(rest[n:]) == 0 || !isHead(rest, maxMended) {
		return false
	}
	b[i] = ' '
	return true
}

// maxMended limits the search for the end of a damaged header, in bytes.
const maxMended = 64 << 10

// mendStatus repairs the status line at the start of b, and reports whether it changed it. It repairs a version with
// wrong bits before a list of fields, the blanks around the status, and a status that the reason shows.
func mendStatus(b []byte) (changed bool) {
	const at, end = len(version), len(version) + len("200")
	v := nearVersion(b)
	if v == "" || len(b) <= end {
		return false
	}
	line, next := lineAt(b, 0)
	if !bytes.HasPrefix(b, []byte(v)) && (isStatusLine(b) || isFieldList(b[next:], maxMended)) {
		copy(b, v)
		changed = true
	}
	if !bytes.HasPrefix(b, []byte(v)) {
		return false
	}
	digits := isDigit(b[at]) && isDigit(b[at+1]) && isDigit(b[at+2])
	want, known := reasons[string(trimCR(line[min(end+1, len(line)):]))]
	// A blank may have become a digit, too: 2000OK.
	if wrong := mend.Bits(b[end], ' '); digits && (wrong == 1 && !isDigit(b[end]) || wrong > 0 && wrong < 3 && known) {
		b[end], changed = ' ', true
	}
	if known && !digits {
		if s := strconv.Itoa(want); mend.Near(b[at:end], s) {
			copy(b[at:], s)
			changed = true
		}
	}
	return changed
}
