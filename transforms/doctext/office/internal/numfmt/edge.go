package numfmt

import "strings"

// Edge is the text of a header or footer without its codes: &L, &"Arial,Bold", &12, &K01+000 (ECMA-376, section
// 18.3.1.39). Page numbers, dates and names of files have no text. A header in three parts, left, centre and right,
// thus becomes one line.
func Edge(s string) string {
	var b strings.Builder
	for {
		text, code, ok := strings.Cut(s, "&")
		b.WriteString(text)
		if !ok || code == "" {
			return strings.TrimSpace(b.String())
		}
		// One byte tells the code, all but a few have nothing behind it.
		switch c := code[0]; {
		case c == '&':
			// A doubled sign stands for itself.
			b.WriteByte('&')
			s = code[1:]
		// The name of a font and its style, in quotes.
		case c == '"':
			_, s, _ = strings.Cut(code[1:], `"`)
		// The size of the font.
		case c >= '0' && c <= '9':
			s = strings.TrimLeft(code, "0123456789")
		// A colour: K and six characters after it.
		case c == 'K':
			s = code[min(len(code), 7):]
		// Sections (L, C, R) and fields (P, N, D, T, A, F) divide what surrounds them.
		default:
			b.WriteByte(' ')
			s = code[1:]
		}
	}
}
