package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// mostRepeated is how much of a text may be what its site repeats, if none of that is sure to look like main text: one
// word in so many. What is said on many pages is seldom what somebody came for, and boxes that look like text are what
// templates are for. But shops repeat what a product needs and how it is sent, and of pages on which little is certain
// nothing sensible would be left. With a half, two of four models lose the offers of one shop whole.
const mostRepeated = 3

// without returns the blocks, ascending, that are not marked as repeated; all of them where the marked ones have more
// than their part of the words and none is sure. The others were chosen as if there were no marks: a notice that is
// taken away says nothing for or against the paragraph beside it.
func without(p *page.Page, blocks []int32, marked []bool, scores []float32) []int32 {
	if len(marked) == 0 {
		return blocks
	}
	rest, all, repeated, top := make([]int32, 0, len(blocks)), int32(0), int32(0), float32(0)
	for _, i := range blocks {
		words := p.Blocks[i].Words
		if all += words; marked[i] {
			repeated += words
			top = max(top, scores[i])
		} else {
			rest = append(rest, i)
		}
	}
	if repeated*mostRepeated > all && top < sure {
		return blocks
	}
	return rest
}
