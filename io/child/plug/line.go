package plug

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// lines is the exchange of lines of JSON.
type lines struct {
	lists bool // a line is a list of documents
	typed map[string]schemas.ValueType
}

func (l lines) batch() batch { return &lineBatch{lists: l.lists} }

// read reads a line and its values.
func (l lines) read(c *process, r request) (a reply, err error) {
	line, err := c.line(longest(r.n))
	if err != nil {
		return a, err
	}
	list, astray, err := l.split(line, r.n)
	a = reply{list: make([]enrich.Values, len(list)), err: err, astray: astray}
	for i, raw := range list {
		a.list[i].ByColumn, a.list[i].Err = values(raw)
	}
	return a, nil
}

// split returns the values of n documents. It returns astray if the line is not an answer. The next line may be the
// answer then, so the process must end.
func (l lines) split(line []byte, n int) (list []json.RawMessage, astray bool, err error) {
	var object map[string]json.RawMessage
	if !l.lists {
		isObject := json.Unmarshal(line, &object) == nil // also null
		return []json.RawMessage{line}, !isObject || l.isForeign(object), nil
	}
	if bytes.HasPrefix(line, []byte{'{'}) && json.Unmarshal(line, &object) == nil && isError(object["error"]) {
		_, err := values(line) // for the whole batch
		return nil, false, err
	}
	if json.Unmarshal(line, &list) != nil {
		return nil, true, fmt.Errorf("the answer to a batch is not a list of JSON: %.80q", line)
	}
	if len(list) != n {
		return nil, true, fmt.Errorf("the answer has %d values for %d documents", len(list), n)
	}
	return list, false, nil
}

// isForeign reports whether an object has a name that the plug has not declared, as a line of a log has.
func (l lines) isForeign(object map[string]json.RawMessage) bool {
	for name := range object {
		if _, declared := l.typed[name]; !declared && name != "error" {
			return true
		}
	}
	return false
}

// isError reports whether an answer has an error. As in Arrow, null means that there is no error.
func isError(said json.RawMessage) bool { return len(said) > 0 && string(said) != "null" }

// values parses the values of a document.
func values(answer []byte) (map[string][]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, fmt.Errorf("the answer is not an object of JSON: %.80q", answer)
	}
	said := fields["error"]
	delete(fields, "error")
	if isError(said) {
		var text string
		if json.Unmarshal(said, &text) != nil {
			text = string(said)
		}
		return nil, errors.New(text)
	}
	out := make(map[string][]string, len(fields))
	for name, raw := range fields {
		list := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &list); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, v := range list {
			switch v[0] {
			case 'n': // null
			case '"':
				var s string
				if err := json.Unmarshal(v, &s); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				out[name] = append(out[name], s)
			case '{', '[':
				return nil, fmt.Errorf("%s: a value is a string, a number or a boolean", name)
			default: // numbers and booleans, as they are written
				out[name] = append(out[name], string(v))
			}
		}
	}
	return out, nil
}

// lineBatch is documents as JSON.
type lineBatch struct {
	lists bool
	text  []byte // each document after a byte: "[" or a comma
	ends  []int  // of each document in text
}

func (b *lineBatch) add(fields []field) error {
	before := len(b.text)
	between := byte(',')
	if before == 0 {
		between = '['
	}
	text := append(b.text, between, '{')
	for i, f := range fields {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendString(text, f.name), ':')
		if s, is := f.value.(string); is {
			text = appendString(text, s)
			continue
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return err
		}
		text = append(text, value...)
	}
	b.text = append(text, '}')
	b.ends = append(b.ends, len(b.text))
	return nil
}

func (b *lineBatch) size() int { return len(b.text) }

// start returns the place of the byte before a document.
func (b *lineBatch) start(i int) int {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

func (b *lineBatch) request(i, j int) (request, error) {
	text, end := b.text[b.start(i):b.ends[j-1]], "\n"
	if b.lists {
		end = "]\n"
	} else {
		text = text[1:]
	}
	if i == 0 && j == len(b.ends) {
		// The rest of the slice is free until the next document, so that nothing is copied.
		b.text = append(b.text, end...)[:len(b.text)]
		text = b.text[len(b.text)-len(text) : len(b.text)+len(end)]
	} else if text = slices.Concat(text, []byte(end)); b.lists {
		text[0] = '['
	}
	return request{bytes: text, n: j - i}, nil
}

func (b *lineBatch) drop(n int) {
	cut := b.start(n)
	b.text = append(b.text[:0], b.text[cut:]...)
	b.ends = append(b.ends[:0], b.ends[n:]...)
	for i := range b.ends {
		b.ends[i] -= cut
	}
	if len(b.text) > 0 {
		b.text[0] = '['
	}
}

// appendString appends a text as JSON. Bytes that are not UTF-8 become U+FFFD. It escapes what it must alone, which
// takes little of the time of package json, and of that of readers.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	s = validText(s)
	b = append(slices.Grow(b, len(s)+len(s)/16+2), '"')
	for {
		n := plain(s)
		b = append(b, s[:n]...)
		if n == len(s) {
			return append(b, '"')
		}
		c := s[n]
		s = s[n+1:]
		switch c {
		case '\n':
			b = append(b, '\\', 'n')
		case '"', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
}

// validText replaces bytes that are not UTF-8.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// plain returns how many bytes of s come before the first that JSON escapes. It looks at eight bytes at a time.
func plain(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		var b [8]byte
		copy(b[:], s[i:i+8])
		w := binary.LittleEndian.Uint64(b[:])
		// The high bit of a byte is set if it is below 0x20, a quote or a backslash. A borrow may also set that of a
		// later byte, so only the first one counts.
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		if odd := ((w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash) & high; odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}
