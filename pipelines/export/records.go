package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// FormatRecords is JSON lines of the records that FormatWARC has, with their payloads decoded.
const FormatRecords = "records"

// recordLine is a line of FormatRecords. Bytes are base64.
type recordLine struct {
	Headers     [][2]field     `json:"headers"` // of the WARC record
	Status      int            `json:"status,omitempty"`
	HTTPHeaders [][2]field     `json:"http_headers"`
	Payload     []byte         `json:"payload"` // as the archive has it, with chunks and content coding
	Body        []byte         `json:"body"`    // without these; that of the original if the payload is empty
	Flags       []schemas.Flag `json:"flags"`
	Original    *recordLine    `json:"original,omitempty"` // of a revisit without a payload
}

// field is the name or value of a field. In JSON, a byte that is not UTF-8 is a lone surrogate, as in Python.
type field string

// MarshalJSON returns the text with \udc80 to \udcff in place of bytes that are not UTF-8.
func (f field) MarshalJSON() ([]byte, error) {
	b := []byte{'"'}
	for rest := string(f); rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && n == 1 {
			b = fmt.Appendf(b, `\udc%02x`, rest[0])
		} else if text, err := json.Marshal(rest[:n]); err == nil { // of text it has no error
			b = append(b, text[1:len(text)-1]...)
		}
		rest = rest[n:]
	}
	return append(b, '"'), nil
}

const (
	maxRecordBody = 1 << 30 // of FormatRecords, which is for one record at a time
	maxHops       = 8       // revisits of revisits
	maxTried      = 64      // candidates for the original of a revisit
)

// recordWriter writes FormatRecords.
type recordWriter struct {
	*cutter
	one   bytes.Buffer // the output of cutter, for one record
	lines *json.Encoder
}

func newRecordWriter(ctx context.Context, e Exporter, out io.Writer) *recordWriter {
	w := &recordWriter{lines: json.NewEncoder(out)}
	w.cutter = newCutter(ctx, e, &w.one)
	return w
}

// Columns returns those that find a record, and the original of a revisit.
func (w *recordWriter) Columns() []string { return revisit.Columns }

// Write writes the record of a document. The cutter counts those that are missing.
func (w *recordWriter) Write(d *schemas.Document) error {
	w.one.Reset()
	if err := w.cutter.Write(d); err != nil || w.one.Len() == 0 {
		return err
	}
	line, err := readRecord(w.one.Bytes())
	if err != nil {
		return fmt.Errorf("%s at byte %d: %w", schemas.Printable(d.Filename), d.Offset, err)
	}
	if d.RecordType == schemas.TypeRevisit && len(line.Payload) == 0 {
		if line.Original, err = w.original(d); err != nil {
			return err
		}
		if line.Original != nil {
			line.Body = line.Original.Body
		}
	}
	return w.lines.Encode(line)
}

// original returns the record that a revisit refers to, or nil, which it logs.
func (w *recordWriter) original(d *schemas.Document) (*recordLine, error) {
	s := search{w: w, seen: map[revisit.Place]bool{}, why: errors.New("the collection does not have it")}
	line, err := s.from(d, 0)
	if line == nil && err == nil {
		slog.Warn(fmt.Sprintf("the original of a revisit is missing, and so is the body: %v", s.why),
			"url", schemas.Printable(d.URL))
	}
	return line, err
}

// search looks for the original of one revisit. Hostile revisits may all refer to each other.
type search struct {
	w    *recordWriter
	seen map[revisit.Place]bool // candidates that were tried, up to maxTried
	why  error                  // for users, if there is no original
}

var errManyTried = fmt.Errorf("the first %d candidates are not it", maxTried)

// from tries the candidates of a revisit.
func (s *search) from(d *schemas.Document, hop int) (*recordLine, error) {
	list, err := s.w.db.Originals(s.w.ctx, d)
	if err != nil {
		return nil, err
	}
	for _, o := range list {
		if s.seen[revisit.PlaceOf(o)] {
			continue
		}
		if len(s.seen) == maxTried {
			s.why = errManyTried
			break
		}
		s.seen[revisit.PlaceOf(o)] = true
		var line *recordLine
		if o.RecordType != schemas.TypeRevisit {
			line, err = s.read(o)
		} else if hop < maxHops {
			line, err = s.from(o, hop+1)
		}
		if line != nil || err != nil {
			return line, err
		}
	}
	return nil, nil
}

// read reads a candidate. It returns nil if its body is not available.
func (s *search) read(o *schemas.Document) (line *recordLine, err error) {
	s.w.one.Reset()
	if err = s.w.open(o.Filename); err == nil {
		err = s.w.cut(o)
	}
	if err == nil {
		line, err = readRecord(s.w.one.Bytes())
	}
	// A damaged body is not that of another capture.
	if err == nil && schemas.Damaged(line.Flags) {
		err = fmt.Errorf("damaged: %v", line.Flags)
	}
	if err == nil || s.w.ctx.Err() != nil {
		return line, s.w.ctx.Err()
	}
	s.why = fmt.Errorf("%s at byte %d: %w", schemas.Printable(o.Filename), o.Offset, err)
	return nil, nil
}

// readRecord reads the last record of WARC data, before which there may be one about the file.
func readRecord(data []byte) (*recordLine, error) {
	size := int64(len(data))
	r, err := record.NewReader(bytes.NewReader(data), member.Range{End: size, Size: size}, member.Gzip, warc.Grammar{},
		record.Options{MaxBlock: maxRecordBody})
	if err != nil {
		return nil, err
	}
	var line *recordLine
	for {
		rec, _, err := r.Step()
		switch {
		case errors.Is(err, io.EOF) && line == nil:
			return nil, errNotThere
		case errors.Is(err, io.EOF):
			return line, nil
		case err != nil:
			return nil, err
		case rec != nil:
			if c, _ := (warc.Grammar{}).Capture(rec, "", payload.Options{MaxBody: maxRecordBody}); c != nil {
				line = lineOf(rec, c)
			}
		}
	}
}

func lineOf(rec *record.Record, c *schemas.Capture) *recordLine {
	line := &recordLine{
		Status: c.Status, Headers: [][2]field{}, HTTPHeaders: [][2]field{}, Body: c.Body, Flags: c.Flags,
		Payload: bytes.Clone(rec.Payload()),
	}
	for _, f := range rec.Head.Fields {
		line.Headers = append(line.Headers, [2]field{field(f.Name), field(f.Value)})
	}
	for _, f := range c.Header {
		line.HTTPHeaders = append(line.HTTPHeaders, [2]field{field(f.Name), field(f.Value)})
	}
	return line
}
