package dump

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
)

// shortLine is how long a line may be that Syntax looks at. A longer one takes more memory to read than to reject.
const shortLine = 4 << 10

var compacted = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Syntax returns the error that decoding a short line of bad JSON would give, and nothing of a longer one. Decoding
// allocates the value and a decoder before it finds the mistake, which millions of bad lines are not worth.
func Syntax(line []byte) error {
	if len(line) > shortLine {
		return nil
	}
	b := compacted.Get().(*bytes.Buffer)
	b.Reset()
	err := json.Compact(b, line) // whose scanner is Unmarshal's
	compacted.Put(b)
	return err
}

// Header is a header of HTTP as JSON has it: an object of names with values, or with lists of them. Its order is kept.
// Anything else is not a field.
type Header []schemas.Field

// UnmarshalJSON reads the object.
func (h *Header) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	// null and other values leave the header empty: err is nil then.
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	// Token by token, for a Go map would lose the order of the names.
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var values values
		if err := d.Decode(&values); err != nil {
			return err
		}
		for _, v := range values {
			// A key is always a string, or Token would have failed.
			*h = append(*h, schemas.Field{Name: name.(string), Value: v})
		}
	}
	return nil
}

type values []string

// UnmarshalJSON reads a list of strings, or one.
func (v *values) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*v = make(values, 1)
		return json.Unmarshal(b, &(*v)[0])
	}
	return json.Unmarshal(b, (*[]string)(v))
}

// Keys are the keys of the JSON object that b begins with, as far as b reaches; nil when it begins with something else.
func Keys(b []byte) map[string]bool {
	// The end of b may be in the middle of a value: complete values before it count.
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	keys := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return keys
		}
		keys[key.(string)] = true
		// Decoded and dropped, which skips a value of any shape.
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}
