package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// mostRepeated limits the repeated part of a text if none of it is sure to be main text: one word in so many. Text of
// many pages is seldom the main text, and templates make boxes that look like it. But shops repeat what a product
// needs and how it is sent. And on a page with few certain blocks nothing sensible would be left. With a half, two of
// four models lose all offers of one shop.
const mostRepeated = 3

// without returns the blocks, ascending, that are not marked as repeated. If the marked ones have more than their
// share of the words and none is sure, it returns all. The others were chosen as if there were no marks: removing a
// notice says nothing about the paragraph beside it.
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
