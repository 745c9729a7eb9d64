package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/page"
)

// bins is how finely scores are told apart when the threshold is sought. A threshold is the lower edge of a bin, so
// it is exact to one 64th, which is finer than the scores are.
const bins = 64

// threshold is the score from which on blocks are kept so that the expected F of their words is the highest: with
// scores that are probabilities, that is the F of the kept words against all, each word counted as far as it is likely
// to be main text. Recall counts beta times as much as precision, whose square is squared. One pass counts words by
// bins of their score, another goes down the bins: no sorting, whatever the page.
func threshold(p *page.Page, scores []float32, squared float32) float32 {
	var words, kept [bins]float32
	all := float32(0)
	for i := range p.Blocks {
		w := float32(p.Blocks[i].Words)
		// A score of 1 would be a bin too far.
		bin := min(bins-1, int(scores[i]*bins))
		words[bin] += w
		// Expected words of main text: the probability times the words.
		kept[bin] += w * scores[i]
		all += w * scores[i]
	}
	best, at, w, k := float32(0), bins-1, float32(0), float32(0)
	for bin := bins - 1; bin >= 0; bin-- {
		// w are the words that would be kept, k those of them that are expected to be main text.
		w += words[bin]
		k += kept[bin]
		// F = (1+b²)·k / (kept + b²·all), without the constant factor; + 1 keeps empty pages from
		// dividing by zero.
		if f := k / (w + squared*all + 1); f > best {
			best, at = f, bin
		}
	}
	return float32(at) / bins
}

// squaredBetas are the squares of beta by profile: precision counts twice as much, as much, and half as much as
// recall. The profile is the index.
var squaredBetas = [...]float32{Balanced: 1, Precision: 0.25, Recall: 4}

// typeBetas are factors of squared beta by type of page: where scores are too high for how often blocks are kept by
// people, recall counts less. They were chosen by cross-validation, in steps of a sixth or so: all of WCXB gains .0003,
// forums .004, products .003, the Chinese pages .004, and no set loses as much as .001. That of listings was .5 with
// the model before: for .45, the Chinese pages gain .003 and WCXB loses .0001.
var typeBetas = [...]float32{
	Article: 0.85, Forum: 0.6, Product: 0.5, Collection: 0.85, Listing: 0.45, Documentation: 0.85, Service: 1,
}

// chooser decides which blocks are kept. Its memory serves page after page.
type chooser struct {
	masses []float32        // by node
	units  []unit           // by node
	counts []int32          // by node: blocks of an item
	places []place          // by block
	kept   []bool           // by block
	said   map[uint64]int32 // by text: the element that holds the first block that says it
	run    []int32          // copies that follow each other
}

// choose returns the blocks that are kept, ascending. Scores of what readers do not see become 0. Only articles have
// the stricter rules: of other types the text is in many places.
func (c *chooser) choose(p *page.Page, scores []float32, t PageType, profile Profile) []int32 {
	if t == Listing && profile != Recall && hasOneText(p, scores) {
		t = Article
	}
	strict, told := t == Article && profile != Recall, -1
	if strict {
		dropHidden(p, scores)
		// What the model holds for anything but text is not kept for its words.
		if told = described(p); told >= 0 && scores[told] < leastTold {
			told = -1
		}
	}
	levelCode(p, scores)
	c.level(p, scores)
	least := threshold(p, scores, squaredBetas[profile]*typeBetas[t])
	outside, home := least, page.Range{}
	if strict {
		home = c.home(p, scores, least)
		outside = outsideOf(p, scores, home, least)
	}
	c.kept = append(c.kept[:0], make([]bool, len(p.Blocks))...)
	top, behind := float32(0), farBehind
	for i := range p.Blocks {
		n := p.Blocks[i].Node
		// The node's range reports whether it is inside; a headline counts as if it were.
		inside := n >= home.Start && n < home.End || p.Nodes[n].Tag == page.TagH1
		if p.Blocks[i].Flags&page.InButton == 0 {
			behind++
		}
		if scores[i] >= outside || scores[i] >= least && inside || i == told || isListing(p, i, scores[i], behind) ||
			t == Documentation && isCode(p, i, scores[i], behind) {
			c.kept[i] = true
			top, behind = max(top, scores[i]), 0
		}
	}
	// A page of one block has nothing else to show.
	if top < likely && profile != Recall && len(p.Blocks) > 1 {
		return nil
	}
	if profile != Precision {
		switch t {
		case Forum:
			completeThread(p, scores, c.kept)
		case Listing:
			completeCards(p, scores, c.kept)
		}
	}
	if profile != Recall {
		c.dropCopies(p, t)
	}
	c.complete(p, scores, c.kept)
	keepHeads(p, scores, c.kept)
	var keep []int32
	for i, k := range c.kept {
		if k {
			keep = append(keep, int32(i))
		}
	}
	return keep
}

// sure is the score that a block of an article must have outside the element in which most of the article stands, if it
// is not the headline, which often is above. Outside stand other articles' teasers, readers' comments and the
// author's life. By cross-validation this rule raises the F1 of WCXB's articles from .959 to .963, and that of the
// readability set from .956 to .964.
const sure = 0.75

// asSure is how much of the mean inside a block outside of that element needs, where that is less than sure: what is
// as likely as what is kept must not be dropped. By cross-validation the Chinese pages rise from .928 to .9365,
// feed-texts and trafilatura's half by .001; from .75 on down the readability set loses.
const asSure = 0.8

// outsideOf is the score that a block of an article must have outside its home: never less than the threshold itself.
func outsideOf(p *page.Page, scores []float32, home page.Range, least float32) float32 {
	var words, kept float32
	for i := range p.Blocks {
		b := &p.Blocks[i]
		// Headings and labels are less sure than paragraphs, and do not count.
		if b.Words < 10 || scores[i] < least || b.Node < home.Start || b.Node >= home.End {
			continue
		}
		words += float32(b.Words)
		kept += float32(b.Words) * scores[i]
	}
	if words == 0 {
		return max(least, sure)
	}
	return max(least, min(sure, asSure*kept/words))
}

// enough is how many words of visible text an article must have for each word of hidden text, for the latter to be
// dropped. With less than that, scripts show what is hidden: a text that fades in, or panels that open on a click. By
// cross-validation this rule raises the F1 of the readability set from .958 to .964; WCXB loses .0006.
const enough = 0.5

// unseen are the flags of what is hidden. The model knows only the first: trained with both as one, it was no better.
const unseen = page.InHidden | page.InInvisible

// dropHidden gives the score 0 to the hidden blocks of an article: menus, notices, feeds of other articles to come.
// Words count by the square of how likely they are to be main text: many that may be are no match for those that are.
func dropHidden(p *page.Page, scores []float32) {
	var visible, hidden float32
	for i := range p.Blocks {
		b := &p.Blocks[i]
		// A hidden menu of many words with low scores counts little.
		if w := float32(b.Words) * scores[i] * scores[i]; b.Flags&unseen != 0 {
			hidden += w
		} else {
			visible += w
		}
	}
	// Too little is visible: what is hidden then is the article.
	if visible < enough*hidden {
		return
	}
	for i := range p.Blocks {
		if p.Blocks[i].Flags&unseen != 0 {
			scores[i] = 0
		}
	}
}

// home is the innermost element that has most of what is certain of the text, and so has each element between it and
// the page. Scores count by their fourth power: a long list of teasers, each of which may be text, is no match for an
// article of a few paragraphs, all of which surely are. It goes down from the root as long as one child has half of
// what its parent has.
func (c *chooser) home(p *page.Page, scores []float32, least float32) page.Range {
	// Zeroes for all nodes, without a new slice for each page.
	c.masses = append(c.masses[:0], make([]float32, len(p.Nodes))...)
	for i := range p.Blocks {
		if s := scores[i]; s >= least {
			// Only blocks that would be kept count.
			c.masses[p.Blocks[i].Node] += s * s * s * s * float32(p.Blocks[i].Words)
		}
	}
	// Children stand after their parents, so from the back every mass is complete when it is passed
	// on.
	for i := len(c.masses) - 1; i > 0; i-- {
		c.masses[p.Nodes[i].Parent] += c.masses[i]
	}
	home := int32(0)
	for i := int32(1); i < p.Nodes[home].End; {
		n := &p.Nodes[i]
		// A subtree without half of the mass is passed over whole.
		if c.masses[i] == 0 || c.masses[i] < c.masses[home]/2 {
			i = n.End
			continue
		}
		if n.Tag == page.TagP || n.Tag == page.TagLi || n.Tag == page.TagBlockquote {
			break // a paragraph is not where an article stands, but a part of it
		}
		home = i
		i++
	}
	return page.Range{Start: home, End: p.Nodes[home].End}
}

// likely is the score that the likeliest kept block must have at least, or the page has no text: what would be kept of
// a shell that scripts fill is its menu. By cross-validation this raises the F1 of all of WCXB by .002; .2 gives
// .0013, and .4 loses short pages.
const likely = 0.3
