package page

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Style sheets outside the page often show inline elements apart that touch in the source: links of a menu, a number
// and its label, floats. Without white space their words would merge. The rules below were counted on the annotated
// pages of ../shared/corpora/maintext. At seams between two texts they are right in 99 of 100 cases. At other seams
// the text stays as in the source.

// longWord is how many letters make a part surely a word. A shorter part is often an initial in another type, or the
// end of an ordinal ("21st").
const longWord = 4

// seam is the place between two texts of a block, with no white space at it.
type seam struct {
	prev, next     int32 // the two text nodes
	closed, opened int32 // outermost element that ends between them, and that begins; 0 for none
	solid          bool  // a picture or a field is between them, or a style takes one out of the line
	small          bool  // raised, lowered or ruby text is on one side: part of the word, or a mark on it
}

// apart reports whether text node i needs a space before it. It looks at the source only where two words meet, at few
// seams.
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
	// Hidden text is not part of a visible word.
	hides := (n.Flags ^ w.p.Nodes[s.prev].Flags) & (InHidden | InInvisible)
	if s.solid || hides != 0 {
		return true
	}
	// A comment alone divides nothing: scripts write them into texts.
	if s.closed == 0 && s.opened == 0 {
		return false
	}
	// Such as "HomeSale": outside code, authors rarely write this at the edge of an element.
	if unicode.IsLower(w.last) && unicode.IsUpper(first) {
		return true
	}
	before := wordLength(w.p.Text[w.block.Start:], utf8.DecodeLastRune, -1)
	after := wordLength(src, utf8.DecodeRune, 1)
	return w.p.differ(&s, w.last, first, before, after)
}

// differ reports whether the parts on both sides of a seam are separate words. before and after are their numbers of
// characters, up to longWord.
func (p *Page) differ(s *seam, last, first rune, before, after int) bool {
	number, number2 := unicode.IsDigit(last), unicode.IsDigit(first)
	// "3 stars", but not "21st", "H2" and the like, which have few letters.
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
	// Two links to one URL may be a link that an editor has split.
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

// measure finds the elements that end and begin at a seam. It returns false if a line may break within a word (<wbr>).
// Each element ends and begins once, so all seams of a page together take linear time.
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
		if n.Tag == TagWbr {
			return false
		}
		s.solid = s.solid || solid.has(n.Tag)
		// Skip elements that do not hold the next text.
		if n.End <= s.next {
			k = n.End
		} else {
			k++
		}
	}
	return true
}

// solid are pictures and fields.
var solid = setOf(TagImg, TagInput, TagSelect, TagSvg, TagCanvas, TagEmbed, TagObject, TagVideo)

// look notes how element q affects the seam at which it ends or begins.
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

// inCode reports whether a seam is in code, where elements colour parts of words.
func (p *Page) inCode(s *seam) bool {
	outer := s.closed
	if outer == 0 {
		outer = s.opened
	}
	return outer > 0 && p.Nodes[p.Nodes[outer].Parent].Flags&InCode != 0
}

// isTypeface reports whether an element only changes the look of letters.
func isTypeface(t Tag) bool {
	switch t {
	case TagB, TagI, TagEm, TagStrong, TagFont, TagU, TagBig, TagSmall, TagS, TagMark:
		return true
	}
	return false
}

// ofWord reports whether r is part of a word in a script with spaces between words.
func ofWord(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && density(r) == 0 }

// wordLength counts the characters of a word at one end of text, up to longWord. Parameter decode reads a character
// there: at the front if direction is 1, at the back if it is -1.
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
