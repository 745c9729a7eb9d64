package boilerpipe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLength is the assumed number of characters in a line. The paper wraps text at this width, instead of a layout.
const lineLength = 80

// count counts the words of the block, and its tokens. Words are tokens with a letter or a number.
func (d *divider) count() (b block, tokens int) {
	var full, line, onLine int // full lines; characters and words of the current one
	// A line takes the words' lengths and one space between each two, hence the start at -1.
	line = -1 // no space comes before the first word
	text, linked, marks := d.text.String(), d.inLink, d.marks
	// The loop reads the text once and passes the marks on the way, so it is linear for any number of links.
	for pos := 0; pos < len(text); {
		n, units, isWord := token(text[pos:])
		// There may be several marks at one position, as when a link ends and the next begins. The last counts.
		for len(marks) > 0 && marks[0].pos <= pos {
			linked, marks = marks[0].begins, marks[1:]
		}
		pos += n
		// White space is not a token, but may have had a mark.
		if units == 0 {
			continue
		}
		tokens++
		// Tokens of punctuation alone count as tokens, which makes a block exist, but not as words or on the line.
		if !isWord {
			continue
		}
		b.words++
		onLine++
		if linked {
			b.linked++
		}
		// A word that does not fit becomes the first word of the next line. The line before is full only then.
		if line += units + 1; line > lineLength {
			full++
			line, onLine = units, 1
		}
	}
	// The words on the incomplete last line are subtracted again.
	b.inFull, b.lines = b.words-onLine, full
	if b.inFull == 0 { // also when no line is full
		b.inFull, b.lines = b.words, 1
	}
	return b, tokens
}

// token returns the length of the first token of s in bytes and in UTF-16 units, and whether it is a word. A space has
// no units. Tokens end at word boundaries (\b in Java's expressions), but not at punctuation within and around words.
func token(s string) (n, units int, isWord bool) {
	var last class
	for i, r := range s {
		// The class of the first character is not compared.
		c := classOf(r, last)
		// A change of class ends a word, except next to punctuation, which joins both sides: "it's" and "3.5" are one
		// token. A space is always a separate one.
		if i > 0 && (c == space || last == space || c != last && c != punctuation && last != punctuation) {
			return i, units, isWord
		}
		last = c
		// Units are those of Java's String.length, which the original compares with the length of a line.
		if c != space {
			units += utf16Len(r)
		}
		isWord = isWord || c != space && (unicode.IsLetter(r) || unicode.IsNumber(r))
	}
	return len(s), units, isWord
}

// class is the role of a character for the tokens around it.
type class uint8

const (
	// These are symbols, and punctuation outside the list below, such as quotation marks of other scripts.
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
	// The list is that of the original's expression. In it, - between @ and : is literal.
	case r < utf8.RuneSelf && strings.IndexByte(`"'.,!@-:;$?()/`, byte(r)) >= 0:
		return punctuation
	// A mark belongs to the letter before it; alone it is a symbol.
	case last == letter && unicode.Is(unicode.Mn, r):
		return letter
	}
	return other
}

// utf16Len returns the UTF-16 units of r: 2 above the Basic Multilingual Plane.
func utf16Len(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// isSpace is Java's Character.isWhitespace, without no-break spaces. It has control characters, and Unicode's
// separators except for the three that do not break.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0x1C, 0x1D, 0x1E, 0x1F:
		return true
	case 0xA0, 0x2007, 0x202F:
		return false
	}
	return unicode.In(r, unicode.Z)
}
