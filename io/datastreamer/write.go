package datastreamer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultFileBytes is how large a file becomes.
const defaultFileBytes = 256 << 20

// writer writes rolling files of records.
type writer struct {
	codec.Losses
	sink   codec.Sink
	o      codec.WriteOptions
	number int   // of the next file
	n      int64 // bytes in the current one, uncompressed
	out    codec.Output
	z      *gzip.Writer // nil when files are plain
	line   []byte
}

// NewWriter returns a writer of content-00000.jsonl.gz and so on. A file is ended before the line that, uncompressed,
// would make it larger than MaxFileBytes, 256 MiB by default.
func NewWriter(s codec.Sink, o codec.WriteOptions) codec.Writer {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultFileBytes)
	return &writer{sink: s, o: o}
}

// Write writes the capture's record.
func (w *writer) Write(c *schemas.Capture) error {
	if c.RequestedURL() == "" {
		return fmt.Errorf("datastreamer: %w: its URL is not known", codec.ErrRefused)
	}
	r := FromCapture(c)
	line, err := Append(w.line[:0], r)
	if err != nil {
		return fmt.Errorf("%w: %w", codec.ErrRefused, err)
	}
	w.line = append(line, '\n')
	if w.out != nil && w.n+int64(len(w.line)) > w.o.MaxFileBytes {
		if err := w.Close(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if err := w.write(); err != nil {
		return w.abort(err)
	}
	w.note(c, r)
	return nil
}

func (w *writer) write() error {
	w.n += int64(len(w.line))
	if w.z != nil {
		_, err := w.z.Write(w.line)
		return err
	}
	_, err := w.out.Write(w.line)
	return err
}

// note counts what the record lacks.
func (w *writer) note(c *schemas.Capture, r *schemas.Content) {
	carries := []string{"timestamp", "crawl." + schemas.CrawlRequested}
	for name := range c.Crawl {
		if _, ok := fields[strings.TrimPrefix(name, CrawlPrefix)]; ok && strings.HasPrefix(name, CrawlPrefix) {
			carries = append(carries, "crawl."+name)
		}
	}
	if c.RecordType == schemas.TypeConversion {
		carries = append(carries, "record_type")
	}
	if r.HTML != "" && r.HTML != string(c.Body) {
		w.Drop("body") // as it was encoded
	}
	w.Note(c, carries...)
}

// open begins a file.
func (w *writer) open() error {
	ext := ".jsonl.gz"
	if !w.o.Compress.Or(true) {
		ext = ".jsonl"
	}
	out, err := w.sink.Create(fmt.Sprintf("content-%05d%s", w.number, ext))
	if err != nil {
		return fmt.Errorf("datastreamer: %w", err)
	}
	w.out, w.n, w.z = out, 0, nil
	w.number++
	if w.o.Compress.Or(true) {
		w.z = gzip.NewWriter(out)
	}
	return nil
}

func (w *writer) abort(err error) error {
	w.out.Abort()
	w.out = nil
	return fmt.Errorf("datastreamer: %w", err)
}

// Close ends the file.
func (w *writer) Close() error {
	if w.out == nil {
		return nil
	}
	if w.z != nil {
		if err := w.z.Close(); err != nil {
			return w.abort(err)
		}
	}
	out := w.out
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("datastreamer: %w", err)
	}
	return nil
}
