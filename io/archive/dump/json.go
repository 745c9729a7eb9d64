package dump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"
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

// Object decodes an object. A member of another type than in T is left out, with the quirk QuirkType. So one odd member
// does not lose the page.
func Object[T any](line []byte) (v *T, quirks []string, err error) {
	if err := Syntax(line); err != nil {
		return nil, nil, err
	}
	v = new(T) // only now: files may have many lines that are not JSON
	err = json.Unmarshal(line, v)
	// The decoder has gone on. An error without a member means that the value is not an object.
	if other := (*json.UnmarshalTypeError)(nil); errors.As(err, &other) && other.Field != "" {
		return v, []string{QuirkType}, nil
	}
	return v, nil, err
}

// QuirkType is a member of another type than the format has there. It is left out.
const QuirkType = "json_type"

// Source returns the document and the id of a line in the export of a search index: {"_id": …, "_source": {…}}. Other
// lines are returned unchanged.
func Source(line []byte) (document []byte, id string) {
	// The members in front of it are short. In a text the quotation marks would be escaped.
	if !bytes.Contains(line[:min(len(line), shortLine)], []byte(`"_source"`)) {
		return line, ""
	}
	type found struct {
		ID     Word            `json:"_id"`
		Source json.RawMessage `json:"_source"`
	}
	hit, _, err := Object[found](line)
	if err != nil || len(hit.Source) == 0 {
		return line, ""
	}
	return hit.Source, string(hit.ID)
}

// bom is a byte order mark.
const bom = "\ufeff"

// withoutBOM returns a reader of r in which blanks are in place of a byte order mark, so that offsets stay.
func withoutBOM(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	head, _ := in.Peek(len(bom)) // an error comes again with the first read
	if string(head) != bom {
		return in
	}
	_, _ = in.Discard(len(bom)) // they are in the buffer
	return io.MultiReader(strings.NewReader(strings.Repeat(" ", len(bom))), in)
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
		var values Words
		if err := d.Decode(&values); err != nil {
			return err
		}
		for _, v := range values {
			// A key is always a string.
			*h = append(*h, schemas.Field{Name: name.(string), Value: string(v)})
		}
	}
	return nil
}

// Word is a text or a number. Of a list, the first element counts; other JSON gives an empty word.
type Word string

// UnmarshalJSON accepts any value.
func (w *Word) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		// By a decoder, so that the rest of the list takes no memory.
		d := json.NewDecoder(bytes.NewReader(b))
		var first json.RawMessage
		if _, err := d.Token(); err != nil || !d.More() || d.Decode(&first) != nil {
			return err
		}
		b = first
	}
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(w))
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		*w = Word(b)
	}
	return nil
}

// Words are a word or a list of words.
type Words []Word

// UnmarshalJSON accepts any value.
func (w *Words) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]Word)(w))
	}
	var one Word
	if err := one.UnmarshalJSON(b); err != nil || one == "" && b[0] != '"' {
		return err
	}
	*w = Words{one}
	return nil
}

// Join returns the words with commas between them.
func (w Words) Join() string {
	var b strings.Builder
	for i, one := range w {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(one))
	}
	return b.String()
}

// Begin returns b without the byte order mark, blanks and bracket of an array at its beginning.
func Begin(b []byte) []byte { return bytes.TrimLeft(b, bom+" \t\r\n[") }

// Keys returns the keys of the JSON object that b begins with (see Begin), as far as b reaches, or nil for other
// content. If it wraps a document of a search index, that document's are among them: see Source.
func Keys(b []byte) map[string]bool { return keysOf(Begin(b), true) }

func keysOf(b []byte, wrapped bool) map[string]bool {
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
		if wrapped && key == "_source" {
			maps.Copy(keys, keysOf(bytes.TrimLeft(b[d.InputOffset():], ": \t\r\n"), false))
			return keys
		}
		// Decode skips a value of any type.
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}
