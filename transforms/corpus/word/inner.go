package word

import (
	"strings"
	"unicode/utf8"
)

// inner appends the words of a chunk without signs at its ends. It divides the chunk at signs between letters, unless
// it is an address.
func inner(words []string, s string) []string {
	if !joined(s) || isAddress(s) {
		return append(words, s)
	}
	from := 0
	for at := 0; at < len(s); {
		n := infixLen(s, at)
		if n == 0 {
			_, size := decode(s[at:])
			at += size
			continue
		}
		// A sign at the very beginning belongs to the first word.
		if at > 0 {
			if from < at {
				words = append(words, s[from:at])
			}
			words = append(words, s[at:at+n])
			from = at + n
		}
		at += n
	}
	if from < len(s) {
		words = append(words, s[from:])
	}
	return words
}

// joined reports whether a character of s may divide it.
func joined(s string) bool {
	for i, r := range s {
		if c := classes[s[i]]; c&joiner != 0 || r >= utf8.RuneSelf && classOf(r)&joiner != 0 {
			return true
		}
	}
	return false
}

// infixLen returns the length of the sign at s[at:] that divides s, or 0.
func infixLen(s string, at int) int {
	r, size := decode(s[at:])
	c := classOf(r)
	if c&joiner == 0 {
		return 0
	}
	if c&icon != 0 || r == '…' {
		return size
	}
	before := before(s, at)
	switch r {
	case '.':
		if n := dots(s[at:]); n > 0 {
			return n
		}
		// This is a missing space between sentences: "end.Next".
		return when(before&(lower|quote) != 0 && after(s, at+1)&(upper|quote) != 0, 1)
	case ',':
		return when(isLetter(before) && isLetter(after(s, at+1)), 1)
	case ':', '<', '>', '=', '/':
		return when((isLetter(before) || before&digit != 0) && isLetter(after(s, at+1)), 1)
	case '+', '*', '^':
		return when(before&digit != 0 && digitOrMinus(s, at+1), 1)
	}
	return hyphenLen(s, at, size, before)
}

// hyphenLen returns the length of a hyphen or a dash between words, or of a minus between numbers.
func hyphenLen(s string, at, size int, before class) int {
	if s[at] == '-' && before&digit != 0 && digitOrMinus(s, at+1) {
		return 1
	}
	if !isLetter(before) && before&digit == 0 {
		return 0
	}
	for _, h := range [...]string{s[at : at+size], "--", "---", "——"} {
		if strings.HasPrefix(s[at:], h) && isLetter(after(s, at+len(h))) {
			return len(h)
		}
	}
	return 0
}

func when(is bool, n int) int {
	if is {
		return n
	}
	return 0
}

func isLetter(c class) bool { return c&(lower|upper) != 0 }

func digitOrMinus(s string, at int) bool {
	return at < len(s) && (s[at] == '-' || s[at] >= '0' && s[at] <= '9')
}

func before(s string, at int) class {
	if at == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return classOf(r)
}

func after(s string, at int) class {
	if at >= len(s) {
		return 0
	}
	r, _ := decode(s[at:])
	return classOf(r)
}

// isAddress reports whether a chunk looks like a URL or a mail address. It has labels with dots between them, the last
// of two letters or more. After them comes the end, a port, a path or a query.
func isAddress(s string) bool {
	if i := strings.Index(s, "://"); i > 0 {
		s = s[i+len("://"):]
	}
	if i := strings.IndexByte(s, '@'); i > 0 {
		s = s[i+1:]
	}
	host := s
	if i := strings.IndexAny(s, ":/?#"); i >= 0 {
		host = s[:i]
	}
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || utf8.RuneCountInString(host[dot+1:]) < 2 {
		return false
	}
	for i, r := range host {
		c := classOf(r)
		// Names of methods have dots as well ("requests.Session"), so a top-level domain must be in lower case.
		isPart := isLetter(c) && (i < dot || c&lower != 0) || (c&digit != 0 || r == '-') && i < dot
		if !isPart && (r != '.' || i+1 < len(host) && host[i+1] == '.') {
			return false
		}
	}
	return true
}
