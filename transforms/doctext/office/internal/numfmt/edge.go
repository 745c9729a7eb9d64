package numfmt

import "strings"

// Edge is the text of a header or footer without its codes: &L, &"Arial,Bold", &12, &K01+000 (ECMA-376, section
// 18.3.1.39). Page numbers, dates and names of files have no text.
func Edge(s string) string {
	var b strings.Builder
	for {
		text, code, ok := strings.Cut(s, "&")
		b.WriteString(text)
		if !ok || code == "" {
			return strings.TrimSpace(b.String())
		}
		switch c := code[0]; {
		case c == '&':
			b.WriteByte('&')
			s = code[1:]
		case c == '"':
			_, s, _ = strings.Cut(code[1:], `"`)
		case c >= '0' && c <= '9':
			s = strings.TrimLeft(code, "0123456789")
		case c == 'K':
			s = code[min(len(code), 7):]
		default:
			b.WriteByte(' ')
			s = code[1:]
		}
	}
}
