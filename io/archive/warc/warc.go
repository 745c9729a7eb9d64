// Package warc reads WARC files, versions 0.16 to 1.1 and unknown later ones, compressed or not, damaged or whole. It
// writes versions 1.0 and 1.1 ([NewWriter]).
//
// It turns records into captures: response, resource, conversion and revisit records become one each. The calling
// reader counts warcinfo, request, metadata and unknown types. A record of unknown type that declares an HTTP response,
// and begins like one, is taken for one, with the flag type. Continuation records are segments of others; see
// [Grammar.Segment] and package segment. Anomalies of a head that can be understood are accepted and named as a quirk:
//
//	lf_line_end              head lines end with LF alone
//	folded_field             a field goes on in the next line (deprecated in WARC/1.1, section 4)
//	line_without_colon       a line that is no field; ignored
//	head_without_blank_line  the head ends with the data
//	uri_in_brackets          <URI>, as WARC/1.0 wrote it and its grammar asks
//	uri_with_blanks          blanks around or in the URI
//	odd_date                 a capture time that is not RFC 3339 in UTC
//	lower_case_version       "warc/1.0"
//	no_content_type          HTTP in a response that does not say so
//	duplicate_field          a field that may stand once stands again; the first counts
//	two_lengths              Content-Length stands twice, with different values; the first counts, if evidence agrees
//	odd_field_name           a name that no field can have
//	segment_fields           segment fields that do not say which part of which record this is
//
// The format is ISO 28500:2017; what files in the wild hold is from the test data of a score of tools.
//
//	r, err := warc.NewReader(file, size, record.Options{})
//	for rec, err := range r.All() { // rec is valid until the next one
//		fmt.Printf("%s %s %d bytes\n", warc.Type(&rec.Head), rec.Head.Get("WARC-Target-URI"), len(rec.Payload()))
//	}
package warc

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// NewReader returns a reader of the WARC file src of size bytes. It detects by content whether src is compressed with
// gzip, zstd or lz4. It is for a file that is known to be a WARC; package archive tells formats apart. Close it.
func NewReader(src io.ReaderAt, size int64, o record.Options) (*record.Reader, error) {
	return record.Open(src, size, Grammar{}, o)
}

// types are those of WARC/1.1, section 6.
var types = [...]string{
	"response", "request", "metadata", "warcinfo", "resource", "conversion", "revisit", "continuation",
}

// Type returns the record's type in lower case, "unknown" when it has none.
func Type(h *record.Head) string {
	t := h.Get("WARC-Type")
	for _, known := range types {
		if string(t) == known { // compared without a copy
			return known
		}
	}
	// A type that is too long is somebody's data, and would be a counter of its own in reports.
	if len(t) > 0 && len(t) <= maxName {
		return strings.ToLower(strings.ToValidUTF8(string(t), "\uFFFD"))
	}
	return "unknown"
}

func isKnown(t string) bool { return slices.Contains(types[:], t) }

// isResponse reports whether a record without a readable type is a response all the same. The record must call its
// block a response, and the block must begin with a status line. A "msgtype" distinguishes responses from requests (RFC
// 9112, section 10.2).
func isResponse(h *record.Head, block []byte) bool {
	t := h.Get("Content-Type")
	return DeclaresHTTP(t) && bytes.Contains(bytes.ToLower(t), []byte("msgtype=response")) &&
		bytes.HasPrefix(block, []byte("HTTP/"))
}

// Capture turns rec, from the named file, into a capture, and returns its quirks. For a type that is not a capture it
// returns nil. The capture owns its bytes.
func (Grammar) Capture(rec *record.Record, file string, o payload.Options) (*schemas.Capture, []string) {
	h := &rec.Head
	t := schemas.RecordType(Type(h))
	broken := false
	switch t {
	case schemas.TypeResponse, schemas.TypeResource, schemas.TypeConversion, schemas.TypeRevisit:
	default:
		// A record of a known type that is not a page is not a capture, however its block begins.
		if isKnown(string(t)) || !isResponse(h, rec.Block) {
			return nil, headQuirks(h)
		}
		t, broken = schemas.TypeResponse, true
	}
	c := &schemas.Capture{
		RecordType: t,
		RecordID:   bracketed(h.Get("WARC-Record-ID")),
		IP:         text(h.Get("WARC-IP-Address")),
		Truncated:  text(h.Get("WARC-Truncated")),
		Flags:      append([]schemas.Flag(nil), rec.Flags...),
		Origin:     schemas.Origin{File: file, Offset: rec.Offset, Length: rec.Length, Sequence: rec.Ordinal},
	}
	if broken {
		c.AddFlag(schemas.FlagType)
	}
	// headQuirks returns a new slice each time, so appending to it harms nobody.
	quirks := append(headQuirks(h), targetURI(c, h)...)
	quirks = append(quirks, date(c, h)...)
	crawl(c, h)
	if at, _, ok := ParseDate(text(h.Get(publishedField))); ok {
		c.SetCrawl(schemas.CrawlPublished, at.Format(time.RFC3339))
	}
	if t == schemas.TypeRevisit {
		c.RefersTo = refersTo(h)
	}
	return c, append(quirks, block(c, rec, o)...)
}

// Type returns the record's type.
func (Grammar) Type(rec *record.Record) string { return Type(&rec.Head) }

// ID returns the record's WARC-Record-ID, for reports.
func (Grammar) ID(rec *record.Record) string { return bracketed(rec.Head.Get("WARC-Record-ID")) }

// block fills in what the record's block says.
// The digests are passed on as they stand: package payload knows how they may be written.
func block(c *schemas.Capture, rec *record.Record, o payload.Options) []string {
	h := &rec.Head
	in := payload.Block{
		Bytes: rec.Block, Size: rec.Size,
		BlockDigest: text(h.Get("WARC-Block-Digest")), PayloadDigest: text(h.Get("WARC-Payload-Digest")),
		Referred: c.RecordType == schemas.TypeRevisit,
	}
	contentType := h.Get("Content-Type")
	// Other records have no status, no header and no coding: their type is the one of the record.
	if !(Grammar{}).IsHTTP(h, rec.Block) {
		c.MIMEDeclared = text(contentType)
		payload.Raw(c, in, o)
		return nil
	}
	var quirks []string
	if !DeclaresHTTP(contentType) {
		quirks = []string{"no_content_type"}
	}
	return append(quirks, payload.HTTP(c, in, o)...)
}

// IsHTTP reports whether the record's block is declared as HTTP, or begins like it without a declaration. In a response
// or revisit the beginning decides too, because some writers declare the body's type.
func (Grammar) IsHTTP(h *record.Head, block []byte) bool {
	// Declared wins over looks: a resource may well be a file that begins with "HTTP/".
	t := h.Get("Content-Type")
	if DeclaresHTTP(t) {
		return true
	}
	if !bytes.HasPrefix(block, []byte("HTTP/")) {
		return false
	}
	kind := schemas.RecordType(Type(h))
	return len(t) == 0 || kind == schemas.TypeResponse || kind == schemas.TypeRevisit
}

// DeclaresHTTP reports whether a Content-Type is one of HTTP messages (sections 10.1 and 10.2 of RFC 9112). WARC/1.1's
// own example of a revisit has message/http.
func DeclaresHTTP[T ~string | ~[]byte](contentType T) bool {
	for _, mime := range [...]string{"application/http", "message/http"} {
		// Only its beginning: parameters such as msgtype follow.
		if len(contentType) < len(mime) {
			continue
		}
		if t := contentType[:len(mime)]; string(t) == mime || strings.EqualFold(string(t), mime) {
			return true
		}
	}
	return false
}

// refersTo has a revisit's reference to the record that holds its payload (sections 5.11 to 5.13 of WARC/1.1). Each
// part may be missing.
func refersTo(h *record.Head) *schemas.Reference {
	ref := &schemas.Reference{
		RecordID: bracketed(h.Get("WARC-Refers-To")),
		URL:      trimBrackets(urlkey.Text(string(h.Get("WARC-Refers-To-Target-URI")))),
		Profile:  bracketed(h.Get("WARC-Profile")),
	}
	// A date that cannot be read is left out: it is only a help in finding the record.
	if t, _, ok := ParseDate(text(h.Get("WARC-Refers-To-Date"))); ok {
		ref.Timestamp = t.Format(time.RFC3339Nano)
	}
	return ref
}

// targetURI sets the capture's URL. Bytes that are not UTF-8 are percent-encoded.
func targetURI(c *schemas.Capture, h *record.Head) (quirks []string) {
	value := string(h.Get("WARC-Target-URI"))
	raw := urlkey.Text(value)
	c.URL = raw
	// More than the brackets, else an empty URI would be one.
	if len(raw) > 1 && raw[0] == '<' && raw[len(raw)-1] == '>' {
		c.URL, quirks = raw[1:len(raw)-1], []string{"uri_in_brackets"}
	}
	// Blanks within stay, and are what the quirk tells; only those around are taken off.
	if strings.ContainsAny(c.URL, " \t") {
		quirks = append(quirks, "uri_with_blanks")
		c.URL = strings.TrimSpace(c.URL)
	}
	mended, damaged := mend.Scheme(strings.TrimLeft(value, " <"))
	if damaged {
		c.URL = strings.TrimRight(urlkey.Text(mended), " >")
	}
	if damaged || c.URL == "" || strings.ContainsFunc(c.URL, unicode.IsControl) {
		c.AddFlag(schemas.FlagHead)
		// As browsers read URLs with line ends in them (URL Standard, section 4.4).
		c.URL = strings.Map(withoutBreaks, c.URL)
	}
	return quirks
}

func withoutBreaks(r rune) rune {
	if r == '\r' || r == '\n' || r == lineBreak {
		return -1
	}
	return r
}

// A time that is not known stays zero, and the flag tells it from the year 1.
func date(c *schemas.Capture, h *record.Head) []string {
	t, usual, ok := ParseDate(strings.Map(withoutBreaks, text(h.Get("WARC-Date"))))
	c.Timestamp = t
	switch {
	case !ok:
		c.Flags = append(c.Flags, schemas.FlagTimestamp)
	case !usual:
		return []string{"odd_date"}
	}
	return nil
}

// text returns a field's value as valid UTF-8.
func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// bracketed returns a value without the angle brackets around it.
func bracketed(b []byte) string { return trimBrackets(text(b)) }

func trimBrackets(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">")
}

// headQuirks names what only a look at the whole head shows.
func headQuirks(h *record.Head) (quirks []string) {
	// Other mixtures of case are not told apart; Match takes them all.
	if bytes.HasPrefix(h.Line, []byte("warc")) {
		quirks = append(quirks, "lower_case_version")
	}
	// Quadratic, but heads have a dozen fields, and the bound below keeps a hostile one at some thousand
	// comparisons.
	for i := range h.Fields {
		for j := range i {
			x, y := &h.Fields[i], &h.Fields[j]
			if len(x.Name) != len(y.Name) || !bytes.EqualFold(x.Name, y.Name) || !once(x.Name) {
				continue
			}
			// Other readers may follow the other one.
			if bytes.EqualFold(x.Name, []byte("Content-Length")) && !bytes.Equal(x.Value, y.Value) {
				return append(quirks, schemas.QuirkTwoLengths)
			}
			return append(quirks, "duplicate_field")
		}
		if i > maxCompared {
			break
		}
	}
	return quirks
}

// maxCompared bounds the fields that are compared with each other.
const maxCompared = 64

// single are the fields of WARC/1.1, section 5, which may stand once, except for WARC-Concurrent-To. Others are defined
// elsewhere: WARC-Protocol stands once for each layer (github.com/iipc/warc-specifications, issue 42).
var single = [...]string{
	"WARC-Record-ID", "Content-Length", "WARC-Date", "WARC-Type", "Content-Type", "WARC-Block-Digest",
	"WARC-Payload-Digest", "WARC-IP-Address", "WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date",
	"WARC-Target-URI", "WARC-Truncated", "WARC-Warcinfo-ID", "WARC-Filename", "WARC-Profile",
	"WARC-Identified-Payload-Type", "WARC-Segment-Number", "WARC-Segment-Origin-ID", "WARC-Segment-Total-Length",
}

// once reports whether a field may stand only once.
func once(name []byte) bool {
	return slices.ContainsFunc(single[:], func(s string) bool { return strings.EqualFold(s, string(name)) })
}
