package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of wrapped lines, in characters. Longer lines are paragraphs, shorter ones are lists and addresses.
const leastWidth, mostWidth = 40, 160

// fullLine is the part of the longest line of a paragraph that a wrapped line has at least.
const fullLine = 0.75

// prose is the part of a paragraph's words that are in lower case at least. Lists of names have fewer.
const prose = 0.4

// Unwrap returns the text with spaces for the line ends that only wrap a paragraph, as in PDF, mail and plain text.
// Names cross these. All offsets stay. The line ends of lists, tables and headings stay too, and those of scripts without
// spaces, which a space would not join.
func Unwrap(text string) string {
	var b []byte // the result, if it differs
	start := 0
	for page := range strings.SplitSeq(text, "\f") {
		for paragraph := range strings.SplitSeq(page, "\n\n") {
			for _, at := range wraps(paragraph) {
				if b == nil {
					b = []byte(text)
				}
				b[start+at] = ' '
			}
			start += len(paragraph) + len("\n\n")
		}
		// A page has no divider of paragraphs at its end, but one of pages.
		start += len("\f") - len("\n\n")
	}
	if b == nil {
		return text
	}
	return string(b)
}

// wraps returns the offsets of the line ends in a paragraph that only wrap it. Enough of its words are in lower case,
// and the line before such an end is nearly as long as the longest.
func wraps(paragraph string) (ends []int) {
	if !strings.Contains(paragraph, "\n") {
		return nil
	}
	width, lower, words := 0, 0, 0
	for line := range strings.SplitSeq(paragraph, "\n") {
		width = max(width, utf8.RuneCountInString(line))
		l, w := lowerWords(line)
		lower, words = lower+l, words+w
	}
	if width < leastWidth || width > mostWidth || float64(lower) < prose*float64(words) {
		return nil
	}
	for at, start := 0, 0; ; start = at + 1 {
		n := strings.IndexByte(paragraph[start:], '\n')
		if n < 0 {
			return ends
		}
		at = start + n
		line, next := paragraph[start:at], paragraph[at+1:]
		if n := strings.IndexByte(next, '\n'); n >= 0 {
			next = next[:n]
		}
		full := float64(utf8.RuneCountInString(line)) >= fullLine*float64(width)
		lower, _ := lowerWords(line) // a heading may have none
		if full && lower > 0 && !isRow(line) && !isRow(next) && !beginsItem(line, next) && !isUnspaced(line) &&
			!areDigits(line, next) {
			ends = append(ends, at)
		}
	}
}

// lowerWords counts the words of a line that do not begin with a capital letter, and all words.
func lowerWords(line string) (lower, all int) {
	for word := range strings.FieldsSeq(line) {
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsLetter(r) {
			all++
			if !unicode.IsUpper(r) {
				lower++
			}
		}
	}
	return lower, all
}

// isUnspaced reports whether a line ends in a script without spaces between words.
func isUnspaced(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	return unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// areDigits reports whether a number ends a line and another begins the next. A space would make one of them.
func areDigits(line, next string) bool {
	isDigit := func(b byte) bool { return '0' <= b && b <= '9' }
	next = strings.TrimLeft(next, " ")
	return line != "" && next != "" && isDigit(line[len(line)-1]) && isDigit(next[0])
}

// isRow reports whether a line has columns.
func isRow(line string) bool {
	return strings.Contains(line, "\t") || strings.Contains(strings.TrimSpace(line), "   ")
}

// beginsItem reports whether a line begins something else than the line before: it has another indentation, or the sign
// or number of an item, or is quoted.
func beginsItem(before, line string) bool {
	trimmed := strings.TrimLeft(line, " ")
	first, size := utf8.DecodeRuneInString(trimmed)
	indent := len(line) - len(trimmed) - (len(before) - len(strings.TrimLeft(before, " ")))
	_, after, _ := strings.Cut(trimmed, " ")
	number := strings.TrimLeft(trimmed, "0123456789")
	switch {
	case trimmed == "" || indent > 1 || strings.ContainsRune("-*•·‣◦–—+>|#[", first):
		return true
	case number != trimmed:
		return strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")
	}
	// As in "a) …".
	return unicode.IsLetter(first) && strings.HasPrefix(trimmed[size:], ") ") && after != ""
}
