package holdings

import (
	"bytes"
	"encoding/json"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// decodeDocument is decode for documents: nearly all bytes of most are their text, which is decoded apart, in a quarter
// of the time. It returns what decode returns, errors too.
func decodeDocument(line []byte) (*schemas.Document, error) {
	if d := withText(line); d != nil {
		return d, nil
	}
	return decode[*schemas.Document](line)
}

// longText is the length from which on it is worth while to decode a text apart.
const longText = 512

// withText decodes a document whose text is long; nil where that is not so, or where anything is unusual.
func withText(line []byte) *schemas.Document {
	var text []byte
	err := jsonl.Members(line, func(name, value []byte) error {
		switch {
		// Members of one name, which may be written in several ways: the last one counts.
		case bytes.IndexByte(name, '\\') >= 0,
			bytes.EqualFold(name, []byte("text")) && (text != nil || string(name) != "text"):
			return jsonl.ErrValue
		case string(name) == "text":
			text = value
		}
		return nil
	})
	if err != nil || len(text) < longText {
		return nil
	}
	plain, err := jsonl.String(text)
	if err != nil {
		return nil
	}
	// Both reach to the end of the same array: what they differ by is where the text begins.
	at := cap(line) - cap(text)
	rest := make([]byte, 0, len(line)-len(text)+len(`""`))
	rest = append(append(append(rest, line[:at]...), `""`...), line[at+len(text):]...)
	var d *schemas.Document
	if err := json.Unmarshal(rest, &d); err != nil || d == nil {
		return nil
	}
	d.Text = plain
	return d
}
