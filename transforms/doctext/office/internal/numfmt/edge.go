package numfmt

import "strings"

// Edge returns the text of a header or footer without its codes: &L, &"Arial,Bold", &12, &K01+000 (ECMA-376, section
// 18.3.1.39). Page numbers, dates and names of files have no text. A header in three parts (left, centre and right)
// becomes one line.
func Edge(s string) string {
	var b strings.Builder
	for {
		text, code, ok := strings.Cut(s, "&")
		b.WriteString(text)
		if !ok || code == "" {
			return strings.TrimSpace(b.String())
		}
		// A code is one byte; only a few have arguments.
		switch c := code[0]; {
		case c == '&':
			// A doubled sign is a literal one.
			b.WriteByte('&')
			s = code[1:]
		// This is the name of a font and its style, in quotes.
		case c == '"':
			_, s, _ = strings.Cut(code[1:], `"`)
		// The size of the font.
		case c >= '0' && c <= '9':
			s = strings.TrimLeft(code, "0123456789")
		// This is a colour: K and six characters.
		case c == 'K':
			s = code[min(len(code), 7):]
		// Sections (L, C, R) and fields (P, N, D, T, A, F) divide the text around them.
		default:
			b.WriteByte(' ')
			s = code[1:]
		}
	}
}
