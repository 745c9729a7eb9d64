package entity

import (
	"unicode"
	"unicode/utf8"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// wordBefore reports whether a letter, a digit or an underscore of a script with spaces is before i.
func wordBefore(text string, i int) bool {
	if i == 0 {
		return false
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return isLetter(c) || isDigit(c) || c == '_'
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return isWord(r)
}

// wordAfter reports whether a letter, a digit or an underscore of a script with spaces is at i.
func wordAfter(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	if c := text[i]; c < utf8.RuneSelf {
		return isLetter(c) || isDigit(c) || c == '_'
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isWord(r)
}

// isWord reports whether r, which is not ASCII, is part of a word. Han, kana, Hangul and Thai are not: there, numbers
// and URLs are between characters without spaces. The ranges are Thai and Lao, old Hangul, kana to Hangul with all of
// Han between, and supplementary Han.
func isWord(r rune) bool {
	if 0x0E00 <= r && r < 0x0F00 || 0x1100 <= r && r < 0x1200 || 0x3000 <= r && r < 0xD7B0 || r >= 0x20000 {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// digits returns the number of at most limit digits at i, and its end. The limit is at most 9, so the value fits in 32
// bits.
func digits(text string, i, limit int) (value, end int) {
	end = i
	for end < len(text) && end-i < limit && isDigit(text[end]) {
		value = value*10 + int(text[end]-'0')
		end++
	}
	return value, end
}

// skipSpace returns the end of a single space, no-break space or thin space at i, or i.
func skipSpace(text string, i int) int {
	if i >= len(text) {
		return i
	}
	if text[i] == ' ' {
		return i + 1
	}
	if r, n := utf8.DecodeRuneInString(text[i:]); r == '\u00A0' || r == '\u202F' || r == '\u2009' {
		return i + n
	}
	return i
}

// skipSpaceBack returns the start of a single space before i, or i.
func skipSpaceBack(text string, i int) int {
	if i == 0 {
		return i
	}
	if text[i-1] == ' ' {
		return i - 1
	}
	if r, n := utf8.DecodeLastRuneInString(text[:i]); r == '\u00A0' || r == '\u202F' || r == '\u2009' {
		return i - n
	}
	return i
}
