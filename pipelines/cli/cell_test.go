package cli

import "testing"

func TestCell(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"text", "Grüße, 東京 -1", "Grüße, 東京 -1"},
		{"formulas", "=1+1", "'=1+1"},
		{"a plus sign", "+1", "'+1"},
		{"a minus sign", "-1", "'-1"},
		{"an at sign", "@x", "'@x"},
		{"a blank first", " =1", " =1"},
		{"an equals sign inside", "a=1", "a=1"},
		{"a tab first", "\t=1", "'\t=1"},
		{"lines", "a\tb\r\nc", "a\tb\r\nc"},
		{"an escape sequence", "\x1b]0;x\x07", "␛]0;x␇"},
		{"NUL, backspace and DEL", "a\x00\b\x7f", "a␀␈␡"},
		{"C1", "a\u009b2J", "a\ufffd2J"},
		{"marks of direction", "\u202egpj", "\ufffdgpj"},
		{"a formula after an escape", "\x1b=1", "␛=1"},
		{"nothing", "", ""},
	} {
		if got := Cell(test.value); got != test.want {
			t.Errorf("%s: Cell(%q) = %q, want %q", test.name, test.value, got, test.want)
		}
	}
}
