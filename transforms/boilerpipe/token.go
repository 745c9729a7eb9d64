package boilerpipe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLength is how many characters a line is taken to hold. The paper wraps text at
// this width, in place of a layout.
const lineLength = 80

// count counts the words of the block, and its tokens, of which words are those with a letter or a number.
func (d *divider) count() (b block, tokens int) {
	var full, line, onLine int // full lines; characters and words of the current one
	// With -1 a line takes the words' lengths and one less space than words, which is how many stand
	// between them.
	line = -1 // no space is before the first word
	text, linked, marks := d.text.String(), d.inLink, d.marks
	// A loop over the text once, in which the marks are passed as their places are: linear whatever
	// the number of links.
	for pos := 0; pos < len(text); {
		n, units, isWord := token(text[pos:])
		// More than one mark may be at one place, as where a link ends and the next begins; the
		// last holds.
		for len(marks) > 0 && marks[0].pos <= pos {
			linked, marks = marks[0].begins, marks[1:]
		}
		pos += n
		// White space: no token, but it was the place of a mark.
		if units == 0 {
			continue
		}
		tokens++
		// Tokens of punctuation alone count as tokens, which makes a block exist, but neither as
		// words nor on the line.
		if !isWord {
			continue
		}
		b.words++
		onLine++
		if linked {
			b.linked++
		}
		// A word that does not fit begins the next line, as its first word. The line before is full
		// then, and not otherwise.
		if line += units + 1; line > lineLength {
			full++
			line, onLine = units, 1
		}
	}
	// The words on the line that was never filled are taken off again.
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
		// The class of the first character is compared with nothing.
		c := classOf(r, last)
		// A change of class is a word's end, except next to punctuation, which is glued to both
		// sides: "it's" and "3.5" are one token. A space is always one by itself.
		if i > 0 && (c == space || last == space || c != last && c != punctuation && last != punctuation) {
			return i, units, isWord
		}
		last = c
		// Units as in Java's String.length, since that is what the original compares with the length
		// of a line.
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
	// What is none of the others: symbols, and punctuation beyond the list below, such as quotation
	// marks of other scripts.
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
	// The list is that of the original's expression, in which - stands between @ and : but is taken
	// as itself.
	case r < utf8.RuneSelf && strings.IndexByte(`"'.,!@-:;$?()/`, byte(r)) >= 0:
		return punctuation
	// A mark belongs to the letter that it stands on; alone it is a symbol.
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

// isSpace is Java's Character.isWhitespace: no-break spaces are none. Their list is of control characters, and of the
// separators of Unicode except for the three that do not break.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0x1C, 0x1D, 0x1E, 0x1F:
		return true
	case 0xA0, 0x2007, 0x202F:
		return false
	}
	return unicode.In(r, unicode.Z)
}
