package maintext

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	pathSteps    = 6   // of a path: further up, pages of all sites are alike
	maxPathBytes = 200 // of a path: steps from the top are left out until it fits
	maxClasses   = 2   // of a step
	maxClass     = 40  // bytes of a class: longer ones are made by programs
)

// Path is where the text stands, as a selector of CSS: the last steps from the top down to the element that holds most
// of the text and little else, such as "div.page>main>article.post". Pages that one template has made have one path:
// classes with digits in them, which differ from page to page or from build to build, are left out. It is "" where the
// text is not of the page's blocks.
func (r Result) Path() string {
	if r.Page == nil || len(r.Blocks) == 0 {
		return ""
	}
	return pathOf(r.Page, holder(r.Page, r.Blocks))
}

// holder is the element that is the best selection of the kept blocks: that with the highest F1 of characters, the
// innermost of several.
func holder(p *page.Page, kept []int32) int32 {
	all := charsOf(p, allBlocks(p))
	mine := charsOf(p, kept)
	total := mine[len(mine)-1].sum
	best, most := int32(0), -1.0
	seen := make([]bool, len(p.Nodes))
	for _, b := range kept {
		// Upwards until an element that another block has been through: each element is looked at once.
		for i := p.Blocks[b].Node; i >= 0 && !seen[i]; i = p.Nodes[i].Parent {
			seen[i] = true
			inside := within(mine, i, p.Nodes[i].End)
			// Were there nothing else in it: most elements are too small even then.
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

// f1Of is the F1 of a selection that holds inside of total wanted characters, and around in all.
func f1Of(inside, around, total int64) float64 {
	return 2 * float64(inside) / float64(max(1, around+total))
}

// upTo is how many characters blocks have up to one of them, which begins at a node.
type upTo struct {
	first int32
	sum   int64
}

// charsOf sums up the characters of blocks, which are in the order of the page. The first of the sums is of none.
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

// within is how many characters begin at the nodes from one to the one before another.
func within(sums []upTo, from, to int32) int64 {
	return before(sums, to) - before(sums, from)
}

// before is how many characters begin before a node. By hand: it is asked for each element around a text.
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

// pathOf writes the path of an element.
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
		return "" // an element with a very long name: it is nobody's template
	}
	return path
}

// step is an element's name with its first classes that are the same on other pages.
func step(p *page.Page, i int32) string {
	name := p.Name(int(i))
	if !isPlain(name) {
		name = "*" // any element: some names would have to be escaped in a selector
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

// isPlain reports whether a name can be in a selector as it is, and has no digits, but for those of headings.
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
