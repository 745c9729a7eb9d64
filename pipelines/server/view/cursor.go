package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// A cursor is the place of the last capture of a page, as JSON in base64url: whoever changes one gets another page, and
// nothing else.

// maxCursor bounds a cursor, in bytes: names of archives and SURTs may be long.
const maxCursor = 64 << 10

func encodeCursor(m query.Mark) string {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // it has texts and numbers alone
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// parseCursor reads a cursor; nil for "".
func parseCursor(text string) (*query.Mark, error) {
	if text == "" {
		return nil, nil
	}
	// Made before it is needed: all mistakes have the same answer, which tells nothing of the form.
	bad := invalid("cursor", "", "It is none that this server gave: begin with the first page, without a cursor.")
	data, err := base64.RawURLEncoding.DecodeString(text)
	// A hostile cursor costs one decoding of a bounded text.
	if err != nil || len(text) > maxCursor {
		return nil, bad
	}
	var m query.Mark
	d := json.NewDecoder(bytes.NewReader(data))
	// A field that is not known belongs to another version of this server, whose order may differ.
	d.DisallowUnknownFields()
	if d.Decode(&m) != nil {
		return nil, bad
	}
	return &m, nil
}
