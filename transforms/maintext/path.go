package maintext

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	pathSteps    = 6   // of a path: further up, pages of all sites are alike
	maxPathBytes = 200 // of a path: steps at the top are dropped until it fits
	maxClasses   = 2   // of a step
	maxClass     = 40  // bytes of a class: programs make longer ones
)

// Path returns the place of the text as a CSS selector, such as "div.page>main>article.post". It has the last steps
// down to the element that holds most of the text and little else. Pages of one template have the same path, because
// classes with digits are left out: they differ between pages or builds. It is "" if the text is not from blocks of
// the page.
func (r Result) Path() string {
	if r.Page == nil || len(r.Blocks) == 0 {
		return ""
	}
	return pathOf(r.Page, holder(r.Page, r.Blocks))
}

// holder is the element that selects the kept blocks best: that with the highest F1 of characters, or the innermost of
// several.
func holder(p *page.Page, kept []int32) int32 {
	all := charsOf(p, allBlocks(p))
	mine := charsOf(p, kept)
	total := mine[len(mine)-1].sum
	best, most := int32(0), -1.0
	seen := make([]bool, len(p.Nodes))
	for _, b := range kept {
		// Go up until an element that another block has visited, so each element is looked at once.
		for i := p.Blocks[b].Node; i >= 0 && !seen[i]; i = p.Nodes[i].Parent {
			seen[i] = true
			inside := within(mine, i, p.Nodes[i].End)
			// An upper bound, as if nothing else were in it, rules out most elements.
			if f1Of(inside, inside, total) < most {
				continue
			}
			f1 := f1Of(inside, within(all, i, p.Nodes[i].End), total)
			if f1 > most || f1 == most && i > best {
				best, most = i, f1
			}
		}
	}
	return best
}

// f1Of is the F1 of a selection of around characters, inside of which are among the total wanted ones.
func f1Of(inside, around, total int64) float64 {
	return 2 * float64(inside) / float64(max(1, around+total))
}

// upTo is the number of characters up to the block that begins at node first.
type upTo struct {
	first int32
	sum   int64
}

// charsOf sums up the characters of blocks, which are in document order. The first sum is 0.
func charsOf(p *page.Page, blocks []int32) []upTo {
	sums := make([]upTo, 1, len(blocks)+1)
	sums[0].first = -1
	for _, b := range blocks {
		last := sums[len(sums)-1]
		sums = append(sums, upTo{max(last.first, p.Blocks[b].First), last.sum + int64(p.Blocks[b].Chars)})
	}
	return sums
}

func allBlocks(p *page.Page) []int32 {
	list := make([]int32, len(p.Blocks))
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// within counts the characters of blocks that begin at nodes in [from, to).
func within(sums []upTo, from, to int32) int64 {
	return before(sums, to) - before(sums, from)
}

// before counts the characters of blocks that begin before node. A hand-written search, because it runs for each
// element around a text.
func before(sums []upTo, node int32) int64 {
	low, high := 0, len(sums)
	for low < high {
		if middle := (low + high) / 2; sums[middle].first < node {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return sums[max(0, low-1)].sum
}

func pathOf(p *page.Page, i int32) string {
	var steps []string
	for ; i >= 0 && len(steps) < pathSteps; i = p.Nodes[i].Parent {
		steps = append(steps, step(p, i))
	}
	slices.Reverse(steps)
	path := strings.Join(steps, ">")
	for len(path) > maxPathBytes && len(steps) > 1 {
		steps = steps[1:]
		path = strings.Join(steps, ">")
	}
	if len(path) > maxPathBytes {
		return "" // no template has an element with such a long name
	}
	return path
}

// step is an element's name with its first classes that are the same on other pages.
func step(p *page.Page, i int32) string {
	name := p.Name(int(i))
	if !isPlain(name) {
		name = "*" // any element: the name would need escapes in a selector
	}
	class, _ := p.Attr(int(i), "class")
	var n int
	for c := range strings.FieldsSeq(class) {
		if n < maxClasses && len(c) <= maxClass && isPlain(c) {
			name += "." + c
			n++
		}
	}
	return name
}

// isPlain reports whether a name needs no escapes in a selector and has no digits, except h1 to h6.
func isPlain(name string) bool {
	if len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6' {
		return true
	}
	for i := range len(name) {
		c := name[i] | 0x20 // lower case, of letters
		if ('a' > c || c > 'z') && (i == 0 || name[i] != '-' && name[i] != '_') {
			return false
		}
	}
	return name != ""
}
