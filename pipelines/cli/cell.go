package cli

import (
	"strings"
	"unicode"
)

// Cell makes a value safe for a cell of CSV. An apostrophe keeps spreadsheets from running text of a page as a
// formula, which could send data elsewhere (OWASP, "CSV injection"). A tab or line end would only hide a formula from
// people. Control characters become their pictures (U+2400 and on) or U+FFFD; tabs and line ends within a cell stay.
func Cell(value string) string {
	if strings.ContainsFunc(value, controls) {
		value = strings.Map(picture, value)
	}
	// The first byte is enough, because all of these are ASCII.
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
