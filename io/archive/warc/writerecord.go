package warc

import (
	"cmp"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// outgoing is what is to be written of a capture.
type outgoing struct {
	kind     schemas.RecordType
	id       string
	http     bool   // the block begins with an HTTP head
	head     string // of the HTTP message
	body     []byte
	mime     string // of a block without HTTP
	digest   string // of the payload
	refersTo schemas.Reference
	language string // of a text
}

// recordOf says what the record of c is.
func (w *Writer) recordOf(c *schemas.Capture) outgoing {
	// Body and header are the capture's own: nothing here changes them.
	r := outgoing{kind: w.kindOf(c), http: w.isMessage(c), body: c.Body, mime: c.MIMEDeclared, digest: c.Digest}
	if c.RefersTo != nil {
		r.refersTo = *c.RefersTo
	}
	if r.kind != schemas.TypeRevisit {
		// A revisit keeps the digest of the payload that it has not got.
		r.digest = digest.SHA1(c.Body)
	}
	// Counted before the id is made, which holds the number: two captures that are equal in all else still differ.
	w.written++
	// An id that came along is kept, so that references to the record stay right.
	if r.id = c.RecordID; !isID(r.id) {
		r.id = recordID(string(r.kind), c.URL, c.Timestamp.String(), r.digest, c.Origin.File,
			strconv.FormatInt(c.Origin.Offset, 10), strconv.Itoa(c.Origin.Sequence), strconv.Itoa(w.written))
	}
	if r.http {
		r.head = w.message(c)
	}
	if r.mime == "" && strings.HasPrefix(string(c.Body), "HTTP/") {
		r.mime = "application/octet-stream" // or it would be taken for a message
	}
	// Only responses become revisits, and not empty ones: to refer would take more bytes than to repeat.
	if first, known := w.seen[r.digest]; known && r.kind == schemas.TypeResponse && len(c.Body) > 0 {
		r.kind, r.body, r.refersTo = schemas.TypeRevisit, nil, first
	}
	if r.kind == schemas.TypeRevisit {
		// Always said, since a revisit without a profile has no meaning (section 6.7 of WARC/1.1). The address
		// holds the version.
		r.refersTo.Profile = cmp.Or(r.refersTo.Profile, "http://netpreserve.org/warc/"+w.version()+
			"/revisit/identical-payload-digest")
	}
	return r
}

// kindOf is the type of c's record.
func (w *Writer) kindOf(c *schemas.Capture) schemas.RecordType {
	switch {
	case c.RecordType == schemas.TypeConversion, c.RecordType == schemas.TypeRevisit, c.RecordType == schemas.TypeResource:
		return c.RecordType
	case w.isMessage(c) || !isWeb(c.URL):
		// What is neither of the web nor has a head, such as dns:, stays the response that crawlers write of it.
		return schemas.TypeResponse
	}
	return schemas.TypeResource
}

// isMessage tells whether c has what makes the head of an HTTP message, or is to have it.
// A status or a field can only be kept in a head.
func (w *Writer) isMessage(c *schemas.Capture) bool {
	return c.Status != 0 || len(c.Header) > 0 || w.o.StatusLine && c.RecordType == schemas.TypeResponse && isWeb(c.URL)
}

func isWeb(url string) bool {
	return strings.HasPrefix(url, "http:") || strings.HasPrefix(url, "https:")
}

// remember notes a response, so that another with its payload can refer to it.
func (w *Writer) remember(r outgoing, c *schemas.Capture) {
	// When the map is full, later payloads are written in full: correct, only larger.
	if !w.o.Revisits || r.kind != schemas.TypeResponse || len(c.Body) == 0 || len(w.seen) >= maxSeen {
		return
	}
	w.seen[r.digest] = schemas.Reference{RecordID: r.id, URL: c.URL, Timestamp: w.date(c.Timestamp)}
}

// note counts what is not in the record.
func (w *Writer) note(c *schemas.Capture, r outgoing) {
	w.Note(c, "timestamp", "record_id", "record_type", "ip", "status", "header", "mime_declared", "refers_to", "truncated",
		"crawl."+schemas.CrawlRelevance, "crawl."+schemas.CrawlRelevant, "crawl."+schemas.CrawlRequested)
	lost := []struct {
		field string
		is    bool
	}{
		// These fields can be carried, but not with any value.
		{"timestamp", !hasDate(c.Timestamp)},
		{"record_id", c.RecordID != "" && !isID(c.RecordID)},
		{"record_type", c.RecordType == schemas.TypeResponse && r.kind == schemas.TypeResource},
		{"ip", c.IP != "" && !isIP(c.IP)},
		{"status", !isStatus(c.Status)},
		{"header", r.http && !isHeader(c.Header)},
		{"mime_declared", r.http && c.MIMEDeclared != "" && c.MIMEDeclared != c.Get("Content-Type")},
	}
	for _, l := range lost {
		if l.is {
			w.Drop(l.field)
		}
	}
}

// head writes the record: its fields, and the block.
func (w *Writer) head(r outgoing, c *schemas.Capture) {
	w.line("WARC/" + w.version())
	// Empty values are left out by field, so each line here is one that may be missing.
	w.field("WARC-Type", string(r.kind))
	w.field("WARC-Record-ID", "<"+r.id+">")
	w.field("WARC-Warcinfo-ID", "<"+w.info+">")
	w.field("WARC-Target-URI", escaped(c.URL))
	w.field("WARC-Date", w.date(c.Timestamp))
	if isIP(c.IP) {
		w.field("WARC-IP-Address", c.IP)
	}
	w.field("ACHE-IsRelevant", c.Crawl[schemas.CrawlRelevant])
	w.field("ACHE-Relevance", c.Crawl[schemas.CrawlRelevance])
	w.field("ACHE-Requested-URL", c.Crawl[schemas.CrawlRequested])
	w.field("WARC-Profile", r.refersTo.Profile)
	if isID(r.refersTo.RecordID) {
		w.field("WARC-Refers-To", "<"+r.refersTo.RecordID+">")
	}
	w.field("WARC-Refers-To-Target-URI", escaped(r.refersTo.URL))
	w.field("WARC-Refers-To-Date", r.refersTo.Timestamp)
	w.field("WARC-Identified-Content-Language", r.language)
	w.field("WARC-Truncated", c.Cut())
	w.field("WARC-Payload-Digest", r.digest)
	if r.http {
		// In a record of HTTP the type is that of the block; the page's own stands in its header.
		r.mime = "application/http; msgtype=response"
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

// field writes a field of a record's head, unless it is empty.
// What comes from pages may hold line ends, and would begin fields of its own.
func (w *Writer) field(name, value string) {
	if value = strings.TrimSpace(oneLine(value)); value != "" {
		w.line(name + ": " + value)
	}
}

// block writes the end of a record's head, its block, and the two line ends behind it.
func (w *Writer) block(head string, body []byte) {
	// The digest is of the whole block, HTTP head included (section 5.8 of WARC/1.1).
	h := sha1.New()
	h.Write([]byte(head))
	h.Write(body)
	w.field("WARC-Block-Digest", "sha1:"+base32.StdEncoding.EncodeToString(h.Sum(nil)))
	w.line("Content-Length: " + strconv.Itoa(len(head)+len(body)))
	w.line("")
	w.record.WriteString(head)
	w.record.Write(body)
	w.record.WriteString("\r\n\r\n")
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

// isID tells whether s can be a record's id: a URI (section 5.2 of WARC/1.1).
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
