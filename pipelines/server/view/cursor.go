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

// cursor is what is in one. Seen is how many entries come before the next page, 0 where that is not known: it says
// where a reader is, and nothing is found by it.
type cursor struct {
	query.Position
	Seen int64 `json:",omitempty"`
}

func encodeCursor(m query.Position, seen int64) string {
	data, err := json.Marshal(cursor{m, seen})
	if err != nil {
		panic(err) // it has texts and numbers alone
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// parseCursor reads a cursor; nil for "".
func parseCursor(text string) (after *query.Position, seen int64, err error) {
	if text == "" {
		return nil, 0, nil
	}
	// Made before it is needed: all mistakes have the same answer, which tells nothing of the form.
	bad := invalid("cursor", "", "It is not a cursor of this server. Begin with the first page, without a cursor.")
	data, err := base64.RawURLEncoding.DecodeString(text)
	// A hostile cursor costs one decoding of a bounded text.
	if err != nil || len(text) > maxCursor {
		return nil, 0, bad
	}
	var c cursor
	d := json.NewDecoder(bytes.NewReader(data))
	// A field that is not known belongs to another version of this server, whose order may differ.
	d.DisallowUnknownFields()
	if d.Decode(&c) != nil || c.Seen < 0 {
		return nil, 0, bad
	}
	return &c.Position, c.Seen, nil
}
