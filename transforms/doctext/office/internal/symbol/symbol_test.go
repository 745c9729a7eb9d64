package symbol

import "testing"

func TestRune(t *testing.T) {
	for _, test := range []struct {
		font  string
		place rune
		want  rune
	}{
		{"Symbol", 'a', 'α'},
		{"symbol", 0xF061, 'α'},
		{"Symbol", 'W', 'Ω'},
		{"Symbol", '~', '∼'},
		{"Symbol", 0xB3, '≥'},
		{"Symbol", 0xB7, '•'},
		{"Symbol", 0xE5, '∑'},
		{"Symbol", 0xF2, '∫'},
		{"Symbol", 0xD7, '⋅'},
		{"Symbol", 0xAE, '→'},
		{"Symbol", 0xA0, '€'},
		{"Symbol", ' ', ' '},
		{"Symbol", 0x80, 0},
		{"Symbol", 0xFF, 0},
		{"Symbol", 0xBD, 0},
		{"Wingdings", 0xF0FC, '✓'},
		{"Wingdings 2", 0x20, 0},
		{"Webdings", 'a', 0},
		{"Symbol", 'Ж', 'Ж'},
	} {
		if got := Rune(test.font, test.place); got != test.want {
			t.Errorf("Rune(%q, %#x) = %q, want %q", test.font, test.place, got, test.want)
		}
	}
}
