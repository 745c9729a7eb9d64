package maintext

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// The description in <meta> is most often the beginning of the text, or its standfirst. So the block that holds it
// shows where the text is.
const (
	// fewestDescribed and mostDescribed are how many letters of a description are compared: many descriptions are
	// truncated.
	fewestDescribed = 40
	mostDescribed   = 60
	// leastTold is the least score of a block that an article keeps because the description points to it. By
	// cross-validation that raises the snippets of trafilatura's half from .930 to .938.
	leastTold = 0.2
	// maxDescriptions bounds the different descriptions that are sought in all blocks. Pages have two or three.
	maxDescriptions = 8
)

// described returns the first block that holds the beginning of the page's description, or -1.
func described(p *page.Page) int {
	var sought [][]byte // most pages have the same description two or three times
	for _, name := range []string{"description", "og:description", "twitter:description"} {
		for _, m := range p.Metas() {
			if m.Name != name {
				continue
			}
			if len(sought) == maxDescriptions {
				return -1
			}
			// Letters and digits only: quotes, dashes and white space differ between the two.
			wanted, letters := appendLetters(nil, []byte(m.Content), mostDescribed)
			if letters < fewestDescribed || slices.ContainsFunc(sought, func(s []byte) bool { return bytes.Equal(s, wanted) }) {
				continue
			}
			if i := blockOf(p, wanted, letters); i >= 0 {
				return i
			}
			sought = append(sought, wanted)
		}
	}
	return -1
}

// likelyDescribed returns the block to which the description points, or -1. A block that the model is sure to drop is
// not kept for its words.
func likelyDescribed(p *page.Page, scores []float32) int {
	if i := described(p); i >= 0 && scores[i] >= leastTold {
		return i
	}
	return -1
}

// blockOf returns the first block, other than headings and links, that contains the wanted letters, or -1.
func blockOf(p *page.Page, wanted []byte, letters int) int {
	var buffer []byte
	for i := range p.Blocks {
		b := &p.Blocks[i]
		// A heading holds the title, and a link the text of another page.
		if int(b.Chars) < letters || b.Flags&page.InHeading != 0 || b.LinkChars*2 > b.Chars {
			continue
		}
		buffer, _ = appendLetters(buffer[:0], p.Text[b.Start:b.End], maxSearched)
		if bytes.Contains(buffer, wanted) {
			return i
		}
	}
	return -1
}

const maxSearched = 1000

// lowerASCII maps ASCII letters and digits to lower case, and other characters to 0.
var lowerASCII = func() (of [utf8.RuneSelf]byte) {
	for c := range byte(utf8.RuneSelf) {
		if unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) {
			of[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return of
}()

// appendLetters appends the letters and digits of text, in lower case and at most limit of them, and returns their
// number.
func appendLetters(letters, text []byte, limit int) (appended []byte, n int) {
	for len(text) > 0 && n < limit {
		if text[0] < utf8.RuneSelf {
			letters, n, text = appendASCII(letters, n, text, limit)
			continue
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters = utf8.AppendRune(letters, unicode.ToLower(r))
			n++
		}
	}
	return letters, n
}

// appendASCII is appendLetters for the ASCII at the start of text. It also returns the rest of text.
func appendASCII(letters []byte, n int, text []byte, limit int) (appended []byte, number int, rest []byte) {
	start := len(letters)
	room := min(len(text), limit-n)
	letters = slices.Grow(letters, room)[:start+room]
	i, at := 0, start
	// No branch depends on the text, except for the end.
	for ; i < len(text) && at < len(letters) && text[i] < utf8.RuneSelf; i++ {
		c := lowerASCII[text[i]]
		letters[at] = c
		at += int((uint(c) + 0xFF) >> 8)
	}
	return letters[:at], n + at - start, text[i:]
}
