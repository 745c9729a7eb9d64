package shape

import (
	"bytes"
	"encoding/json"

	"github.com/gleaner-web/gleaner/schemas"
)

// Header is a header of HTTP as JSON has it: an object of names with values, or with lists of them. Its order is kept.
// Anything else is no field.
type Header []schemas.Field

// UnmarshalJSON reads the object.
func (h *Header) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err
	}
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
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}
