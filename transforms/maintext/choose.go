package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/page"
)

// bins is the number of steps of a threshold. A threshold is the lower edge of a bin, so it is exact to 1/64, which is
// finer than the scores are.
const bins = 64

// threshold is the score from which blocks are kept so that the expected F is highest. Scores are probabilities: each
// word counts as main text by its score. Recall counts beta times as much as precision; squared is beta squared. One
// pass counts words by bins of score, another goes down the bins, so nothing is sorted.
func threshold(p *page.Page, scores []float32, squared float32) float32 {
	var words, kept [bins]float32
	all := float32(0)
	for i := range p.Blocks {
		w := float32(p.Blocks[i].Words)
		// A score of 1 would fall in a bin too far.
		bin := min(bins-1, int(scores[i]*bins))
		words[bin] += w
		kept[bin] += w * scores[i]
		all += w * scores[i]
	}
	best, at, w, k := float32(0), bins-1, float32(0), float32(0)
	for bin := bins - 1; bin >= 0; bin-- {
		// w counts the words that would be kept, k those expected to be main text.
		w += words[bin]
		k += kept[bin]
		// F = (1+b²)·k / (kept + b²·all), without the constant factor. The 1 prevents a division by zero on empty
		// pages.
		if f := k / (w + squared*all + 1); f > best {
			best, at = f, bin
		}
	}
	return float32(at) / bins
}

// squaredBetas are the squares of beta by profile: precision counts as much, twice as much, or half as much as recall.
var squaredBetas = [...]float32{Balanced: 1, Precision: 0.25, Recall: 4}

// typeBetas are factors of squared beta by page type. Where the model's scores are higher than the share of blocks
// that annotators keep, recall counts less. They were chosen by cross-validation in steps of about a sixth. All of
// WCXB gains .0003, forums .004, products .003 and the Chinese pages .004; no set loses .001 or more. Listings had .5
// with the model before. With .45 the Chinese pages gain .003 and WCXB loses .0001.
var typeBetas = [...]float32{
	Article: 0.85, Forum: 0.6, Product: 0.5, Collection: 0.85, Listing: 0.45, Documentation: 0.85, Service: 1,
}

// chooser decides which blocks are kept. It reuses its memory from page to page.
type chooser struct {
	masses   []float32        // by node
	units    []unit           // by node
	counts   []int32          // by node: blocks of an item
	places   []place          // by block
	kept     []bool           // by block
	said     map[uint64]int32 // by text: the element of the first block with that text
	run      []int32          // copies that follow each other
	headline headline
}

// choose returns the kept blocks in ascending order and sets the scores of blocks that readers do not see to 0. The
// stricter rules are for articles only, because the text of other types is spread over the page.
func (c *chooser) choose(p *page.Page, scores []float32, t PageType, profile Profile) []int32 {
	if t == Listing && profile != Recall && hasOneText(p, scores) {
		t = Article
	}
	strict, told := t == Article && profile != Recall, -1
	if strict {
		dropHidden(p, scores)
		told = likelyDescribed(p, scores)
	}
	levelCode(p, scores)
	c.level(p, scores)
	least := threshold(p, scores, squaredBetas[profile]*typeBetas[t])
	outside, home := least, page.Range{}
	if strict {
		home = c.home(p, scores, least)
		outside = outsideOf(p, scores, home, least)
		c.headline.read(p)
	}
	c.kept = append(c.kept[:0], make([]bool, len(p.Blocks))...)
	top, behind := float32(0), farBefore
	for i := range p.Blocks {
		n := p.Blocks[i].Node
		// A block is inside by the range of its element; a headline always is.
		inside := n >= home.Start && n < home.End || p.Nodes[n].Tag == page.TagH1 ||
			scores[i] >= least && scores[i] < outside && c.headline.is(p, i)
		if p.Blocks[i].Flags&page.InButton == 0 {
			behind++
		}
		if scores[i] >= outside || scores[i] >= least && inside || i == told || isListing(p, i, scores[i], behind) ||
			t == Documentation && isCode(p, i, scores[i], behind) ||
			profile != Precision && isIngredient(p, i, scores[i], t) {
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
	completeTables(p, scores, c.kept)
	if t == Documentation {
		keepHeadings(p, scores, c.kept)
	}
	keepNotes(p, scores, c.kept)
	return indices(c.kept)
}

func indices(kept []bool) (all []int32) {
	for i, k := range kept {
		if k {
			all = append(all, int32(i))
		}
	}
	return all
}

// sure is the score that a block of an article needs outside the element with most of the article. A headline, which
// is often above it, is exempt. Outside are teasers of other articles, readers' comments and the author's biography.
// By cross-validation this rule raises the F1 of WCXB's articles from .959 to .963 and of the readability set from
// .956 to .964.
const sure = 0.75

// asSure is a share of the mean score inside. If that is less than sure, it is enough. A block as likely as the kept
// ones must not be dropped. By cross-validation the Chinese pages rise from .928 to .9365, feed-texts and
// trafilatura's half by .001; with .75 or less the readability set loses.
const asSure = 0.8

// outsideOf returns the score that a block of an article needs outside its home, at least the threshold.
func outsideOf(p *page.Page, scores []float32, home page.Range, least float32) float32 {
	var words, kept float32
	for i := range p.Blocks {
		b := &p.Blocks[i]
		// Headings and labels score lower than paragraphs, so they do not count.
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

// enough is how many visible words an article needs per hidden word for the hidden ones to be dropped. With fewer,
// scripts are expected to show the hidden text: it fades in, or panels open on a click. By cross-validation this rule
// raises the F1 of the readability set from .958 to .964; WCXB loses .0006.
const enough = 0.5

// unseen are the flags of hidden blocks. The model knows only the first: training with both as one did not help.
const unseen = page.InHidden | page.InInvisible

// dropHidden sets the score of an article's hidden blocks to 0: menus, notices, feeds of further articles. Words count
// by their squared score, so many unlikely words do not outweigh a few likely ones.
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
	// With too little visible text, the hidden text is the article.
	if visible < enough*hidden {
		return
	}
	for i := range p.Blocks {
		if p.Blocks[i].Flags&unseen != 0 {
			scores[i] = 0
		}
	}
}

// home is the innermost element that holds most of the certain text. It goes down from the root as long as one child
// has half of its parent's mass. Scores count by their fourth power, so a long list of possible teasers does not
// outweigh an article of a few certain paragraphs.
func (c *chooser) home(p *page.Page, scores []float32, least float32) page.Range {
	c.masses = append(c.masses[:0], make([]float32, len(p.Nodes))...)
	for i := range p.Blocks {
		if s := scores[i]; s >= least {
			// Only blocks that would be kept count.
			c.masses[p.Blocks[i].Node] += s * s * s * s * float32(p.Blocks[i].Words)
		}
	}
	// Children follow their parents, so going backwards each mass is complete before it is added to the parent's.
	for i := len(c.masses) - 1; i > 0; i-- {
		c.masses[p.Nodes[i].Parent] += c.masses[i]
	}
	home := int32(0)
	for i := int32(1); i < p.Nodes[home].End; {
		n := &p.Nodes[i]
		// Skip a subtree that has less than half of the mass.
		if c.masses[i] == 0 || c.masses[i] < c.masses[home]/2 {
			i = n.End
			continue
		}
		if n.Tag == page.TagP || n.Tag == page.TagLi || n.Tag == page.TagBlockquote {
			break // a paragraph is part of an article, not its container
		}
		home = i
		i++
	}
	return page.Range{Start: home, End: p.Nodes[home].End}
}

// likely is the score that the best kept block must reach, or the page has no text. On a shell that scripts fill, only
// the menu would be kept. By cross-validation this raises the F1 of all of WCXB by .002; .2 gives .0013, and .4 loses
// short pages.
const likely = 0.3
