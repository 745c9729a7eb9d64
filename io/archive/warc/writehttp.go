package warc

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// message is the head of c's HTTP message, in which the fields about codings that were undone have other names. A
// revisit's are about the payload that it refers to, and stay.
func (w *Writer) message(c *schemas.Capture, status int) string {
	var b strings.Builder
	b.WriteString(statusLine(status))
	undone, length := false, false
	size := strconv.Itoa(len(c.Body))
	for _, f := range c.Header {
		name, value := fieldName(f.Name), oneLine(f.Value)
		switch {
		// A revisit has no body here that its fields could contradict.
		case c.RecordType == schemas.TypeRevisit:
		case strings.EqualFold(name, "Content-Length"):
			// A wrong length would make readers cut the body or wait for more.
			if value != size {
				name, undone = crawler+name, true
			} else if length {
				// A second one that says the same would be odd, though not wrong.
				continue
			} else {
				length = true
			}
		case strings.EqualFold(name, "Content-Encoding"), strings.EqualFold(name, "Transfer-Encoding"):
			name, undone = crawler+name, true
		}
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
	}
	// Without codings and without a length the end of the message is unknown, so it is stated.
	if undone && !length {
		fmt.Fprintf(&b, "Content-Length: %s\r\n", size)
	}
	b.WriteString("\r\n")
	return b.String()
}

// crawler is the prefix of fields that describe the server's response and not the stored one, as in Common Crawl.
const crawler = "X-Crawler-"

// statusOf is the status to write for c, 0 if it is not known.
func (w *Writer) statusOf(c *schemas.Capture) int {
	switch {
	// More than three digits would shift the fields of the line.
	case isStatus(c.Status) && c.Status != 0:
		return c.Status
	case w.o.StatusLine:
		return http.StatusOK
	}
	return 0
}

// statusLine is the first line of a message. Programs need one, also where the status is not known.
func statusLine(status int) string {
	reason := http.StatusText(status)
	if status == 0 {
		reason = "Unknown"
	}
	return fmt.Sprintf("HTTP/1.1 %03d %s\r\n", status, reason)
}

// isStatus reports whether a status has the three digits of RFC 9112, section 4, or is not known.
func isStatus(n int) bool { return n >= 0 && n <= 999 }

// isHeader reports whether fields can be written as they are. It is for counting losses: values that cannot be written
// unchanged were changed.
func isHeader(fields []schemas.Field) bool {
	return !slices.ContainsFunc(fields, func(f schemas.Field) bool {
		return fieldName(f.Name) != f.Name || oneLine(f.Value) != f.Value
	})
}

// fieldName is name as a token.
// An empty name cannot be written either.
func fieldName(name string) string { return cmp.Or(strings.Map(token, name), "_") }

// token is r where a field's name may hold it (RFC 9110, section 5.6.2): another would make the whole head none.
func token(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r) {
		return r
	}
	return '_'
}

// oneLine is s without what would end its line: a URL or a header field of a hostile server must not begin another.
func oneLine(s string) string { return lineEnds.Replace(s) }

// lineEnds iterates over bytes, so that bytes that are not UTF-8 stay.
var lineEnds = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")
