package boilerpipe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLength is how many characters a line is taken to hold.
const lineLength = 80

// count counts the words of the block, and its tokens, of which words are those with a letter or a number.
func (d *divider) count() (b block, tokens int) {
	var full, line, onLine int // full lines; characters and words of the current one
	line = -1                  // no space stands before the first word
	text, linked, marks := d.text.String(), d.inLink, d.marks
	for pos := 0; pos < len(text); {
		n, units, isWord := token(text[pos:])
		for len(marks) > 0 && marks[0].pos <= pos {
			linked, marks = marks[0].begins, marks[1:]
		}
		pos += n
		if units == 0 {
			continue
		}
		tokens++
		if !isWord {
			continue
		}
		b.words++
		onLine++
		if linked {
			b.linked++
		}
		if line += units + 1; line > lineLength {
			full++
			line, onLine = units, 1
		}
	}
	b.inFull, b.lines = b.words-onLine, full
	if b.inFull == 0 { // also when no line is full
		b.inFull, b.lines = b.words, 1
	}
	return b, tokens
}

// token returns how many bytes of s the first token takes, and how many UTF-16 units, of which a space has none, and
// whether it is a word. Tokens end where words do (what \b is in Java's expressions), but not at the punctuation that
// stands within and around words.
func token(s string) (n, units int, isWord bool) {
	var last class
	for i, r := range s {
		c := classOf(r, last)
		if i > 0 && (c == space || last == space || c != last && c != punctuation && last != punctuation) {
			return i, units, isWord
		}
		last = c
		if c != space {
			units += utf16Len(r)
		}
		isWord = isWord || c != space && (unicode.IsLetter(r) || unicode.IsNumber(r))
	}
	return len(s), units, isWord
}

// class is what a character is to the tokens around it.
type class uint8

const (
	other class = iota
	space
	letter // or digit, or underscore, or a mark on one
	punctuation
)

func classOf(r rune, last class) class {
	switch {
	case r == ' ':
		return space
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return letter
	case r < utf8.RuneSelf && strings.IndexByte(`"'.,!@-:;$?()/`, byte(r)) >= 0:
		return punctuation
	case last == letter && unicode.Is(unicode.Mn, r):
		return letter
	}
	return other
}

// utf16Len is 2 beyond the Basic Multilingual Plane.
func utf16Len(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// isSpace is Java's Character.isWhitespace: no-break spaces are none.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0x1C, 0x1D, 0x1E, 0x1F:
		return true
	case 0xA0, 0x2007, 0x202F:
		return false
	}
	return unicode.In(r, unicode.Z)
}
