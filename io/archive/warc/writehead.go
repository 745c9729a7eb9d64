package warc

import (
	"cmp"
	"crypto/sha1"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// head writes the record: its fields, and the block.
func (w *Writer) head(r outgoing, c *schemas.Capture) {
	w.line("WARC/" + w.version())
	// Empty values are left out by field, so each line here is one that may be missing.
	w.field("WARC-Type", string(r.kind))
	w.field("WARC-Record-ID", "<"+r.id+">")
	w.field(infoField, "<"+w.infoOf(c)+">")
	w.field("WARC-Target-URI", escaped(c.URL))
	w.field("WARC-Date", w.date(c.Timestamp))
	if isIP(c.IP) {
		w.field("WARC-IP-Address", c.IP)
	}
	w.field("ACHE-IsRelevant", c.Crawl[schemas.CrawlRelevant])
	w.field("ACHE-Relevance", c.Crawl[schemas.CrawlRelevance])
	w.field("ACHE-Requested-URL", c.Crawl[schemas.CrawlRequested])
	w.field(publishedField, c.Crawl[schemas.CrawlPublished])
	w.field("WARC-Profile", r.refersTo.Profile)
	if r.refersTo.RecordID != "" {
		w.field("WARC-Refers-To", "<"+keptID(r.refersTo.RecordID)+">")
	}
	w.field("WARC-Refers-To-Target-URI", escaped(r.refersTo.URL))
	w.field("WARC-Refers-To-Date", r.refersTo.Timestamp)
	w.field("WARC-Identified-Content-Language", r.language)
	w.field("WARC-Truncated", r.cut)
	w.kept(c, r.kind)
	w.field(payloadDigest, r.digest)
	if r.http {
		// In a record of HTTP the type is that of the block; the page's own is in its header.
		r.mime = cmp.Or(schemas.FieldValue(c.RecordFields, "Content-Type"), "application/http; msgtype=response")
	}
	w.field("Content-Type", r.mime)
	w.block(r.head, r.body)
}

// line writes a line of a record's head.
// CR LF, as the format asks.
func (w *Writer) line(s string) {
	w.record.WriteString(s)
	w.record.WriteString("\r\n")
}

// field writes a field of a record's head, unless it is empty. Values from pages may contain line ends, and would begin
// fields of their own.
func (w *Writer) field(name, value string) {
	if value = strings.TrimSpace(oneLine(value)); value != "" {
		w.line(name + ": " + value)
	}
}

// date is a time as the version has it: WARC/1.0 knows seconds. One that is not known, which the format does not
// provide for, is the time of writing.
func (w *Writer) date(t time.Time) string {
	if !hasDate(t) {
		t = w.stamp()
	}
	if w.o.WARC10 {
		return t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999999Z")
}

func hasDate(t time.Time) bool { return !t.IsZero() && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999 }

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// maxID is longer than any URI that is an id.
// The bound is for ids that come from elsewhere: a line of a head should not grow without end.
const maxID = 500

// isID reports whether s can be a record's id: a URI (section 5.2 of WARC/1.1).
func isID(s string) bool {
	return len(s) <= maxID && strings.Index(s, ":") > 0 && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || r == '<' || r == '>'
	})
}

// recordID is a name-based UUID (RFC 9562, section 5.5) of parts, so that the same captures make the same file.
func recordID(parts ...string) string {
	sum := sha1.Sum([]byte("https://github.com/gleaner-web/gleaner\x00" + strings.Join(parts, "\x00")))
	u := sum[:16]
	// Bits of version 5 and of the variant. The hash is SHA-1 as the RFC asks, for names and not for secrets.
	u[6], u[8] = u[6]&0x0f|0x50, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// escaped is a URL without what would break its line, or be taken for its end.
func escaped(url string) string {
	if !strings.ContainsFunc(url, isSpace) {
		return url
	}
	var b strings.Builder
	for i := range len(url) {
		if c := url[i]; isSpace(rune(c)) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isSpace(r rune) bool { return r <= ' ' || r == 0x7f }
