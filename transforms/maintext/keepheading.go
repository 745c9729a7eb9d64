package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// headingScore is what a heading needs if the block after it is kept. Titles of sections are short, and the model
// doubts them.
const headingScore = 0.2

// maxHeadingUp is how many elements may be between a heading and the element that it shares with the block after it.
const maxHeadingUp = 2

// keepHeadings keeps the headings of kept text: those directly before a kept block, in an element near both.
func keepHeadings(p *page.Page, scores []float32, keep []bool) {
	for i := len(p.Blocks) - 2; i >= 0; i-- {
		b := &p.Blocks[i]
		if b.Flags&page.InHeading == 0 || keep[i] || !keep[i+1] || scores[i] < headingScore || b.Flags&unseen != 0 {
			continue
		}
		next, up := p.Blocks[i+1].Node, b.Node
		for range maxHeadingUp + 1 {
			if up = p.Nodes[up].Parent; up < 0 || next >= up && next < p.Nodes[up].End {
				break
			}
		}
		keep[i] = up >= 0 && next >= up && next < p.Nodes[up].End
	}
}
