package page

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Inline elements that touch in the source are often shown apart, by style sheets that a page does not bring along:
// links of a menu, a number and its label, what floats. Without white space between them their words would become one.
// The rules below were counted on the pages of ../shared/corpora/maintext in which people wrote down the text: at seams
// between two texts they are right in 99 of 100 cases. What they do not know stays as the source has it.

// longWord is how many letters make a part surely a word of its own: what is shorter is often a first letter in another
// type, or the end of an ordinal ("21st").
const longWord = 4

// seam is the place between two texts of a block, with no white space at it.
type seam struct {
	prev, next     int32 // the two text nodes
	closed, opened int32 // the outermost element that ends between them, and that begins; 0 for none
	solid          bool  // a picture or a field is between them, or the style takes one of them out of the line
	small          bool  // raised, lowered or ruby text is on one side: a part of the word, or a mark on it
}

// apart reports whether text node i is to be divided from the text that the block has so far. It looks at the source
// only where two words meet, which is at few seams.
func (w *writer) apart(i int) bool {
	n := &w.p.Nodes[i]
	if w.empty() || w.space != noGap || w.lines > 0 || len(w.kept) > 0 || n.Flags&InPre != 0 || !ofWord(w.last) {
		return false
	}
	src := w.p.Source[n.srcStart:n.srcEnd]
	first, _ := utf8.DecodeRune(src)
	if !ofWord(first) {
		return false
	}
	s := seam{prev: w.block.Last - 1, next: int32(i)}
	if !w.p.measure(&s) || s.small || w.p.inCode(&s) {
		return false
	}
	// What is hidden is no part of a word that is seen.
	hides := (n.Flags ^ w.p.Nodes[s.prev].Flags) & (InHidden | InInvisible)
	if s.solid || hides != 0 {
		return true
	}
	// A comment alone divides nothing: scripts write them into the middle of texts.
	if s.closed == 0 && s.opened == 0 {
		return false
	}
	// "HomeSale": people hardly write so where an element ends or begins, save in code.
	if unicode.IsLower(w.last) && unicode.IsUpper(first) {
		return true
	}
	before := wordLength(w.p.Text[w.block.Start:], utf8.DecodeLastRune, -1)
	after := wordLength(src, utf8.DecodeRune, 1)
	return w.p.differ(&s, w.last, first, before, after)
}

// differ reports whether the parts on both sides of a seam are words of their own. before and after are how many
// characters they have, up to longWord.
func (p *Page) differ(s *seam, last, first rune, before, after int) bool {
	number, number2 := unicode.IsDigit(last), unicode.IsDigit(first)
	// "3 stars", but not "21st", "H2" and the like: there the letters are few.
	if number != number2 {
		letters := after
		if number2 {
			letters = before
		}
		return letters >= longWord-1
	}
	if s.closed == 0 || s.opened == 0 {
		return false
	}
	from, to := &p.Nodes[s.closed], &p.Nodes[s.opened]
	// Two links to one place may be a link that an editor has torn apart.
	if from.Tag == TagA && to.Tag == TagA {
		a, _ := p.RawAttr(int(s.closed), "href")
		b, _ := p.RawAttr(int(s.opened), "href")
		return !bytes.Equal(a, b) && min(before, after) > 1
	}
	// Bold type and the like often begin within a word.
	if isTypeface(from.Tag) || isTypeface(to.Tag) {
		return false
	}
	return number || unicode.IsUpper(first) && min(before, after) >= longWord-1 || min(before, after) >= longWord
}

// measure finds what ends and begins at a seam. It is false where a line may break within a word (<wbr>). Each element
// ends and begins once, so all seams of a page together take linear time.
func (p *Page) measure(s *seam) bool {
	for q := p.Nodes[s.prev].Parent; p.Nodes[q].End <= s.next; q = p.Nodes[q].Parent {
		s.closed = q
		s.look(p, q)
	}
	for q := p.Nodes[s.next].Parent; q > s.prev; q = p.Nodes[q].Parent {
		s.opened = q
		s.look(p, q)
	}
	for k := s.prev + 1; k < s.next; {
		n := &p.Nodes[k]
		switch n.Tag {
		case TagWbr:
			return false
		case TagImg, TagInput, TagSelect, TagSvg, TagCanvas, TagEmbed, TagObject, TagVideo:
			s.solid = true
		}
		// What does not hold the next text is passed over whole.
		if n.End <= s.next {
			k = n.End
		} else {
			k++
		}
	}
	return true
}

// look notes what element q makes of the seam at which it ends or begins.
func (s *seam) look(p *Page, q int32) {
	switch p.Nodes[q].Tag {
	case TagSub, TagSup, TagRt, TagRp, TagRb, TagRtc, TagRuby:
		s.small = true
	}
	if style, ok := p.RawAttr(int(q), "style"); ok {
		s.solid = s.solid || leavesLine(style)
	}
}

// leavesLine reports whether a style takes its element out of the line of text.
func leavesLine(style []byte) bool {
	return declares(style, "float", "left") || declares(style, "float", "right") ||
		declares(style, "position", "absolute") || declares(style, "position", "fixed") ||
		declares(style, "display", "block") || declares(style, "display", "flex") || declares(style, "display", "table")
}

// inCode reports whether a seam lies within code, where elements colour parts of words.
func (p *Page) inCode(s *seam) bool {
	outer := s.closed
	if outer == 0 {
		outer = s.opened
	}
	return outer > 0 && p.Nodes[p.Nodes[outer].Parent].Flags&InCode != 0
}

// isTypeface reports whether an element changes how letters look, and nothing else.
func isTypeface(t Tag) bool {
	switch t {
	case TagB, TagI, TagEm, TagStrong, TagFont, TagU, TagBig, TagSmall, TagS, TagMark:
		return true
	}
	return false
}

// ofWord reports whether r is part of a word in a script that puts spaces between words.
func ofWord(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && density(r) == 0 }

// wordLength counts the characters of a word at one end of text, up to longWord. decode reads the character at that
// end, which is cut off: at the front if direction is 1, at the back if it is -1.
func wordLength(text []byte, decode func([]byte) (rune, int), direction int) int {
	n := 0
	for n < longWord && len(text) > 0 {
		r, size := decode(text)
		if !ofWord(r) {
			break
		}
		n++
		if direction > 0 {
			text = text[size:]
		} else {
			text = text[:len(text)-size]
		}
	}
	return n
}
