package maintext

import (
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// What a page says of itself in <meta> is most often the beginning of its text, or its standfirst. So the block that
// begins with it, or holds it, shows where the text is.
const (
	// fewestDescribed is how many letters of a description are compared at least, and mostDescribed at most: many are cut.
	fewestDescribed = 40
	mostDescribed   = 60
	// leastTold is the least score of a block that is kept in an article since the description says so. By
	// cross-validation that raises the snippets of trafilatura's half from .930 to .938.
	leastTold = 0.2
)

// described returns the first block that holds the beginning of the page's description; -1 where none does.
func described(p *page.Page) int {
	for _, name := range []string{"description", "og:description", "twitter:description"} {
		for _, m := range p.Metas() {
			if m.Name != name {
				continue
			}
			// Letters alone: quotes, dashes and white space differ between the two.
			wanted := appendLetters(nil, []byte(m.Content), mostDescribed)
			if len(wanted) < fewestDescribed {
				continue
			}
			if i := blockOf(p, wanted); i >= 0 {
				return i
			}
		}
	}
	return -1
}

// blockOf returns the first block, no heading and no link, whose letters have those that are wanted.
func blockOf(p *page.Page, wanted []rune) int {
	var buffer []rune
	for i := range p.Blocks {
		b := &p.Blocks[i]
		// A heading says the title, and a link another page's text.
		if int(b.Chars) < len(wanted) || b.Flags&page.InHeading != 0 || b.LinkChars*2 > b.Chars {
			continue
		}
		buffer = appendLetters(buffer[:0], p.Text[b.Start:b.End], maxSearched)
		if holds(buffer, wanted) {
			return i
		}
	}
	return -1
}

// maxSearched bounds the letters of a block that are searched.
const maxSearched = 1000

// appendLetters appends the letters and digits of text to letters, in lower case, at most limit of them.
func appendLetters(letters []rune, text []byte, limit int) []rune {
	for len(text) > 0 && len(letters) < limit {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	return letters
}

// holds tells whether wanted is a part of letters.
func holds(letters, wanted []rune) bool {
	for i := 0; i+len(wanted) <= len(letters); i++ {
		k := 0
		for k < len(wanted) && letters[i+k] == wanted[k] {
			k++
		}
		if k == len(wanted) {
			return true
		}
	}
	return false
}
