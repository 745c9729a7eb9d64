package maintext

import (
	"hash/maphash"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// fewestCopied is the fewest words of a block that is dropped as a copy: "Read more" may be repeated.
	fewestCopied = 3
	// fewestInRun is the fewest words that adjacent copies have together. Two cards may have the same author and date.
	fewestInRun = 8
)

// copySeed is random, so that nobody can craft texts with equal hashes.
var copySeed = maphash.MakeSeed()

// dropCopies leaves out blocks whose text was kept before: boxes for narrow and wide screens, items of a carousel,
// quoted posts. Repetition inside one element is on purpose, as in refrains, and so is that of an article in the
// element around it. Tables, code and documentation repeat what they must. By cross-validation WCXB rises from .8797
// to .8835, forums by .011, products by .010, and listings, collections and services by .006 each.
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
		// The first stays, wherever it is.
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
