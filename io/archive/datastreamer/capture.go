package datastreamer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/klauspost/compress/zlib"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// JSON reads records, one a line, to captures. It is a dump.Lines.
type JSON struct{}

// Match reports whether head begins with an object that has at least two of the keys unique to this format.
func (JSON) Match(_ string, head []byte) bool { return countKeys(head) >= 2 }

// telling are the keys that distinguish a record from other JSON.
var telling = []string{
	"bucket", "sequence", "hashcode", "resource", "permalink", "date_found", "index_method", "detection_method",
	"html_length", "html_checksum", "source_hashcode", "source_resource", "source_link", "source_publisher_type",
	"main_length", "main_checksum",
}

// countKeys counts the telling keys of the first record of b, as far as b reaches.
func countKeys(b []byte) (n int) {
	b = dump.Begin(b)
	if in := dump.Inside(b, "content"); in != nil {
		b = in
	}
	keys := dump.Keys(b)
	for _, key := range telling {
		if keys[key] {
			n++
		}
	}
	return n
}

// Frames finds records that are not one a line: in arrays, in responses that have them as "content", and over several
// lines.
func (JSON) Frames(r io.Reader, head []byte, limit int) dump.Frames {
	return dump.Values(r, head, limit, "content")
}

// Capture reads a line. Its quirks are the kinds of its issues with "content_" before them.
func (JSON) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	line, _ = dump.Source(line)
	r, issues, err := Decode(line)
	if err != nil {
		return nil, nil, err
	}
	var quirks []string
	for _, i := range issues {
		quirks = append(quirks, "content_"+i.Kind)
	}
	return Capture(r, o), quirks, nil
}

// CrawlPrefix begins the names in a capture's Crawl of the fields that a capture has no place for.
const CrawlPrefix = "content."

// Capture returns the capture of a record. Its body is html, or else the content of html_blob. A record without any is
// a conversion, whose body is main, or else extract. The capture's Crawl has the other fields, texts unchanged and
// other values as JSON. It leaves out those that [FromCapture] computes, so that FromCapture makes the same record
// again.
func Capture(r *Content, o payload.Options) *schemas.Capture {
	c := &schemas.Capture{
		URL:        cmp.Or(r.PermalinkRedirect, r.Permalink, r.Link, r.Canonical),
		RecordType: schemas.TypeResponse,
	}
	if r.Permalink != "" && r.Permalink != c.URL {
		c.SetCrawl(schemas.CrawlRequested, r.Permalink)
	}
	var err error
	if c.Timestamp, err = parseTime(r.DateFound); err != nil {
		c.Timestamp = time.Time{}
		c.AddFlag(schemas.FlagTimestamp)
	}
	rest := *r
	// The body has it. What FromCapture makes of the body again need not be in Crawl.
	rest.HTML = ""
	body := []byte(r.HTML)
	switch {
	case r.HTML != "":
	case len(r.HTMLBlob) > 0:
		// One byte more than a body may have, so that payload.Raw finds it too large. The bound is
		// what a hostile blob can cost.
		body, err = inflate(r.HTMLBlob, cmp.Or(o.MaxBody, 32<<20)+1)
		if err != nil {
			c.AddFlag(schemas.FlagEncoding)
			c.AddFlag(schemas.FlagIncomplete)
		} else {
			// Kept in Crawl where it is damaged: the beginning alone would lose the rest.
			rest.HTMLBlob = nil
		}
	case r.Main != "":
		body, c.RecordType, c.MIMEDeclared = []byte(r.Main), schemas.TypeConversion, mimeOf(r.MainFormat)
		rest.Main = ""
	// The extract stays in rest: FromCapture makes main of a body, unless Crawl says that it is the
	// extract.
	case r.Extract != "":
		body, c.RecordType, c.MIMEDeclared = []byte(r.Extract), schemas.TypeConversion, "text/plain"
	}
	if r.HTML == "" && len(r.HTMLBlob) == 0 && r.Main == "" && r.Extract == "" {
		payload.Absent(c)
	} else {
		payload.Raw(c, payload.Block{Bytes: body, Size: int64(len(body))}, o)
	}
	keep(c, &rest)
	return c
}

func mimeOf(format string) string {
	if format == "TEXT" {
		return "text/plain"
	}
	return "text/html"
}

// inflate returns at most limit bytes of a blob's content. It returns the bytes before damage with the error.
func inflate(blob []byte, limit int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(blob))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, limit))
}

// keep puts into c's Crawl the fields of rest that FromCapture would not make again.
func keep(c *schemas.Capture, rest *Content) {
	// Compared with what the capture alone makes, so that Crawl has only what would be lost.
	made := reflect.ValueOf(base(c)).Elem()
	v := reflect.ValueOf(rest).Elem()
	for i, name := range names {
		f := v.Field(i)
		if f.IsZero() || reflect.DeepEqual(f.Interface(), made.Field(i).Interface()) {
			continue
		}
		if f.Kind() == reflect.String {
			c.SetCrawl(CrawlPrefix+name, f.String())
		} else if b, err := json.Marshal(f.Interface()); err == nil { // no field's type fails
			c.SetCrawl(CrawlPrefix+name, string(b))
		}
	}
}

// FromCapture makes a record of a capture. A text body becomes html, as UTF-8; any other becomes html_blob. It restores
// the fields that Capture has put into Crawl.
func FromCapture(c *schemas.Capture) *Content {
	r := base(c)
	v := reflect.ValueOf(r).Elem()
	for key, value := range c.Crawl {
		if i, ok := fields[strings.TrimPrefix(key, CrawlPrefix)]; ok && strings.HasPrefix(key, CrawlPrefix) {
			restore(v.Field(i), value)
		}
	}
	return r
}

// restore sets a field from a value of keep. It returns false for a value that does not fit.
func restore(field reflect.Value, value string) bool {
	// Texts as they are, others as JSON: as keep has written them.
	if field.Kind() == reflect.String {
		field.SetString(value)
		return true
	}
	fresh := reflect.New(field.Type())
	if json.Unmarshal([]byte(value), fresh.Interface()) != nil {
		return false
	}
	field.Set(fresh.Elem())
	return true
}

// base returns the record that a capture alone makes.
func base(c *schemas.Capture) *Content {
	r := &Content{}
	setAddress(r, c.RequestedURL(), cmp.Or(redirect(c), c.URL))
	text, isText := dump.Text(c)
	switch {
	case len(c.Body) == 0:
	case c.RecordType == schemas.TypeConversion:
		// A body that is the extract comes back by Crawl, and must not become main as well.
		if c.Crawl[CrawlPrefix+"extract"] != text {
			setMain(r, text)
		}
	case isText:
		setHTML(r, text)
	default:
		r.HTMLBlob = deflate(c.Body)
		r.HTMLBlobLength, r.HTMLBlobChecksum = new(int64(len(c.Body))), Checksum(string(c.Body))
	}
	// After the body, because the sequence uses its checksum as well.
	setFound(r, c.Timestamp)
	return r
}

// redirect returns the target of a capture that is itself a redirect, or "".
func redirect(c *schemas.Capture) string {
	location := strings.TrimSpace(c.Get("Location"))
	base, err := url.Parse(c.URL)
	if err != nil || location == "" || c.Status < 300 || c.Status > 399 || c.RequestedURL() != c.URL {
		return ""
	}
	u, err := base.Parse(location)
	if err != nil {
		return ""
	}
	return u.String()
}

func setHTML(r *Content, text string) {
	if text != "" {
		r.HTML, r.HTMLLength, r.HTMLChecksum = text, size(text), Checksum(text)
	}
}

func setMain(r *Content, text string) {
	if text != "" {
		r.Main, r.MainLength, r.MainChecksum = text, size(text), Checksum(text)
	}
}

// deflate compresses with zlib.
func deflate(body []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
