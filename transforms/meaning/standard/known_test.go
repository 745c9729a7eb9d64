package standard

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/meaning"
)

// TestUnknown: words of the sixteen languages are known, and random letters and other scripts are not.
func TestUnknown(t *testing.T) {
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	e := meaning.NewEncoder(m)
	for _, c := range []struct {
		text, unknown string
		known         int
	}{
		{"planting grass against erosion by the sea", "", 7},
		{"médecins avec des masques", "", 4},
		{"口罩", "", 1},
		{"マスク", "", 1},
		{"การเมือง", "", 1},
		{"новости", "", 1},
		{"القمح", "", 1},
		{"COVID-19, 1999!", "", 3},
		{"a", "", 1},
		{"xqzvw", "xqzvw", 0},
		{"hospital qwrtpsdf", "qwrtpsdf", 1},
		{"ሰላም ዓለም", "ሰላም ዓለም", 0},
		{"नमस्ते", "नमस्ते", 0},
		{"\U0010fffd", "", 0},
		{" ?! \x00\xff", "", 0},
		{"", "", 0},
		{strings.Repeat("xqzvw ", 100), strings.TrimSpace(strings.Repeat("xqzvw ", 20)), 0},
		{strings.Repeat("q", 4000), strings.Repeat("q", 48), 0},
	} {
		unknown, known := e.Unknown(c.text)
		if got := strings.Join(unknown, " "); got != c.unknown || known != c.known {
			t.Errorf("Unknown(%.50q) = %q, %d, want %q, %d", c.text, got, known, c.unknown, c.known)
		}
	}
}
