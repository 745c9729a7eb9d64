package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// Code among what is kept is content: a post that says "run this:" says nothing without it. The model has seen little
// code and doubts it. A block of preformatted text is kept from half of likely on if a kept block stands close before
// it; chains of such blocks count.
const (
	codeScore = likely / 2
	codeReach = 3   // blocks, without buttons: most code has one that copies it
	farBehind = 100 // blocks; none was kept so far
)

// isListing reports whether block i is code that belongs to the kept block that is so many blocks before it.
func isListing(p *page.Page, i int, score float32, behind int) bool {
	return isCode(p, i, score, behind) && p.Blocks[i].Flags&unseen == 0
}

// isCode is isListing where hidden code counts, too: documentation has the same in several languages, of which all but
// one are hidden until they are asked for.
func isCode(p *page.Page, i int, score float32, behind int) bool {
	return p.Blocks[i].Flags&page.InPre != 0 && behind <= codeReach && score >= codeScore
}

// levelCode gives all blocks of one <pre> the same score, the mean of theirs by words: code whose every line is an
// element is kept as a whole or not at all. What is sure to be dropped does not count. A <pre> with paragraphs or
// headings is not code, but one that nobody closed.
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
		i-- // the next block begins another one
	}
}

// preOf returns the <pre> in which block i stands, -1 for none.
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
