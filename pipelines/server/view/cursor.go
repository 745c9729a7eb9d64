package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// A cursor is the place of the last capture of a page, as JSON in base64url. Changing one only leads to another page.

// maxCursor limits a cursor, in bytes: names of archives and SURTs may be long.
const maxCursor = 64 << 10

// cursor is the content of a cursor. Seen is how many entries come before the next page, or 0 if that is unknown. It
// tells readers their position, and is not used for searching.
type cursor struct {
	Position query.Position // not embedded: its text form would be the whole cursor
	Seen     int64          `json:",omitempty"`
}

func encodeCursor(m query.Position, seen int64) string {
	data, err := json.Marshal(cursor{m, seen})
	if err != nil {
		panic(err) // it contains only texts and numbers
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// parseCursor reads a cursor; it returns nil for "".
func parseCursor(text string) (after *query.Position, seen int64, err error) {
	if text == "" {
		return nil, 0, nil
	}
	// This is made in advance: all mistakes get the same answer, which reveals nothing of the format.
	bad := invalid("cursor", "", "It is not a cursor of this server. Begin with the first page, without a cursor.")
	data, err := base64.RawURLEncoding.DecodeString(text)
	// A hostile cursor costs one decoding of a limited text.
	if err != nil || len(text) > maxCursor {
		return nil, 0, bad
	}
	var c cursor
	d := json.NewDecoder(bytes.NewReader(data))
	// An unknown field belongs to another version of this server, which may have another order.
	d.DisallowUnknownFields()
	if d.Decode(&c) != nil || d.More() || c.Seen < 0 {
		return nil, 0, bad
	}
	return &c.Position, c.Seen, nil
}
