package jsonl

import (
	"math/bits"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendText appends s as a JSON string, as encoding/json without escapes of HTML does. U+FFFD replaces bytes that are
// not UTF-8, and the line separators of Unicode are escaped.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0 // of the rest that is not yet in b
	for i := plainPrefix(s); i < len(s); i += plainPrefix(s[i:]) {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			if r, n = utf8.DecodeRuneInString(s[i:]); (r != utf8.RuneError || n > 1) && r != '\u2028' && r != '\u2029' {
				i += n
				continue
			}
		}
		b = appendEscape(append(b, s[start:i]...), r)
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// plainPrefix returns the length of the ASCII text before the first control character, quote or backslash, eight bytes
// at a time. In each word the lowest byte that is found is exact.
func plainPrefix(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 | uint64(s[i+4])<<32 |
			uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// The high bit is set in bytes below a space, in zeros, which are bytes that are sought, and in others than ASCII.
		control, quote, slash := w-ones*' ', (w^ones*'"')-ones, (w^ones*'\\')-ones
		if found := (w | control | quote | slash) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(s); i++ {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// appendEscape appends a control character, quote, backslash, line separator, or U+FFFD.
func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '\\', '"':
		return append(b, '\\', byte(r))
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
