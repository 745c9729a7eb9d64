package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// A listing counts as an article with teasers if adjacent paragraphs have enough words, and enough of all words in
// paragraphs.
const (
	paragraphWords = 15
	paragraphScore = 0.2
	oneTextWords   = 60
	oneTextShare   = 0.3
)

// hasOneText reports whether a page that looks like a listing has one element with several paragraphs; each teaser has
// an element of its own. On the given halves of GN1 and CleanEval it raises the F1 by .003 and .001.
func hasOneText(p *page.Page, scores []float32) bool {
	var words, number map[int32]int
	all, most := 0, int32(-1)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Words < paragraphWords || b.LinkChars*3 > b.Chars || scores[i] < paragraphScore ||
			b.Flags&(page.InHidden|page.InFooter|page.InNav) != 0 {
			continue
		}
		if words == nil {
			words, number = map[int32]int{}, map[int32]int{}
		}
		// Paragraphs count for their parent; lines that <br> divides, for their own element.
		in := b.Node
		if t := p.Nodes[in].Tag; t == page.TagP || t == page.TagBlockquote {
			in = p.Nodes[in].Parent
		}
		all += int(b.Words)
		words[in] += int(b.Words)
		number[in]++
		// Of two with the same number of words the first counts.
		if most < 0 || words[in] > words[most] {
			most = in
		}
	}
	return most >= 0 && number[most] > 1 && words[most] >= oneTextWords &&
		float32(words[most]) >= oneTextShare*float32(all)
}
