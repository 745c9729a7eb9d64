package dump

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
)

// shortLine limits the lines that Syntax checks. A longer line takes more memory to read than to reject.
const shortLine = 4 << 10

var compacted = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Syntax returns the error of decoding bad JSON, for short lines only. Decoding allocates before it finds the mistake,
// which is expensive for millions of bad lines.
func Syntax(line []byte) error {
	if len(line) > shortLine {
		return nil
	}
	b := compacted.Get().(*bytes.Buffer)
	b.Reset()
	err := json.Compact(b, line)
	compacted.Put(b)
	return err
}

// Header is an HTTP header in JSON: an object of names with values or lists of values. Its order is kept. Other JSON
// gives an empty header.
type Header []schemas.Field

// UnmarshalJSON decodes the object.
func (h *Header) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	// null and other values leave the header empty: err is nil then.
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	// Token by token, because a map would lose the order of names.
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
			// A key is always a string.
			*h = append(*h, schemas.Field{Name: name.(string), Value: v})
		}
	}
	return nil
}

type values []string

func (v *values) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*v = make(values, 1)
		return json.Unmarshal(b, &(*v)[0])
	}
	return json.Unmarshal(b, (*[]string)(v))
}

// Keys returns the keys of the JSON object that b begins with, as far as b reaches, or nil for other content.
func Keys(b []byte) map[string]bool {
	// b may end within a value.
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
		// Decode skips a value of any type.
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}
