package table

import (
	"unicode"
	"unicode/utf8"
)

// Step adds the next word of text from i on to h, with a space before it unless it is the first. A word is a run of
// letters, marks and digits, or a single letter of a script without spaces, which gets no space. A joint of one or two
// signs may precede the word, but no line end. It returns false if no word follows.
//
// It reads both names and texts, so they agree on words. A word may begin at i; the next call continues at end.
func Step(h Hash, text string, i int, first bool) (next Hash, end int, ok bool) {
	at, joints := i, 0
	if !first {
		// Two joints at most: ". " in "St. Louis".
		for ; joints < 2; joints++ {
			n := joint(text, at)
			if n == 0 {
				break
			}
			at += n
		}
	}
	r, n := letter(text, at)
	// n is 0 at the end of the text, and if no letter follows: a line end is neither joint nor letter.
	if n == 0 {
		return h, i, false
	}
	if Unspaced(r) {
		// A joint becomes a space, so "ニュー・ヨーク" and "ニューヨーク" are different names.
		if joints > 0 {
			h = h.Add(' ')
		}
		return h.Add(r), at + n, true
	}
	// For any joint: "Saint-Denis" and "Saint Denis" are one name.
	if !first {
		h = h.Add(' ')
	}
	// A run ends where a script without spaces begins.
	for n > 0 && !Unspaced(r) {
		h = h.Add(r)
		at += n
		r, n = letter(text, at)
	}
	return h, at, true
}

// joint returns the length of a sign at i that joins the words of a name, or 0. In the hash all become a space.
func joint(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	switch c := text[i]; {
	case c == ' ' || c == '-' || c == '\'' || c == '.':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	switch r, n := utf8.DecodeRuneInString(text[i:]); r {
	case '\u00A0', '\u2019', 'ʼ', 'ʻ', '‘', '\u2010', '\u2011', '・', '·', '＝':
		return n
	}
	return 0
}

// letter returns the letter, mark or digit at i and its length, or 0. The apostrophe letters of Hawaiian and Ukrainian
// names count as joints instead. U+200C occurs within Persian words.
func letter(text string, i int) (rune, int) {
	if i >= len(text) {
		return 0, 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			return rune(c), 1
		}
		return 0, 0
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if r != utf8.RuneError && r != 'ʼ' && r != 'ʻ' && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) ||
		r == '\u200C') {
		return r, n
	}
	return 0, 0
}

// Unspaced reports whether r is of a script without spaces between words, or with particles appended, like Korean. A
// name in it may end within a word. The ranges are Thai and Lao, Myanmar, Khmer, and kana and Han (with radicals and
// signs from U+3005). Hangul, compatibility Han, and the Han of the supplementary planes follow.
func Unspaced(r rune) bool {
	return 0x0E00 <= r && r < 0x0F00 || 0x1000 <= r && r < 0x10A0 || 0x1780 <= r && r < 0x1800 ||
		0x3005 <= r && r < 0xA000 && r != '・' || 0xAC00 <= r && r < 0xD7B0 || 0xF900 <= r && r < 0xFB00 || 0x20000 <= r &&
		r < 0x40000
}
