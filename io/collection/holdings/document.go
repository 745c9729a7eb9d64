package holdings

import (
	"bytes"
	"encoding/json"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// decodeDocument returns what decode returns, errors included. It decodes a long text separately, which takes a quarter
// of the time.
func decodeDocument(line []byte) (*schemas.Document, error) {
	if d := withText(line); d != nil {
		return d, nil
	}
	return decode[*schemas.Document](line)
}

// longText is the length from which decoding a text separately pays.
const longText = 512

// withText decodes a document with a long text. It returns nil for other documents and for anything unusual.
func withText(line []byte) *schemas.Document {
	var text []byte
	err := jsonl.Members(line, func(name, value []byte) error {
		switch {
		// JSON allows several members of one name: the last one counts.
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
	// Both slices end at the same capacity: the difference is where the text begins.
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

// decodeURL decodes only the URL of a document.
func decodeURL(line []byte) (string, error) {
	d, err := decode[struct {
		URL string `json:"url"`
	}](line)
	return d.URL, err
}

func decode[T any](line []byte) (record T, err error) {
	err = json.Unmarshal(line, &record)
	return record, err
}
