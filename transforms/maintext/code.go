package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// Code among kept blocks is content: a post that says "run this:" needs it. The model has seen little code and doubts
// it. So a preformatted block needs only half of likely if a kept block is close before it, and may start a chain of
// such blocks.
const (
	codeScore = likely / 2
	codeReach = 3   // blocks, without buttons: most code has a copy button
	farBefore = 100 // blocks; more than any reach, while none is kept
)

// isListing is isCode for visible code.
func isListing(p *page.Page, i int, score float32, behind int) bool {
	return isCode(p, i, score, behind) && p.Blocks[i].Flags&unseen == 0
}

// isCode reports whether block i is code that belongs to the last kept block. Parameter behind is the distance in
// blocks. Hidden code counts: documentation shows the same code in several languages and hides all but one.
func isCode(p *page.Page, i int, score float32, behind int) bool {
	return p.Blocks[i].Flags&page.InPre != 0 && behind <= codeReach && score >= codeScore
}

// levelCode gives all blocks of one <pre> their mean score, weighted by words: code whose lines are elements is kept
// whole or not at all. Blocks that score 0 do not count. A <pre> with paragraphs or headings is not code; its end tag
// is probably missing.
func levelCode(p *page.Page, scores []float32) {
	for i := 0; i < len(p.Blocks); i++ {
		pre := preOf(p, i)
		if pre < 0 {
			continue
		}
		first, words, mass, prose := i, float32(0), float32(0), false
		for ; i < len(p.Blocks) && p.Blocks[i].Node < p.Nodes[pre].End; i++ {
			tag := p.Nodes[p.Blocks[i].Node].Tag
			prose = prose || tag == page.TagP || page.TagH1 <= tag && tag <= page.TagH6
			if scores[i] > 0 {
				w := float32(p.Blocks[i].Words) + 1
				words += w
				mass += w * scores[i]
			}
		}
		for k := first; k < i; k++ {
			if scores[k] > 0 && !prose {
				scores[k] = mass / words
			}
		}
		i-- // the loop adds it again
	}
}

// preOf returns the <pre> around block i, or -1.
func preOf(p *page.Page, i int) int32 {
	if p.Blocks[i].Flags&page.InPre == 0 {
		return -1
	}
	for n := p.Blocks[i].Node; n > 0; n = p.Nodes[n].Parent {
		if p.Nodes[n].Tag == page.TagPre {
			return n
		}
	}
	return -1
}
