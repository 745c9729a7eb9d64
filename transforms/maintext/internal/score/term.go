package score

import "github.com/gleaner-web/gleaner/transforms/page"

const (
	numTerms = 1 << 13 // that are told apart
	maxTerms = 40      // words of a block that is told by its words
)

// appendTerms adds the words and the pairs of words of block b, as numbers below numTerms; none when it is long.
func appendTerms(terms []uint16, p *page.Page, b *page.Block) []uint16 {
	if b.Words > maxTerms {
		return terms
	}
	last := uint32(0)
	eachWord(p.Text[b.Start:b.End], func(h uint32) {
		terms = append(terms, uint16(h%numTerms), uint16((h*31+last*0x9E3779B1)>>7%numTerms))
		last = h
	})
	return terms
}
