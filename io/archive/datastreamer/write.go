package datastreamer

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// writer writes rolling files of records.
type writer struct {
	dump.Losses
	files *dump.LineFiles
	line  []byte
}

// NewWriter returns a writer of content-00000.jsonl.gz and so on: see [dump.LineFiles].
func NewWriter(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return &writer{files: dump.NewLineFiles(s, "content", o)}
}

// Write writes the capture's record.
func (w *writer) Write(c *schemas.Capture) error {
	// A record is known by its permalink: its resource, hashcode and site are made of it.
	if c.RequestedURL() == "" {
		return fmt.Errorf("datastreamer: %w: its URL is not known", dump.ErrRefused)
	}
	if err := dump.CheckRepeat(c); err != nil {
		return fmt.Errorf("datastreamer: %w", err)
	}
	r := FromCapture(c)
	line, err := Append(w.line[:0], r)
	if err != nil {
		return fmt.Errorf("%w: %w", dump.ErrRefused, err)
	}
	// The buffer is kept for the next record; files.Write has taken the bytes when it returns.
	w.line = append(line, '\n')
	if err := w.files.Write(w.line); err != nil {
		return fmt.Errorf("datastreamer: %w", err)
	}
	// Counted only when the record was written.
	w.note(c, r)
	return nil
}

// note counts what the record lacks.
func (w *writer) note(c *schemas.Capture, r *Content) {
	// What the record carries; Note counts what the capture has beyond it.
	carries := []string{"timestamp", "crawl." + schemas.CrawlRequested}
	for name := range c.Crawl {
		if _, ok := fields[strings.TrimPrefix(name, CrawlPrefix)]; ok && strings.HasPrefix(name, CrawlPrefix) {
			carries = append(carries, "crawl."+name)
		}
	}
	if c.RecordType == schemas.TypeConversion {
		carries = append(carries, "record_type")
	}
	// A record without a body is read as one whose body was left out, and an empty page has none.
	switch isCut := c.Truncated != ""; {
	case len(c.Body) == 0 && isCut:
		carries = append(carries, "truncated")
	case len(c.Body) == 0:
		w.Drop("truncated")
	}
	if r.HTML != "" && r.HTML != string(c.Body) {
		w.Drop("body") // as it was encoded
	}
	// Read again, the record is one of the page that it was led to.
	if r.PermalinkRedirect != "" && r.PermalinkRedirect != c.URL {
		w.Drop("url")
	}
	w.Note(c, carries...)
}

// Close ends the file.
func (w *writer) Close() error {
	if err := w.files.Close(); err != nil {
		return fmt.Errorf("datastreamer: %w", err)
	}
	return nil
}
