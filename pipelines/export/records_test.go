package export

import "testing"

// TestField: fields are JSON that Python reads back to the same bytes, by its error handler surrogateescape.
func TestField(t *testing.T) {
	for text, want := range map[string]string{
		"":                   `""`,
		"text/html; x=\"y\"": `"text/html; x=\"y\""`,
		"caf\xe9":            `"caf\udce9"`,
		"é\xff\x80é":         `"é\udcff\udc80é"`,
		"\xed\xb3\xa9":       `"\udced\udcb3\udca9"`, // a surrogate in UTF-8
		"\ufffd \x00\t":      "\"\ufffd \\u0000\\t\"",
	} {
		b, err := field(text).MarshalJSON()
		if err != nil || string(b) != want {
			t.Errorf("%q: %s, want %s: %v", text, b, want, err)
		}
	}
}
