// Package mend recognises what heads of records and of HTTP messages were before some bits of them were changed: words,
// line ends, schemes. It changes bytes in place, so that sizes and positions stay.
//
//	head := bytes.Clone(b) // of "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\x0b<html>"
//	if mend.LineEnds(head) {
//		// head ends in "\r\n\r\n<html>"
//	}
package mend

import (
	"math/bits"
	"strings"
)

// MaxBits is how many bits of a word may be wrong. Names that mean different things differ by more.
const MaxBits = 2

// Bits returns in how many bits two bytes differ.
func Bits(a, b byte) int { return bits.OnesCount8(a ^ b) }

// Near reports whether b begins with word, of which MaxBits bits at most are wrong.
func Near[T ~string | ~[]byte](b T, word string) bool {
	if len(b) < len(word) {
		return false
	}
	wrong := 0
	for i := range len(word) {
		if b[i] == word[i] {
			continue
		}
		if wrong += Bits(b[i], word[i]); wrong > MaxBits {
			return false
		}
	}
	return true
}

// Edited reports whether b is word with one byte too many or too few.
func Edited[T ~string | ~[]byte](b T, word string) bool {
	s := string(b)
	if len(s) > len(word) {
		s, word = word, s
	}
	if len(word) != len(s)+1 {
		return false
	}
	i := 0
	for i < len(s) && s[i] == word[i] {
		i++
	}
	return s[i:] == word[i+1:]
}

// schemes are similar to http but correct.
var schemes = [...]string{"http", "https", "ftp", "ftps", "shttp"}

// Scheme mends the scheme of a URL, and reports whether it is damaged: a usual one with some wrong bits, without its
// first bytes, or with one byte too many or too few.
func Scheme(url string) (mended string, damaged bool) {
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		return url, false
	}
	scheme, rest, ok := strings.Cut(url[:min(len(url), maxScheme)], "://")
	lower := strings.ToLower(scheme)
	for _, known := range schemes {
		if lower == known {
			return url, false
		}
	}
	for _, known := range [...]string{"http", "https"} {
		whole := known + "://"
		switch {
		case Near(url, whole):
			return whole + url[len(whole):], true
		case ok && rest != "" && (Edited(lower, known) || len(lower) > 1 && strings.HasSuffix(known, lower)):
			return whole + url[len(scheme)+len("://"):], true
		}
	}
	return url, false
}

// maxScheme is longer than any scheme of ours with what follows it, in bytes.
const maxScheme = 16
