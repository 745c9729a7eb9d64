package warc

import (
	"cmp"
	"crypto/sha1"
	"encoding/base32"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// outgoing is the part of a capture to write.
type outgoing struct {
	kind     schemas.RecordType
	id       string
	http     bool   // the block begins with an HTTP head
	head     string // of the HTTP message
	status   int    // in head
	body     []byte
	cut      string // why the body is not complete
	mime     string // of a block without HTTP
	digest   string // of the payload, as the record has it, or ""
	sum      string // of the payload, SHA-1
	key      string // of the payload in its coding, by which it is known
	refersTo schemas.Reference
	language string // of a text
}

// original is a written response that has a payload for the first time.
type original struct {
	schemas.Reference
	digest string
}

// recordOf says what the record of c is.
func (w *Writer) recordOf(c *schemas.Capture) outgoing {
	// Body and header are the capture's own: nothing here changes them.
	r := outgoing{
		kind: w.kindOf(c), http: w.isMessage(c), body: c.Body, mime: c.MIMEDeclared, digest: c.Digest, cut: c.Cut(),
	}
	if c.RefersTo != nil {
		r.refersTo = *c.RefersTo
	}
	if r.http {
		r.status = w.statusOf(c)
	}
	payload, coding := c.Body, ""
	if c.Block != nil {
		m := httpmsg.Parse(c.Block, httpmsg.Options{})
		r.head, r.body, r.cut = string(c.Block[:len(c.Block)-len(m.Body)]), m.Body, c.Truncated
		payload, coding = httpmsg.Payload(m.Header, m.Body, httpmsg.Limits{}), c.Get("Content-Encoding")
	} else if r.http {
		r.head = w.message(c, r.status)
	}
	if r.kind != schemas.TypeRevisit {
		// A revisit keeps the digest of the payload that it has not got.
		// A body that the archive has left out has none.
		if len(payload) > 0 || c.Truncated == "" {
			r.sum = digest.SHA1(payload)
		}
		r.key = r.sum + " " + coding
		r.digest = cmp.Or(declared(c), r.sum)
	}
	// Counted before the id is made, which holds the number: two captures that are equal in all else still differ.
	w.written++
	// An id that came along is kept, so that references to the record stay right.
	if r.id = keptID(c.RecordID); c.RecordID == "" {
		r.id = recordID(string(r.kind), c.URL, c.Timestamp.String(), r.digest, c.Origin.File,
			strconv.FormatInt(c.Origin.Offset, 10), strconv.Itoa(c.Origin.Sequence), strconv.Itoa(w.written))
	}
	if r.mime == "" && strings.HasPrefix(string(c.Body), "HTTP/") {
		r.mime = "application/octet-stream" // or it would be taken for a message
	}
	// Only responses become revisits, and not empty ones: to refer would take more bytes than to repeat.
	if first, known := w.seen[r.key]; known && r.kind == schemas.TypeResponse && len(r.body) > 0 {
		r.kind, r.body, r.refersTo, r.digest = schemas.TypeRevisit, nil, first.Reference, first.digest
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
		// A capture that has no head and is not of the web, such as dns:, stays a response, as crawlers write it.
		return schemas.TypeResponse
	}
	return schemas.TypeResource
}

// isMessage reports whether c has what makes the head of an HTTP message, or is to have it.
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
	if !w.o.Revisits || r.kind != schemas.TypeResponse || len(r.body) == 0 || len(w.seen) >= maxSeen {
		return
	}
	w.seen[r.key] = original{schemas.Reference{RecordID: r.id, URL: c.URL, Timestamp: w.date(c.Timestamp)}, r.digest}
}

// note counts the values that the record does not have.
func (w *Writer) note(c *schemas.Capture, r outgoing) {
	w.Note(c, "timestamp", "record_id", "record_type", "ip", "status", "header", "mime_declared", "refers_to", "truncated",
		"record_fields", "crawl."+schemas.CrawlPublished,
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
		{"header", r.http && c.Block == nil && !isHeader(c.Header)},
		{"digest", r.kind != schemas.TypeRevisit && lostDigest(c, r.digest)},
		{"record_fields", !isHeader(c.RecordFields)},
		{"mime_declared", r.http && c.MIMEDeclared != "" && c.MIMEDeclared != c.Get("Content-Type")},
	}
	for _, l := range lost {
		if l.is {
			w.Drop(l.field)
		}
	}
}

// block writes the end of a record's head, its block, and the two line ends after it.
func (w *Writer) block(head string, body []byte) {
	// The digest is of the whole block, HTTP head included (section 5.8 of WARC/1.1).
	h := sha1.New()
	h.Write([]byte(head))
	h.Write(body)
	w.field(blockDigest, "sha1:"+base32.StdEncoding.EncodeToString(h.Sum(nil)))
	w.end(head, body)
}

// end writes the end of a record after its last field but one.
func (w *Writer) end(head string, body []byte) {
	w.line("Content-Length: " + strconv.Itoa(len(head)+len(body)))
	w.line("")
	w.record.WriteString(head)
	w.record.Write(body)
	w.record.WriteString("\r\n\r\n")
}
