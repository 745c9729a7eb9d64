package ache

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultWARCBytes is the maximum size of a WARC file, in ACHE's code and documentation.
const defaultWARCBytes = 262144000

var warcCarries = []string{
	"timestamp", "header", "mime_declared", redirect, requested,
	"crawl." + schemas.CrawlRelevance, "crawl." + schemas.CrawlRelevant,
}

// warcWriter writes WARC/1.0 as ACHE does.
type warcWriter struct {
	dump.Losses
	sink     dump.Sink
	o        dump.WriteOptions
	compress bool
	carries  []string
	number   int // of the next file
	count    int // of captures
	out      *counted
	gz       *gzip.Writer
	record   bytes.Buffer
}

// NewWARC returns a writer of WARC files. As in ACHE, HTTP messages have no status line, which some programs cannot
// read, unless StatusLine is set. A file ends after the record that makes it larger than MaxFileBytes, 262,144,000 by
// default. Compress is on by default.
func NewWARC(s dump.Sink, o dump.WriteOptions) dump.Writer {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultWARCBytes)
	w := &warcWriter{sink: s, o: o, compress: o.Compress.Or(true), carries: warcCarries, gz: gzip.NewWriter(nil)}
	// Append must copy: warcCarries is shared by all writers.
	if o.StatusLine {
		w.carries = append(w.carries[:len(w.carries):len(w.carries)], "status")
	}
	return w
}

// Write writes the capture's record.
func (w *warcWriter) Write(c *schemas.Capture) error {
	if c.URL == "" {
		return fmt.Errorf("ache: %w: its URL is not known", dump.ErrRefused)
	}
	if err := dump.CheckPage(c, c.RequestedURL()); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	// Before the record, so that the record that exceeds the limit is the file's last.
	if w.out != nil && w.out.n > w.o.MaxFileBytes {
		if err := w.Close(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.open(c); err != nil {
			return err
		}
	}
	w.response(c)
	if err := w.flush(); err != nil {
		return err
	}
	w.Note(c, w.carries...)
	w.count++
	return nil
}

// open begins a file of which c is the first page. The warcinfo record has the time of writing, or else that of c.
func (w *warcWriter) open(c *schemas.Capture) error {
	date := c.Timestamp
	stamp := w.stamp().Format("20060102150405.000")
	// Format writes milliseconds only after a point, which the name does not have.
	name := fmt.Sprintf("crawl_data-%s-%05d.warc", strings.Replace(stamp, ".", "", 1), w.number)
	if w.compress {
		name += ".gz"
	}
	out, err := w.sink.Create(name)
	if err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	w.number++
	w.out = &counted{Output: out}
	// The version has no colon.
	w.field("WARC/1.0", "")
	w.field("WARC-Type", "warcinfo")
	if !w.o.Stamp.IsZero() || date.IsZero() {
		date = w.stamp()
	}
	w.field("WARC-Date", date.UTC().Format(time.RFC3339))
	w.field("WARC-Filename", name)
	// Files of other units have the same name, and another first page.
	w.field("WARC-Record-ID", recordID("warcinfo", name, c.RecordID, c.URL, c.Timestamp.String()))
	w.field("Content-Length", "0")
	// A blank line ends the head, and two follow the empty block.
	w.record.WriteString("\r\n\r\n\r\n")
	return w.flush()
}

// stamp returns the time of writing. Without one it is fixed, so that the same input makes the same file.
func (w *warcWriter) stamp() time.Time {
	if w.o.Stamp.IsZero() {
		return time.Unix(0, 0).UTC()
	}
	return w.o.Stamp.UTC()
}

// response makes the record of c, with fields in ACHE's order.
func (w *warcWriter) response(c *schemas.Capture) {
	when := w.stamp()
	if !c.Timestamp.IsZero() {
		when = c.Timestamp.UTC()
	}
	// Made first, because its length is in the record's head.
	head := w.head(c)
	w.field("WARC/1.0", "")
	w.field("WARC-Type", "response")
	w.field("WARC-Target-URI", c.URL)
	// Seconds, as in WARC/1.0.
	w.field("WARC-Date", when.Format("2006-01-02T15:04:05Z"))
	w.crawl(c)
	// With the record's number, so that equal captures have different IDs.
	w.field("WARC-Record-ID", recordID(strconv.Itoa(w.count), c.URL, when.String()))
	w.field("Content-Type", "application/http; msgtype=response")
	w.field("Content-Length", strconv.Itoa(len(head)+len(c.Body)))
	w.record.WriteString("\r\n")
	w.record.WriteString(head)
	w.record.Write(c.Body)
	w.record.WriteString("\r\n\r\n")
}

// crawl writes ACHE's own fields.
func (w *warcWriter) crawl(c *schemas.Capture) {
	if v := c.Crawl[schemas.CrawlRelevant]; v != "" {
		w.field("ACHE-IsRelevant", v)
	}
	if v := c.Crawl[schemas.CrawlRelevance]; v != "" {
		score, err := strconv.ParseFloat(v, 64)
		if err == nil {
			// Ten digits after the point, as in ACHE's format string.
			w.field("ACHE-Relevance", strconv.FormatFloat(score, 'f', 10, 64))
		} else {
			w.Drop("crawl." + schemas.CrawlRelevance)
		}
	}
	w.field("ACHE-Requested-URL", c.RequestedURL())
	// ACHE writes this field for each page, redirected or not.
}

// field writes a line of a record's head, or name alone if value is empty.
func (w *warcWriter) field(name, value string) {
	w.record.WriteString(name)
	if value != "" {
		w.record.WriteString(": ")
		w.record.WriteString(oneLine(value))
	}
	w.record.WriteString("\r\n")
}

// head returns the head of c's HTTP message. Without header fields it is empty, without a blank line.
func (w *warcWriter) head(c *schemas.Capture) string {
	// Captures have no reason phrase, so the usual one is written.
	var b strings.Builder
	if w.o.StatusLine {
		status := cmp.Or(c.Status, http.StatusOK) // ACHE keeps no other pages
		fmt.Fprintf(&b, "HTTP/1.1 %03d %s\r\n", status, http.StatusText(status))
	}
	for _, f := range c.Header {
		fmt.Fprintf(&b, "%s: %s\r\n", strings.Map(token, f.Name), oneLine(f.Value))
	}
	if b.Len() > 0 {
		b.WriteString("\r\n")
	}
	return b.String()
}

// token returns r, or "_" if a field's name must not hold r (RFC 9110, section 5.6.2), which would invalidate the head.
func token(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r) {
		return r
	}
	return '_'
}

// oneLine removes line ends from s: a URL or field of a hostile server must not begin another field.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' || r == '\n' || r == 0 {
			return ' '
		}
		return r
	}, s)
}

// recordID returns a name-based UUID (RFC 9562, section 5.5) of parts, so that the same captures make the same file;
// ACHE's are random.
func recordID(parts ...string) string {
	sum := sha1.Sum([]byte("https://github.com/VIDA-NYU/ache\x00" + strings.Join(parts, "\x00")))
	u := sum[:16]
	// Bits of version 5 and of the variant.
	u[6], u[8] = u[6]&0x0f|0x50, u[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// flush writes the record as a gzip member, so that readers can begin at any record (Annex D of WARC/1.1). It resets
// the record even after an error: a failed record must not begin the next one.
func (w *warcWriter) flush() error {
	defer w.record.Reset()
	var err error
	if w.compress {
		w.gz.Reset(w.out)
		_, err = io.Copy(w.gz, &w.record)
		if err == nil {
			err = w.gz.Close()
		}
	} else {
		_, err = io.Copy(w.out, &w.record)
	}
	if err != nil {
		// No part of a record stays in a file.
		w.out.Abort()
		w.out = nil
		return fmt.Errorf("ache: %w", err)
	}
	return nil
}

// Close ends the file.
func (w *warcWriter) Close() error {
	if w.out == nil {
		return nil
	}
	out := w.out
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	return nil
}
