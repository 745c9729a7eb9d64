// Package mend repairs words, line ends and schemes in heads of records and of HTTP messages after some of their bits
// changed. It changes bytes in place, so that sizes and positions stay the same.
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

// MaxBits is how many bits of a word may be wrong. Different names differ in more bits.
const MaxBits = 2

// Bits returns the number of different bits of two bytes.
func Bits(a, b byte) int { return bits.OnesCount8(a ^ b) }

// Near reports whether b begins with word, with at most MaxBits wrong bits.
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

// schemes are valid although similar to http.
var schemes = [...]string{"http", "https", "ftp", "ftps", "shttp"}

// Scheme mends the scheme of a URL, and reports whether it was damaged. A damaged scheme has some wrong bits, lacks its
// first bytes, or has one byte too many or too few, as in http:/host.
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
		case ok && rest != "" && (Edited(lower, known) || strings.HasSuffix(known, lower)):
			return whole + url[len(scheme)+len("://"):], true
		}
		for _, short := range [...]string{known + ":/", known + "//"} {
			if rest, found := strings.CutPrefix(url, short); found && rest != "" {
				return whole + rest, true
			}
		}
	}
	return url, false
}

// maxScheme is longer than any of these schemes with "://", in bytes.
const maxScheme = 16
