package filter

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzEachLine: lines are those of a plain loop over code points, with the line ends of Python's splitlines.
func FuzzEachLine(f *testing.F) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "a\r\nb\rc\n\nd", "\n\r\n\r", "a\v\f\x1c\x1d\x1e\x1fb", "é\u0085ä\u2028€\u2029…\u2027\u202a",
		"\xe2\xc2\x85\xe2\x80\xe2\x80\xa8\xc2", "a\u0085\n", "\xf0\x9f\xe2\x80\xa9",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []string
		for rest := text; rest != ""; {
			i := strings.IndexAny(rest, "\n\v\f\r\x1c\x1d\x1e\u0085\u2028\u2029")
			if i < 0 {
				want = append(want, rest)
				break
			}
			_, size := utf8.DecodeRuneInString(rest[i:])
			if strings.HasPrefix(rest[i:], "\r\n") {
				size = 2
			}
			want, rest = append(want, rest[:i]), rest[i+size:]
		}
		var got []string
		eachLine(text, func(line string) bool {
			got = append(got, line)
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("eachLine(%q) gives %q, want %q", text, got, want)
		}
	})
}
