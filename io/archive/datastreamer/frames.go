package datastreamer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Frames finds records that are not one a line: in arrays, in responses that have them as "content", and over several
// lines.
func (JSON) Frames(r io.Reader, head []byte, limit int) dump.Frames {
	// U+FEFF is a byte order mark.
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	line, _, several := bytes.Cut(head, []byte{'\n'})
	wrapped := bytes.HasPrefix(head, []byte{'['}) || isResponse(head)
	// nil has the caller read lines, which is quicker and finds the next record after a damaged one.
	if !wrapped && (!several || json.Valid(line)) {
		return nil
	}
	in := &limited{in: r, limit: limit}
	return &frames{in: in, d: json.NewDecoder(in), wrapped: wrapped}
}

// isResponse reports whether head begins with an object that has an array called content.
func isResponse(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	if !toContent(d) {
		return false
	}
	t, err := d.Token()
	return err == nil && t == json.Delim('[')
}

// toContent goes into an object and after its key content, if it has one.
func toContent(d *json.Decoder) bool {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil || key == "content" {
			return err == nil
		}
		var skip json.RawMessage
		// Also where head ends within the value: content may stand after it, and is not seen then.
		if d.Decode(&skip) != nil {
			return false
		}
	}
	return false
}

// limited gives a decoder at most limit bytes between two records.
type limited struct {
	in    io.Reader
	limit int
	n     int
}

// Read reads.
func (l *limited) Read(p []byte) (int, error) {
	// The decoder holds what it has read of a value: this bounds its memory.
	if l.n >= l.limit {
		return 0, fmt.Errorf("datastreamer: a record of more than %d bytes: %w", l.limit, dump.ErrLimit)
	}
	n, err := l.in.Read(p[:min(len(p), l.limit-l.n)])
	l.n += n
	return n, err
}

// frames reads JSON values one after the other.
type frames struct {
	in         *limited
	d          *json.Decoder
	wrapped    bool // values are in arrays and responses
	response   bool // reading is in one
	array      bool // likewise
	start, end int64
}

// Next returns the next record.
func (f *frames) Next() ([]byte, error) {
	for {
		// Counted again for each record. What the decoder has read ahead counts to the record before.
		f.in.n = 0
		// More is called only in an array: outside of arrays it would look at the next value.
		if f.array && f.d.More() || !f.wrapped {
			return f.value()
		}
		if err := f.step(); err != nil {
			// If the text ends inside an open array or object, it is damaged.
			if err == io.EOF && (f.array || f.response) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// value reads a record.
func (f *frames) value() ([]byte, error) {
	var raw json.RawMessage
	if err := f.d.Decode(&raw); err != nil {
		return nil, err
	}
	f.end = f.d.InputOffset()
	// RawMessage is without the blanks around the value, so that its length is exact.
	f.start = f.end - int64(len(raw))
	return raw, nil
}

var errShape = errors.New("datastreamer: neither an array of records nor a response that has one")

// step skips the bytes around records.
func (f *frames) step() error {
	t, err := f.d.Token()
	if err != nil {
		return err
	}
	// Arrays and responses may follow each other, where files of several answers were joined.
	switch t {
	case json.Delim(']'):
		f.array = false
	case json.Delim('}'):
		f.response = false
	case json.Delim('['):
		f.array = true
	case json.Delim('{'):
		f.response = true
	case "content":
		if t, err = f.d.Token(); err == nil && t != json.Delim('[') {
			return errShape
		}
		f.array = true
	default:
		// Outside of a response nothing but records and brackets is expected; within one other members
		// are passed over.
		if !f.response {
			return errShape
		}
		var skip json.RawMessage
		return f.d.Decode(&skip)
	}
	return err
}

// Span is where the record that Next returned last stands.
func (f *frames) Span() (start, end int64) { return f.start, f.end }

// Open is false: values have ends.
func (f *frames) Open() bool { return false }
