package score

// mass is the words of some blocks and the expected number of main text among them. Totals before each block make the
// mass of a range one subtraction.
type mass struct{ kept, words float32 }

func (m mass) share() float32 { return ratio(m.kept, m.words) }

func (m mass) sub(n mass) mass { return mass{m.kept - n.kept, m.words - n.words} }

// context holds the first pass's scores of a page for the second pass. It reuses its slices for the next page.
type context struct {
	r      *reader
	scores []float32 // of the first pass
	kinds  [Kinds]float32
	totals []mass // before each block
	all    mass
	alike  []mass // of blocks and groups that look alike, by looks
	looks  slots
	most   float32 // the largest mass of a block
	long   float32 // share of the mass that is in long blocks
	first  int32   // first and last block that is surely main text; -1
	last   int32
	wide   group // dominant groups by mass
	tight  group
}

func (c *context) read(r *reader, scores []float32) {
	c.r, c.scores = r, scores
	c.totals = append(c.totals[:0], mass{})
	c.first, c.last, c.most, c.long = -1, -1, 0, 0
	t := mass{}
	for i := range r.p.Blocks {
		words := float32(r.p.Blocks[i].Words)
		kept := scores[i] * words
		t.kept += kept
		t.words += words
		c.totals = append(c.totals, t)
		c.most = max(c.most, kept)
		// 20 words are a line or two: shorter blocks are headings, links and labels.
		if words >= 20 {
			c.long += kept
		}
		// Above the usual threshold, and longer than a label.
		if scores[i] > 0.6 && words >= 8 {
			if c.first < 0 {
				c.first = int32(i)
			}
			c.last = int32(i)
		}
	}
	c.all = t
	c.long = ratio(c.long, t.kept)
	c.wide, c.tight = r.groups[c.dominant(0.6)], r.groups[c.dominant(0.9)]
	c.compare()
}

// compare adds up blocks and groups that look alike. A list of forty cards is either main text or not: the scores of
// most cards help with the rest.
func (c *context) compare() {
	r := c.r
	c.looks.reset(len(r.p.Blocks) + len(r.groups))
	c.alike = c.alike[:0]
	for i := range r.p.Blocks {
		// Blocks and groups share a table; the bit keeps their signatures apart.
		m := c.between(int32(i), int32(i+1))
		c.add(uint64(r.p.Nodes[r.p.Blocks[i].Node].Sig), m)
	}
	for i := range r.groups {
		g := &r.groups[i]
		c.add(uint64(g.sig)|1<<32, c.between(g.first, g.last))
	}
}

// add adds a mass to a look.
func (c *context) add(look uint64, m mass) {
	k := c.looks.find(look)
	// A new look gets the next number, which is the length of the list.
	if int(k) == len(c.alike) {
		c.alike = append(c.alike, mass{})
	}
	c.alike[k].kept += m.kept
	c.alike[k].words += m.words
}

// between is the mass of the blocks in [lo, hi).
func (c *context) between(lo, hi int32) mass { return c.totals[hi].sub(c.totals[lo]) }

// dominant returns the deepest group that is reached from the page by steps to a child with this share of its parent's
// mass.
func (c *context) dominant(share float32) int32 {
	cur, most := int32(0), c.all.kept
	for i := range c.r.groups {
		// Parents precede their children, so one pass reaches the deepest.
		g := &c.r.groups[i]
		if g.parent != cur {
			continue
		}
		if m := c.between(g.first, g.last).kept; m > 0 && m >= share*most {
			cur, most = int32(i), m
		}
	}
	return cur
}

// append2 adds to row the features of block i for the second pass. Their order belongs to the model.
func (c *context) append2(row []float32, i int32) []float32 {
	row = c.appendScores(row, i)
	row = c.appendAround(row, i)
	row = append(row, c.kinds[:]...)
	row = c.r.appendText(row, i)
	row = c.r.appendPlace(row, i)
	row = c.r.appendGroups(row, i)
	row = c.r.appendPage(row)
	return c.r.appendWords(row, i)
}

func (c *context) appendScores(row []float32, i int32) []float32 {
	n := int32(len(c.scores))
	row = append(row, c.scores[i])
	// No score beyond the ends of the page.
	for _, step := range [...]int32{-2, -1, 1, 2} {
		if j := i + step; j >= 0 && j < n {
			row = append(row, c.scores[j])
		} else {
			row = append(row, 0)
		}
	}
	// Windows of 7, 17 and 41 blocks.
	for _, radius := range [...]int32{3, 8, 20} {
		row = append(row, c.between(max(0, i-radius), min(n, i+radius+1)).share())
	}
	// -1 if there is no heading before, or the block is one.
	head := float32(-1)
	if h := c.r.heads[i]; h >= 0 && h != i {
		head = c.scores[h]
	}
	row = append(row, head, c.all.share(), ratio(c.totals[i].kept, c.all.kept), c.all.kept, c.most, c.long)
	row = appendSince(row, i, c.first, 1)
	row = appendSince(row, i, c.last, -1)
	return append(row, flag(i >= c.wide.first && i < c.wide.last), flag(i >= c.tight.first && i < c.tight.last))
}

// appendAround adds the scores of the groups around a block and of blocks that look like it.
func (c *context) appendAround(row []float32, i int32) []float32 {
	r := c.r
	like := c.alike[c.looks.find(uint64(r.p.Nodes[r.p.Blocks[i].Node].Sig))]
	row = append(row, like.share(), ratio(like.words, c.all.words))
	g := r.in[i]
	// Four groups from the smallest up; with fewer the page repeats.
	for level := range 4 {
		m := c.between(r.groups[g].first, r.groups[g].last)
		row = append(row, m.share(), ratio(m.kept, c.all.kept))
		if level < 3 {
			like := c.alike[c.looks.find(uint64(r.groups[g].sig)|1<<32)]
			row = append(row, like.share(), ratio(like.kept, c.all.kept))
		}
		if up := r.groups[g].parent; up >= 0 {
			g = up
		}
	}
	return row
}

// kindsAt is the index of the kinds in a row of append2; TestKindsAt checks it.
const kindsAt = 34

// pageAtSecond is the index of the features of appendPage in a row of append2.
const pageAtSecond = 111

// sharedSecond are the features of append2 that all blocks of a page share: of the scores of the page, its kinds, and
// those of appendPage.
var sharedSecond = func() (shared features) {
	for _, i := range []int{9, 11, 12, 13} {
		shared[i] = true
	}
	for i := range Kinds {
		shared[kindsAt+i] = true
	}
	for i := range pageFeatures {
		shared[pageAtSecond+i] = true
	}
	return shared
}()
