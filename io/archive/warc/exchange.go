package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Exchange is a request and its answer as a crawl had them, for [Writer.WriteExchange].
type Exchange struct {
	URL     string
	Time    time.Time // when the request was sent
	IP      string    // of the server; "" when that is not known
	Request []byte    // the HTTP message as sent
	Head    []byte    // of the answer, as received: status line, fields, and the empty line
	Status  int
	Body    io.ReaderAt // without the transfer coding, and with the content coding; read twice
	Size    int64       // of Body, bytes
	SHA1    [sha1.Size]byte
	// Truncated is why the body is not whole, as WARC-Truncated has it; "" when it is.
	Truncated string
	// RefersTo is the capture whose payload an answer of status 304 stands for: without one it is a response like others.
	RefersTo *schemas.Reference
	// Published is the page's time of publication in the feed; zero if unknown. It is written as Gleaner-Published, a
	// field of ours: WARC has none for it.
	Published time.Time
	Metadata  []schemas.Field // of a metadata record of the fetch; none when it is empty
}

const publishedField = "Gleaner-Published"

// WriteExchange writes a response, the request, and the metadata if there is any. It writes a revisit if the payload
// was written before or has not changed since. Unlike Write it keeps the head as received, except for removed transfer
// codings. In this case Transfer-Encoding gets X-Crawler- before its name, and Content-Length is added. Memory does not
// depend on the body's size. IDs of records are hashes of their content, so that the same exchange makes the same
// records. After an error the file that was being written is aborted.
func (w *Writer) WriteExchange(x Exchange) (Place, error) {
	if err := w.ready(x.Time, identity{}); err != nil {
		return Place{}, err
	}
	r := w.responseOf(x)
	if err := w.writeResponse(x, r); err != nil {
		return Place{}, err
	}
	// After writing, because only written records can be referred to.
	if w.o.Revisits && r.kind == schemas.TypeResponse && x.Size > 0 && x.Truncated == "" && len(w.seen) < maxSeen {
		w.seen[r.digest] = original{schemas.Reference{RecordID: r.id, URL: x.URL, Timestamp: w.date(x.Time)}, r.digest}
	}
	place := w.place
	w.side(x, r, "request", "application/http; msgtype=request", x.Request)
	if err := w.flush(); err != nil || len(x.Metadata) == 0 {
		return place, err
	}
	var fields bytes.Buffer
	for _, f := range x.Metadata {
		fmt.Fprintf(&fields, "%s: %s\r\n", fieldName(f.Name), oneLine(f.Value))
	}
	w.side(x, r, "metadata", "application/warc-fields", fields.Bytes())
	return place, w.flush()
}

// responseOf says what the record of x's answer is.
func (w *Writer) responseOf(x Exchange) outgoing {
	r := outgoing{
		kind: schemas.TypeResponse, head: string(framed(x.Head, x.Size)),
		digest: "sha1:" + base32.StdEncoding.EncodeToString(x.SHA1[:]),
	}
	profile := ""
	first, known := w.seen[r.digest]
	switch {
	case x.Status == 304 && x.RefersTo != nil:
		r.refersTo, profile = *x.RefersTo, "server-not-modified"
		// The payload is missing, so its digest would be that of no bytes.
		r.digest = ""
	case known && x.Size > 0 && x.Truncated == "":
		r.refersTo, profile = first.Reference, "identical-payload-digest"
	}
	if profile != "" {
		r.kind = schemas.TypeRevisit
		r.refersTo.Profile = "http://netpreserve.org/warc/" + w.version() + "/revisit/" + profile
	}
	r.id = recordID("exchange", x.URL, w.date(x.Time), string(x.Head), string(x.SHA1[:]))
	return r
}

// writeResponse writes the record of the answer, with its body as a stream.
func (w *Writer) writeResponse(x Exchange, r outgoing) error {
	size := x.Size
	if r.kind == schemas.TypeRevisit {
		size = 0
	}
	h := sha1.New()
	h.Write([]byte(r.head))
	if _, err := io.Copy(h, io.NewSectionReader(x.Body, 0, size)); err != nil {
		w.Abort()
		return fmt.Errorf("warc: reading a body: %w", err)
	}
	w.begin(x, string(r.kind), r.id)
	w.field("WARC-Profile", r.refersTo.Profile)
	if isID(r.refersTo.RecordID) {
		w.field("WARC-Refers-To", "<"+r.refersTo.RecordID+">")
	}
	w.field("WARC-Refers-To-Target-URI", escaped(r.refersTo.URL))
	w.field("WARC-Refers-To-Date", r.refersTo.Timestamp)
	w.field("WARC-Truncated", x.Truncated)
	if !x.Published.IsZero() {
		w.field(publishedField, x.Published.UTC().Format(time.RFC3339))
	}
	w.field(payloadDigest, r.digest)
	w.field("Content-Type", "application/http; msgtype=response")
	w.field("WARC-Block-Digest", "sha1:"+base32.StdEncoding.EncodeToString(h.Sum(nil)))
	w.line("Content-Length: " + strconv.FormatInt(int64(len(r.head))+size, 10))
	w.line("")
	w.record.WriteString(r.head)
	w.written++
	w.place.Type, w.place.Digest = r.kind, r.digest
	return w.stream(io.NewSectionReader(x.Body, 0, size))
}

// side makes a record that is beside the response r.
func (w *Writer) side(x Exchange, r outgoing, kind, mime string, block []byte) {
	w.begin(x, kind, recordID(kind, r.id, string(block)))
	w.field("WARC-Concurrent-To", "<"+r.id+">")
	w.field("Content-Type", mime)
	w.block("", block)
}

// begin writes the fields that all records of an exchange have.
func (w *Writer) begin(x Exchange, kind, id string) {
	w.line("WARC/" + w.version())
	w.field("WARC-Type", kind)
	w.field("WARC-Record-ID", "<"+id+">")
	w.field("WARC-Warcinfo-ID", "<"+w.info+">")
	w.field("WARC-Target-URI", escaped(x.URL))
	w.field("WARC-Date", w.date(x.Time))
	if isIP(x.IP) {
		w.field("WARC-IP-Address", x.IP)
	}
}

// stream writes the record whose beginning was made, and the rest of its block.
func (w *Writer) stream(block *io.SectionReader) error {
	kind, digest := w.place.Type, w.place.Digest
	size := int64(w.record.Len()) + block.Size() + int64(len(recordEnd))
	n, err := w.pack.stream(w.out, io.MultiReader(&w.record, block, strings.NewReader(recordEnd)), size)
	w.record.Reset()
	if err != nil {
		// As in flush: half a record would damage all that follow.
		w.Abort()
		return fmt.Errorf("warc: %w", err)
	}
	w.place = Place{File: w.name, Offset: w.size, Length: n, Type: kind, Digest: digest}
	w.size += n
	return nil
}

// recordEnd stands after each record.
const recordEnd = "\r\n\r\n"

// stream writes a record of size bytes as it is compressed, and returns how many bytes that made.
func (p packer) stream(to io.Writer, record io.Reader, size int64) (int64, error) {
	count := &counter{to: to}
	var pack io.WriteCloser
	switch {
	case p.zstd != nil:
		p.zstd.ResetContentSize(count, size)
		pack = p.zstd
	case p.gzip != nil:
		p.gzip.Reset(count)
		p.gzip.ModTime = time.Unix(0, 0) // "not known", as in bytes
		pack = p.gzip
	default:
		return io.Copy(to, record)
	}
	if _, err := io.Copy(pack, record); err != nil {
		return count.n, err
	}
	return count.n, pack.Close()
}

// counter counts the written bytes.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// framed is the head of an answer made to fit a body whose transfer coding was undone. All else stays byte by byte.
func framed(head []byte, size int64) []byte {
	if !hasTransferCoding(head) {
		return head
	}
	var b bytes.Buffer
	for line := range bytes.SplitAfterSeq(head, []byte("\n")) {
		name, _, isField := strings.Cut(string(line), ":")
		name = strings.TrimSpace(name)
		switch {
		// A length beside a transfer coding does not count (RFC 9112, section 6.3), and is not the body's.
		case isField && (strings.EqualFold(name, "Transfer-Encoding") || strings.EqualFold(name, "Content-Length")):
			b.WriteString(crawler)
		// The empty line, with the line end that this head has.
		case len(line) > 0 && len(bytes.TrimRight(line, "\r\n")) == 0:
			fmt.Fprintf(&b, "Content-Length: %d%s", size, line)
		}
		b.Write(line)
	}
	return b.Bytes()
}

// hasTransferCoding reports whether a head has the field Transfer-Encoding.
func hasTransferCoding(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		name, _, ok := strings.Cut(string(line), ":")
		if ok && strings.EqualFold(strings.TrimSpace(name), "Transfer-Encoding") {
			return true
		}
	}
	return false
}
