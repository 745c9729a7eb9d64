package cldr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Digits returns s with the decimal digits of other scripts converted to ASCII. If it has none, it returns s.
func Digits(s string) string {
	i := foreignDigit(s)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		if r >= utf8.RuneSelf && unicode.IsDigit(r) {
			r = '0' + value(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// value returns the value of a digit. In Unicode the ten digits of a script are together, and its ranges begin with a
// zero.
func value(r rune) rune {
	for _, t := range unicode.Digit.R16 {
		if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
			return (r - lo) % 10
		}
	}
	for _, t := range unicode.Digit.R32 {
		if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
			return (r - lo) % 10
		}
	}
	return 0
}

// foreignDigit returns the position of the first non-ASCII digit, or -1. Most scripts without digits of their own are
// recognised by the first byte.
func foreignDigit(s string) int {
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && isASCII(s[i:i+8]) {
			i += 8
		}
		if i == len(s) {
			break
		}
		if c := s[i]; c < 0xD9 || c > 0xE1 && c < 0xEA {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsDigit(r) {
			return i
		}
	}
	return -1
}

// isASCII reports whether eight bytes are ASCII. The compiler makes one load of them.
func isASCII(s string) bool {
	return (uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
		uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)&0x8080_8080_8080_8080 == 0
}
