package httpmsg

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// Crawlers write all responses of a connection into one record, and some crawlers add a blank line. This file finds the
// response of the record, and the start of its body.

// maxInterim is how many responses are looked for after others; servers send three or four at most.
const maxInterim = 64

// isPlain reports whether nothing can be between the head and its body: neither another head, which begins with
// "HTTP/", nor a blank line. So it is in nearly all records, and one byte decides it.
func (m *Message) isPlain() bool {
	return m.Status == 200 && len(m.Body) > 0 && m.Body[0] > '\r' && m.Body[0] != 'H'
}

// final goes on to the response after interim ones, the last one of which the block holds.
func (m *Message) final(o Options) {
	behind := m.Body
	for range maxInterim {
		next, ok := m.next()
		if !ok {
			break
		}
		m.parse(next, o)
		m.quirk(QuirkInterim)
		m.Rest = behind
	}
}

// next returns the response after m, and whether m is one after which there is another:
//   - an interim one (RFC 9110, section 15.2), except for 101, after which another protocol begins;
//   - a proxy's, which confirms a connection (RFC 9110, section 9.3.6);
//   - one that asks for a password, where the crawler had one.
func (m *Message) next() ([]byte, bool) {
	switch {
	case m.Status >= 100 && m.Status < 200 && m.Status != 101:
		return m.Body, BeginsResponse(m.Body)
	case m.Status == 200:
		return m.Body, isResponse(m.Body) && m.isTunnel()
	case m.Status != 401 && m.Status != 407:
		return nil, false
	}
	n, _ := BodyLength(m)
	// Its page may show a response, which ends where the page does.
	if n >= 0 && n <= int64(len(m.Body)) && isResponse(m.Body[n:]) {
		return m.Body[n:], true
	}
	// The body ends where the block does, so nothing follows it.
	if n == int64(len(m.Body)) {
		return nil, false
	}
	// Without a length the body runs to the end of the block, and the next head may begin anywhere in it.
	if n < 0 && !isResponse(m.Body) {
		return responseIn(m.Body[:min(len(m.Body), maxMended)], m.Body)
	}
	return m.Body, isResponse(m.Body)
}

// responseIn returns body from where a whole head of a response begins in looked, the part of it that is looked at.
func responseIn(looked, body []byte) ([]byte, bool) {
	for at := 0; ; {
		i := bytes.Index(looked[at:], []byte("HTTP/1."))
		if i < 0 {
			return nil, false
		}
		at += i
		if !isStatus(looked[at:]) {
			at += len("HTTP/1.")
			continue
		}
		_, next := lineAt(body, at)
		// A page may well quote a status line, but hardly a whole head.
		n, whole := fieldList(body[next:], maxMended)
		if whole {
			return body[at:], true
		}
		// What ends this list ends that of each status line inside it, too. So no line is looked at twice.
		at = min(next+n, len(looked))
	}
}

// isStatus reports whether b begins with a version, a blank and a status of three digits.
func isStatus(b []byte) bool {
	const at, end = len(version), len(version) + len("200")
	return len(b) > end && isDigit(b[at-2]) && b[at-1] == ' ' && isDigit(b[at]) && isDigit(b[at+1]) && isDigit(b[at+2]) &&
		isSpace(b[end])
}

// isInterim reports whether src begins with the status line of an interim response.
func isInterim(src []byte) bool {
	line, _ := lineAt(src, 0)
	_, rest, _ := bytes.Cut(line, []byte{' '})
	return len(rest) >= 3 && rest[0] == '1' && isDigit(rest[1]) && isDigit(rest[2]) && string(rest[:3]) != "101"
}

// isStatusByte reports whether a status line may begin with c: "HTTP" or "ICY". It is asked of each line of a head.
func isStatusByte(c byte) bool { return c|0x20 == 'h' || c|0x20 == 'i' }

// isTunnel reports whether m is a proxy's: it says so, or has only fields of a connection.
func (m *Message) isTunnel() bool {
	// Most proxies answer "200 Connection established".
	if strings.Contains(strings.ToLower(m.Reason), "established") {
		return true
	}
	return !slices.ContainsFunc(m.Header, func(f schemas.Field) bool {
		name := strings.ToLower(f.Name)
		ofConnection := []string{"via", "connection", "keep-alive", "date"}
		return !strings.HasPrefix(name, "proxy-") && !slices.Contains(ofConnection, name)
	})
}

// isResponse reports whether b begins with a status line as it has to be, with fields or a blank line after it.
func isResponse(b []byte) bool {
	b = b[leadingBlank(b):]
	if !bytes.HasPrefix(b, []byte("HTTP/")) {
		return false
	}
	first, next := lineAt(b, 0)
	line := string(first)
	v, rest := cutSpace(line)
	if len(rest) < 3 || !isDigit(rest[0]) || !isDigit(rest[1]) || !isDigit(rest[2]) || !isStrictStatus(line, v, rest) {
		return false
	}
	second, _ := lineAt(b, next)
	// A head may have no fields: then a blank line follows at once.
	return len(second) == 0 || isStrictField(second)
}

// bodyStart skips a blank line too many between the header and the body. It does so if the rest has the stated length
// of left bytes, or begins with chunks or with a magic number.
func (m *Message) bodyStart(left int64) {
	// Nothing to pass over, as in nearly all messages; or the server sent the blank line, and counted it.
	if len(m.Body) == 0 || m.Body[0] != '\r' && m.Body[0] != '\n' || m.hasLength(left) {
		return
	}
	for at := lineEnd(m.Body); at > 0 && at < len(m.Body) && at <= maxBlank; {
		if m.isBody(m.Body[at:], left-int64(at)) {
			if m.Rest == nil {
				m.Rest = m.Body
			}
			m.Body = m.Body[at:]
			m.quirk(QuirkBlankLine)
			return
		}
		n := lineEnd(m.Body[at:])
		if n == 0 {
			return
		}
		at += n
	}
}

// maxBlank is the most that is between a head and a body, in bytes: two lines. More is the body's own.
const maxBlank = len("\r\n\r\n")

// isBody reports whether b, with left bytes, is the body by its header or by its magic number. Neither identifies text,
// which may well begin with blank lines.
func (m *Message) isBody(b []byte, left int64) bool {
	if declared(m.Header, 1).chunked {
		if _, _, chunked := dechunk(b, false); chunked {
			return true
		}
	}
	if m.hasLength(left) {
		return true
	}
	// Of markup nothing more is asked: nearly all that begins with a blank line is.
	if text := bytes.TrimLeft(b[:min(len(b), sniffLen)], " \t\r\n"); len(text) == 0 || text[0] == '<' {
		return false
	}
	if hasMagic(b, magicGzip) || hasMagic(b, magicZstd) {
		return true
	}
	r := mimetype.Detect(b[:min(len(b), sniffLen)], "", "", mimetype.Options{})
	// application/octet-stream is said of any bytes, and proves nothing.
	known := (r.Basis == "magic" || r.Basis == "structure") && r.Type != "application/octet-stream"
	return known && !mimetype.IsText(r.Type)
}

// hasLength reports whether Content-Length is n.
func (m *Message) hasLength(n int64) bool {
	stated, err := strconv.ParseInt(strings.TrimSpace(schemas.FieldValue(m.Header, "Content-Length")), 10, 64)
	return err == nil && stated == n
}

func (m *Message) quirk(name string) {
	if !slices.Contains(m.Quirks, name) {
		m.Quirks = append(m.Quirks, name)
	}
}
