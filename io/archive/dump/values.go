package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Values returns a finder of JSON values in r, whose first bytes are head, or nil if they are one a line. Else they are
// in arrays, over several lines or, unless within is empty, in an array that responses have by this name.
func Values(r io.Reader, head []byte, limit int, within string) Frames {
	head = bytes.TrimLeft(head, " \t\r\n"+bom)
	wrapped := bytes.HasPrefix(head, []byte{'['}) || within != "" && Inside(head, within) != nil
	// nil has the caller read lines, which is quicker and finds the next record after a damaged one.
	if !wrapped && !isOpen(head) {
		return nil
	}
	in := &limited{in: withoutBOM(r), limit: limit}
	return &values{in: in, d: json.NewDecoder(in), within: within, wrapped: wrapped}
}

// isOpen reports whether the first line of head ends inside an object, and not in a text of it, as a damaged line may.
func isOpen(head []byte) bool {
	end := bytes.IndexByte(head, '\n')
	if end < 0 || head[0] != '{' {
		return false
	}
	var object json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(head[:end+1])).Decode(&object), io.ErrUnexpectedEOF)
}

// Inside returns the part of head after the bracket of the array of this name. Without an object that has such an
// array, it returns nil.
func Inside(head []byte, name string) []byte {
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		if key == name {
			t, err := d.Token()
			if err != nil || t != json.Delim('[') {
				return nil
			}
			return head[d.InputOffset():]
		}
		var skip json.RawMessage
		// Also where head ends within the value: the key may stand after it, and is not seen then.
		if d.Decode(&skip) != nil {
			return nil
		}
	}
	return nil
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
		return 0, fmt.Errorf("a record of more than %d bytes: %w", l.limit, ErrLimit)
	}
	n, err := l.in.Read(p[:min(len(p), l.limit-l.n)])
	l.n += n
	return n, err
}

// values reads JSON values one after the other.
type values struct {
	in         *limited
	d          *json.Decoder
	within     string
	wrapped    bool // values are in arrays and responses
	response   bool // reading is in one
	array      bool // likewise
	start, end int64
}

// Next returns the next record.
func (f *values) Next() ([]byte, error) {
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
func (f *values) value() ([]byte, error) {
	var raw json.RawMessage
	if err := f.d.Decode(&raw); err != nil {
		return nil, err
	}
	f.end = f.d.InputOffset()
	// RawMessage is without the blanks around the value, so that its length is exact.
	f.start = f.end - int64(len(raw))
	return raw, nil
}

var errShape = errors.New("neither an array of records nor a response that has one")

// step skips the bytes around records.
func (f *values) step() error {
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
	case f.within:
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
func (f *values) Span() (start, end int64) { return f.start, f.end }

// Open is false: values have ends.
func (f *values) Open() bool { return false }
