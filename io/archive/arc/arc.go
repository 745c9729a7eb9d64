// Package arc reads ARC files, versions 1 and 2, compressed or not: the format that the Internet Archive wrote before
// WARC. Every URL record becomes a capture; the version block ("filedesc://…") does not.
//
// A record is a line, a block of the stated length and a line end. The line's fields are parsed from the right, because
// URLs may contain blanks. The reader accepts dashes for fields, dates of 12 to 17 digits, CRLF, and missing or further
// line ends between records. The source is the Internet Archive's description of the ARC file format, versions 1 and 2.
//
//	r, err := arc.NewReader(file, size, record.Options{})
//	for rec, err := range r.All() { // rec is valid until the next one
//		fmt.Printf("%s %d bytes\n", rec.Head.Line, len(rec.Payload()))
//	}
package arc

import (
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// VersionBlock is the type under which version blocks are counted.
const VersionBlock = "filedesc"

// NewReader returns a reader of the ARC file src of size bytes, compressed or not. It is for a file that is known to be
// an ARC; package archive detects formats. The caller closes it.
func NewReader(src io.ReaderAt, size int64, o record.Options) (*record.Reader, error) {
	return record.Open(src, size, Grammar{}, o)
}

// Type returns "arc" for a URL record and VersionBlock for a version block.
func (Grammar) Type(rec *record.Record) string {
	if bytes.HasPrefix(rec.Head.Line, versionPrefix) {
		return VersionBlock
	}
	return string(schemas.TypeARC)
}

// ID returns "": ARC records have no identifier.
func (Grammar) ID(*record.Record) string { return "" }

// Segment returns nil: ARC has no segments.
func (Grammar) Segment(*record.Record) (*schemas.Segment, string) { return nil, "" }

// Capture turns rec, from the named file, into a capture, and returns its quirks. For a version block it returns nil.
// The capture owns its bytes.
func (g Grammar) Capture(rec *record.Record, file string, o payload.Options) (*schemas.Capture, []string) {
	if g.Type(rec) == VersionBlock {
		return nil, nil
	}
	// A damaged line may still begin with its URL.
	l, ok := parseLine(rec.Head.Line)
	if !ok {
		l.url, _, _ = bytes.Cut(rec.Head.Line, []byte(" "))
	}
	// Copied, because rec is reused for the next record.
	c := &schemas.Capture{
		RecordType: schemas.TypeARC,
		URL:        url(l.url),
		IP:         dashed(l.ip),
		Flags:      append([]schemas.Flag(nil), rec.Flags...),
		Origin:     schemas.Origin{File: file, Offset: rec.Offset, Length: rec.Length, Sequence: rec.Ordinal},
	}
	if c.Timestamp, ok = parseDate(string(l.date)); !ok {
		c.Flags = append(c.Flags, schemas.FlagTimestamp)
	}
	// ARC has no digests that could be checked.
	in := payload.Block{Bytes: rec.Block, Size: rec.Size}
	var quirks []string
	if g.IsHTTP(&rec.Head, rec.Block) {
		quirks = payload.HTTP(c, in, o)
	} else {
		payload.Raw(c, in, o)
	}
	// The page's own header counts more than the line, which the crawler derived from it.
	if c.MIMEDeclared == "" {
		c.MIMEDeclared = dashed(l.mime)
	}
	return c, append(quirks, oddities(l)...)
}

// IsHTTP reports whether the URL is http or https, or the block begins with the status line of a response. The scheme
// may be damaged, and proxies answer for other schemes.
func (Grammar) IsHTTP(h *record.Head, block []byte) bool {
	const scheme = "http"
	return len(h.Line) >= len(scheme) && bytes.EqualFold(h.Line[:len(scheme)], []byte(scheme)) ||
		httpmsg.BeginsResponse(block)
}

// oddities names the quirks of a line.
func oddities(l line) (quirks []string) {
	if len(l.date) != 14 {
		quirks = append(quirks, "odd_date")
	}
	if bytes.IndexByte(l.url, ' ') >= 0 {
		quirks = append(quirks, "uri_with_blanks")
	}
	if l.version == 0 {
		quirks = append(quirks, "odd_field_count")
	}
	return quirks
}

// parseDate parses an archive date: the digits from year to second, UTC. Missing seconds are 0; further digits are
// fractions of a second.
func parseDate(s string) (time.Time, bool) {
	if len(s) < len("20060102") {
		return time.Time{}, false
	}
	whole := s[:min(len(s), 14)]
	// A leap second is read as the second before it.
	if day, ok := strings.CutSuffix(whole, "235960"); ok && len(whole) == 14 {
		whole = day + "235959"
	}
	// An odd digit at the end is dropped: "200409" and so on are layouts, too.
	t, err := time.Parse("20060102150405"[:len(whole)/2*2], whole[:len(whole)/2*2])
	return t, err == nil
}

// url returns the URL of a line, with a damaged scheme mended and line ends removed. Bytes that are not UTF-8 are
// percent-encoded.
func url(b []byte) string {
	mended, _ := mend.Scheme(string(b))
	return strings.Map(withoutBreaks, urlkey.Text(mended))
}

func withoutBreaks(r rune) rune {
	if r == '\r' || r == '\n' || r == lineBreak {
		return -1
	}
	return r
}

func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// dashed returns a field, or "" for a dash.
func dashed(b []byte) string {
	if s := text(b); s != "-" {
		return s
	}
	return ""
}
