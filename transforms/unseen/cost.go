package unseen

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// maxWalked bounds the nodes that selectors may visit beside the elements that they are compared with.
const maxWalked = 64 << 20

// cost is what a comparison with a selector may visit beside the element. Most selectors visit a few ancestors.
type cost struct {
	siblings, inner int          // parts that visit all siblings, and all descendants
	combined        bool         // such a part may be compared with ancestors or siblings of the element
	last            cascadia.Sel // of a combined selector, what the element must be; nil if that is costly, too
}

// costOf returns the cost of a selector.
func costOf(selector string) cost {
	count := func(s string, parts ...string) (n int) {
		for _, part := range parts {
			n += strings.Count(s, part)
		}
		return n
	}
	marks := func(s string) (siblings, inner int) {
		return count(s, "~", ":nth-", "-of-type", ":only-", "abled") - count(s, "~="),
			count(s, ":has", ":contains", ":matches")
	}
	var c cost
	if c.siblings, c.inner = marks(selector); c.siblings+c.inner == 0 {
		return c
	}
	at := lastCombinator(selector)
	if c.combined = at >= 0; !c.combined {
		return c
	}
	if siblings, inner := marks(selector[at+1:]); siblings+inner == 0 {
		if last, err := cascadia.Parse(selector[at+1:]); err == nil {
			c.last = last
		}
	}
	return c
}

// lastCombinator returns the offset of the last combinator outside of brackets, or -1.
func lastCombinator(selector string) int {
	at, level := -1, 0
	for i, c := range selector {
		switch c {
		case '(', '[':
			level++
		case ')', ']':
			level--
		case ' ', '>', '+', '~':
			if level == 0 {
				at = i
			}
		}
	}
	return at
}

// fits reports whether element n fits a rule. The check is partial if that takes too many steps.
func (w *walk) fits(r *rule, n *html.Node) bool {
	if r.cost.last != nil && !r.cost.last.Match(n) {
		return false
	}
	if r.cost.siblings+r.cost.inner == 0 {
		return r.fits.Match(n)
	}
	steps := 0
	if w.page.walked < maxWalked {
		steps = w.steps(&r.cost, n)
	}
	if w.page.walked+steps >= maxWalked {
		w.page.walked += min(steps, maxDepth) // the search for its steps
		w.page.Partly = true
		return false
	}
	w.page.walked += steps
	return r.fits.Match(n)
}

// steps returns the most nodes that a comparison with element n visits, or more than maxWalked.
func (w *walk) steps(c *cost, n *html.Node) int {
	marks, width := c.siblings+c.inner, 0
	for p := n; p != nil; p = p.Parent {
		width += 4 // for looking up these numbers
		if c.siblings > 0 && p.Parent != nil {
			width += w.children(p.Parent)
		}
		if c.inner > 0 {
			width += w.size(p)
		}
		if !c.combined {
			return marks * width
		}
	}
	// Each part may be compared for each node that the part after it visits.
	steps := 1
	for range marks {
		if steps *= width; steps > maxWalked {
			break
		}
	}
	return steps
}

// children returns the number of nodes in n.
func (w *walk) children(n *html.Node) int {
	if number, is := w.numbers[n]; is {
		return number
	}
	number := 0
	for range n.ChildNodes() {
		number++
	}
	w.numbers[n] = number
	return number
}

// size returns the number of nodes below n.
func (w *walk) size(n *html.Node) int {
	if size, is := w.sizes[n]; is {
		return size
	}
	size := 0
	for c := range n.ChildNodes() {
		size += 1 + w.size(c)
	}
	w.sizes[n] = size
	return size
}
