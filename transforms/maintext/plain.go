package maintext

import "strings"

// Plain returns plain text in UTF-8 as its own main text. All line ends become newlines; trailing spaces and control
// characters are dropped.
func Plain(text []byte) Result {
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	// Form feeds, vertical tabs and Unicode's separators end lines; the paragraph separator adds an empty line.
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\v", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(s)
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.TrimRight(strings.Map(printable, line), " \t"))
		b.WriteByte('\n')
	}
	// Empty lines within the text stay.
	s = strings.Trim(b.String(), "\n")
	if s == "" {
		return Result{}
	}
	return Result{Text: s, Source: SourcePlain}
}

func printable(r rune) rune {
	if r < ' ' && r != '\t' || r >= 0x7F && r < 0xA0 || r == '\uFEFF' {
		return -1
	}
	return r
}
