package cdr

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// timeLayout is how ACHE writes times, in UTC.
const timeLayout = "2006-01-02T15:04:05Z"

// version is the written version.
const version = 3.1

// carries are the fields that a document holds.
var carries = []string{
	"timestamp", "record_id", "header", "mime_declared", "crawl." + schemas.CrawlCrawler,
	"crawl." + schemas.CrawlTeam,
}

// output is a document of CDR 3.1, with its keys in the order in which ACHE writes them.
type output struct {
	ID          string   `json:"_id"`
	ContentType string   `json:"content_type"`
	Crawler     string   `json:"crawler"`
	Objects     []string `json:"objects"` // always empty
	RawContent  string   `json:"raw_content"`
	Header      header   `json:"response_headers"`
	Team        string   `json:"team,omitempty"`
	Crawled     string   `json:"timestamp_crawl,omitempty"`
	Indexed     string   `json:"timestamp_index,omitempty"`
	URL         string   `json:"url"`
	Version     float64  `json:"version"`
}

// header is written as an object, with names in the order of their first field. An object cannot repeat a name, so
// values of one name are joined with commas; note counts that.
type header []schemas.Field

// MarshalJSON writes the object.
func (h header) MarshalJSON() ([]byte, error) {
	values := map[string]string{}
	var names []string
	for _, f := range h {
		v, again := values[f.Name]
		if again {
			v += ","
		} else {
			names = append(names, f.Name)
		}
		values[f.Name] = v + f.Value
	}
	b := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		for _, s := range []string{name, values[name]} {
			text, err := json.Marshal(s)
			if err != nil {
				return nil, err
			}
			// The last colon is removed below.
			b = append(append(b, text...), ':')
		}
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// Append appends the document of a capture: one line without its line end. indexed becomes timestamp_index, unless it
// is zero. A body that is not text is an error of kind [dump.ErrRefused], and so is a capture without URL.
func Append(b []byte, c *schemas.Capture, indexed time.Time) ([]byte, error) {
	if c.URL == "" {
		return b, fmt.Errorf("cdr: %w: its URL is not known", dump.ErrRefused)
	}
	if err := dump.CheckPage(c, c.URL); err != nil {
		return b, fmt.Errorf("cdr: %w", err)
	}
	// CDR only has text, so other values are refused.
	text, ok := dump.Text(c)
	if !ok {
		return b, fmt.Errorf("cdr: %w: its body is no text", dump.ErrRefused)
	}
	d := output{
		ContentType: c.MIMEDeclared, Crawler: c.Crawl[schemas.CrawlCrawler], Objects: []string{}, RawContent: text,
		Header: c.Header, Team: c.Crawl[schemas.CrawlTeam], Crawled: timestamp(c.Timestamp), Indexed: timestamp(indexed),
		URL: c.URL, Version: version,
	}
	// A document that is read and written again keeps its ID.
	if d.ID = c.RecordID; !isID(d.ID) {
		d.ID = id(c.URL, d.Crawled)
	}
	buf := bytes.NewBuffer(b)
	e := json.NewEncoder(buf)
	// Otherwise each "<" would take six bytes.
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return b, fmt.Errorf("cdr: %w", err)
	}
	// The caller writes the line end.
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeLayout)
}

// id returns the _id of a page as scrapy-cdr does: the SHA-256 of its URL and the crawl time. ACHE writes the time in
// the form of Java's Date, in the zone of its machine.
func id(url, crawled string) string {
	sum := sha256.Sum256([]byte(url + "-" + crawled))
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// isID reports whether s is the _id of an earlier document, which is kept.
func isID(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789ABCDEF") == ""
}

type writer struct {
	dump.Losses
	files *dump.LineFiles
	stamp time.Time
	line  []byte
}

// NewWriter returns a writer of cdr-00000.jsonl.gz and so on: see [dump.LineFiles]. The documents' timestamp_index is
// the options' Stamp.
func NewWriter(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return &writer{files: dump.NewLineFiles(s, "cdr", o), stamp: o.Stamp}
}

// Write writes the capture's document.
func (w *writer) Write(c *schemas.Capture) error {
	line, err := Append(w.line[:0], c, w.stamp)
	if errors.Is(err, dump.ErrRefused) {
		return err
	}
	if err != nil {
		// Any other error is of this capture too, so a run continues without it.
		return fmt.Errorf("%w: %w", dump.ErrRefused, err)
	}
	w.line = append(line, '\n')
	if err := w.files.Write(w.line); err != nil {
		return fmt.Errorf("cdr: %w", err)
	}
	w.note(c)
	return nil
}

// note counts what the document lacks.
func (w *writer) note(c *schemas.Capture) {
	if text, _ := dump.Text(c); text != string(c.Body) {
		w.Drop("body") // its bytes were changed by encoding
	}
	seen := map[string]bool{}
	for _, f := range c.Header {
		if seen[f.Name] {
			w.Drop("header_lines") // joined to one line
			break
		}
		seen[f.Name] = true
	}
	w.Note(c, carries...)
}

// Close ends the file.
func (w *writer) Close() error {
	if err := w.files.Close(); err != nil {
		return fmt.Errorf("cdr: %w", err)
	}
	return nil
}
