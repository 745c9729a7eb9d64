package cli

import (
	"strings"
	"unicode"
)

// Cell returns a value for a cell of CSV. A spreadsheet would take a text of a page for a formula, which could send
// what is in the sheet elsewhere: an apostrophe before it makes it text (OWASP, "CSV injection"). A tab or line end
// before a formula hides it from nobody but people. Control characters, which a terminal would obey, are shown by their
// pictures (U+2400 and on), and what has none by U+FFFD; tabs and line ends within a cell stay.
func Cell(value string) string {
	if strings.ContainsFunc(value, controls) {
		value = strings.Map(picture, value)
	}
	// The first byte is enough: all of these are ASCII, and no byte of another letter is.
	if value != "" && strings.ContainsRune("=+-@\t\r\n", rune(value[0])) {
		return "'" + value
	}
	return value
}

func controls(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

func picture(r rune) rune {
	switch {
	case !controls(r):
		return r
	case r < ' ':
		return '\u2400' + r
	case r == 0x7f:
		return '\u2421'
	}
	return unicode.ReplacementChar
}
