package meaning

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minWords and maxPassage are the words of a passage. A passage ends where a sentence or a line does, if one does.
	minWords   = 100
	maxPassage = 200
)

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Split divides a text into passages of 100 to 200 words. The last one may have up to 50 words less or more. It returns
// at most limit passages. Characters of scripts without spaces count as half a word.
func Split(text string, limit int) (list []Span) {
	from, halves, boundary := -1, 0, -1
	inWord := false
	var last rune
	for i, r := range text {
		if len(list) == limit {
			return list
		}
		space := unicode.IsSpace(r)
		if from < 0 {
			if space {
				continue
			}
			from, halves, boundary, inWord = i, 0, -1, false
		}
		ended := r == '\n' || space && strings.ContainsRune(".!?…", last) || strings.ContainsRune("。！？।", last)
		if ended && halves >= 2*minWords {
			boundary = i
		}
		if boundary >= 0 || halves >= 2*maxPassage && (space || !spaced(r)) {
			list = append(list, Span{from, i})
			from = -1
			if !space {
				from, halves, boundary, inWord = i, 0, -1, false
			}
		}
		switch {
		case space:
			inWord = false
		case !spaced(r):
			halves++
			inWord = false
		case !inWord:
			halves += 2
			inWord = true
		}
		last = r
	}
	if from < 0 || len(list) == limit {
		return trimmed(text, list)
	}
	// A short rest belongs to the passage before it.
	if halves < minWords && len(list) > 0 {
		list[len(list)-1].To = len(text)
		return trimmed(text, list)
	}
	return trimmed(text, append(list, Span{from, len(text)}))
}

// trimmed leaves out spaces at the end of passages.
func trimmed(text string, list []Span) []Span {
	for i, s := range list {
		list[i].To = s.From + len(strings.TrimRightFunc(text[s.From:s.To], unicode.IsSpace))
	}
	return list
}

// spaced reports whether a character belongs to a script that writes spaces between words.
func spaced(r rune) bool {
	if r < utf8.RuneSelf || r < 0x0e00 {
		return true
	}
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}
