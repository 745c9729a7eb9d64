package maintext

import (
	"hash/maphash"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// fewestCopied is how many words a block has at least that is left out as a copy: "Read more" may be said often.
	fewestCopied = 3
	// fewestInRun is how many words copies that follow each other have together at least: two cards may have the same
	// author and date.
	fewestInRun = 8
)

// copySeed makes hashes of texts that nobody can make alike.
var copySeed = maphash.MakeSeed()

// dropCopies leaves out blocks whose text was kept before: the same box for narrow and for wide screens, a carousel's
// items, posts that others quote. What is in the same element says it again on purpose, as refrains do, and so does
// an article in the element around that; tables, code and documentation repeat what they must. By cross-validation WCXB
// rises from .8797 to .8835, forums by .011, products by .010, and listings, collections and services by .006 each.
func (c *chooser) dropCopies(p *page.Page, t PageType) {
	if t == Documentation {
		return
	}
	if c.said == nil {
		c.said = map[uint64]int32{}
	}
	clear(c.said)
	run, words := c.run[:0], int32(0)
	end := func() {
		if words >= fewestInRun {
			for _, i := range run {
				c.kept[i] = false
			}
		}
		run, words = run[:0], 0
	}
	for i, k := range c.kept {
		b := &p.Blocks[i]
		if !k || b.Words < fewestCopied || b.Flags&(page.InTable|page.InPre|page.InCode) != 0 {
			continue
		}
		in := p.Nodes[b.Node].Parent
		if t == Article && in > 0 {
			in = p.Nodes[in].Parent
		}
		// The first stays, wherever it stands.
		h := maphash.Bytes(copySeed, p.Text[b.Start:b.End])
		first, ok := c.said[h]
		if !ok {
			c.said[h] = in
		}
		if !ok || first == in {
			end()
			continue
		}
		run, words = append(run, int32(i)), words+b.Words
	}
	end()
	c.run = run
}
