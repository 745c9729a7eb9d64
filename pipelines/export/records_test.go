package export

import (
	"encoding/json"
	"testing"
)

// TestField: fields are JSON that Python reads back to the same bytes, by its error handler surrogateescape.
func TestField(t *testing.T) {
	for text, want := range map[string]string{
		"":                   `""`,
		"text/html; x=\"y\"": `"text/html; x=\"y\""`,
		"caf\xe9":            `"caf\udce9"`,
		"é\xff\x80é":         `"é\udcff\udc80é"`,
		"\xed\xb3\xa9":       `"\udced\udcb3\udca9"`, // a surrogate in UTF-8
		"\ufffd \x00\t":      `"\ufffd \u0000\t"`,
	} {
		b, err := field(text).MarshalJSON()
		var got, again string
		if err != nil || json.Unmarshal(b, &got) != nil || json.Unmarshal([]byte(want), &again) != nil || got != again ||
			len(b) < len(want) {
			t.Errorf("%q: %s, want %s: %v", text, b, want, err)
		}
	}
}
