package score

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Words in class and id that speak against a block, and for it. sign sums them up, since both may hold.
const (
	against = page.LikeComment | page.LikeShare | page.LikeRelated | page.LikeAd | page.LikeNav | page.LikeFooter |
		page.LikeSide | page.LikePopup | page.LikePromo
	inFavour = page.LikeBody | page.LikeContent | page.LikePost | page.InArticle | page.InMain
	farOff   = 30 // levels; no such element around
)

// tagClasses numbers the elements that matter for the kind of block; all others are 0.
var tagClasses = func() (c [256]float32) {
	for i, t := range [...]page.Tag{
		page.TagP, page.TagLi, page.TagH1, page.TagH2, page.TagH3, page.TagH4, page.TagTd, page.TagTh, page.TagDiv,
		page.TagBlockquote, page.TagPre, page.TagFigcaption, page.TagDd, page.TagDt, page.TagButton, page.TagSection,
		page.TagArticle, page.TagHeader, page.TagFooter, page.TagNav, page.TagForm, page.TagUl, page.TagBody, page.TagAside,
		page.TagMain, page.TagFigure, page.TagTable, page.TagTr, page.TagSummary, page.TagDl,
	} {
		c[t] = float32(i + 1)
	}
	c[page.TagH5], c[page.TagH6], c[page.TagOl] = c[page.TagH4], c[page.TagH4], c[page.TagUl]
	return c
}()

// groupRow holds the features that all blocks of a group share, computed once per group.
type groupRow struct {
	linkShare, proseShare, share, length, like float32
	linked, heads, title                       float32 // of blocks: links, headings; of the title's words
	good, bad                                  float32 // levels to the nearest element in favour and against
	sign                                       float32
}

// reader makes features of a page's blocks. All fields are of the page that read took last.
type reader struct {
	layout
	same    counter // blocks with the same text
	sigs    counter // groups and blocks that look alike
	rows    []groupRow
	title   wordSet
	overlap []float32
	heads   []int32 // by block: last heading before it
	wide    group   // dominant groups by 60 % and 85 %
	tight   group
	total   sums
	h1      int32 // heading that has the title's words, or else the first <h1>; -1
	firstP  int32 // first and last long paragraph; -1
	lastP   int32
	about   []byte // og:type and generator
	typed   typed
	body    []byte  // class of <body>
	told    float32 // number of <meta> article:…, such as the date or section
	inputs  float32
	nTime   float32
	nArt    float32
	nMain   float32
	host    string // of the page's URL
	weigher weigher
}

// ratio is a/b, or 0 if b is 0: an empty page must not make NaN.
func ratio[T int32 | float32](a, b T) float32 {
	if b == 0 {
		return 0
	}
	return float32(a) / float32(b)
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (r *reader) read(p *page.Page) {
	// The groups come first: everything else depends on them.
	r.layout.read(p)
	r.total = r.totals[len(r.totals)-1]
	r.wide, r.tight = r.groups[r.dominant(0.6)], r.groups[r.dominant(0.85)]
	r.census()
	r.same.reset(len(p.Blocks))
	r.sigs.reset(len(p.Blocks) + len(r.groups))
	// Counted before any row is made, since rows need the counts.
	for i := range p.Blocks {
		r.same.add(p.Blocks[i].Hash)
		r.sigs.add(uint64(p.Nodes[p.Blocks[i].Node].Sig))
	}
	for i := range r.groups {
		r.sigs.add(uint64(r.groups[i].sig) | 1<<32)
	}
	r.landmarks()
	r.measureGroups()
	r.host = hostOf(p.URL)
	r.weigher.reset(len(r.groups))
}

// census counts elements that show the kind of page.
func (r *reader) census() {
	r.inputs, r.nArt, r.nMain, r.about = 0, 0, 0, r.about[:0]
	r.told, r.nTime, r.body = 0, 0, nil
	r.typed = typed{}
	for i := range r.p.Nodes {
		if n := &r.p.Nodes[i]; n.Own&page.HasItemType != 0 {
			name, _ := r.p.RawAttr(i, "itemtype")
			r.typed.add(bytes.TrimSpace(name))
		}
		switch r.p.Nodes[i].Tag {
		case page.TagScript:
			r.script(i)
		case page.TagArticle:
			r.nArt++
		case page.TagMain:
			r.nMain++
		case page.TagInput:
			r.inputs++
		case page.TagTime:
			r.nTime++
		case page.TagBody:
			r.body, _ = r.p.RawAttr(i, "class")
		case page.TagMeta:
			r.meta(i)
		}
	}
	r.typed.scale()
}

// script counts the types in the JSON-LD of script i.
func (r *reader) script(i int) {
	kind, _ := r.p.RawAttr(i, "type")
	// The content of a script is one text node.
	if bytes.Contains(kind, []byte("ld+json")) && i+1 < int(r.p.Nodes[i].End) {
		r.typed.jsonLD(r.p.Raw(i + 1))
	}
}

// measureGroups makes the rows of all groups; parents precede their children.
func (r *reader) measureGroups() {
	r.rows = resize(r.rows, len(r.groups))
	for i := range r.groups {
		g := &r.groups[i]
		s := r.sum(g)
		row := groupRow{
			linkShare: ratio(s.links, s.chars), proseShare: ratio(s.prose, s.chars), share: ratio(s.chars, r.total.chars),
			length: ratio(s.words, g.last-g.first), like: r.sigs.count(uint64(g.sig) | 1<<32),
			good: farOff, bad: farOff, sign: sign(g.own),
			linked: ratio(s.linked, g.last-g.first), heads: ratio(s.heads, g.last-g.first),
			title: flag(r.h1 >= g.first && r.h1 < g.last),
		}
		if g.parent >= 0 {
			// One level more than the parent has, unless the element itself decides.
			row.good = min(farOff, r.rows[g.parent].good+1)
			row.bad = min(farOff, r.rows[g.parent].bad+1)
		}
		row.good, row.bad = distances(g.own, row.good, row.bad)
		r.rows[i] = row
	}
}

// distances returns good and bad, or 0 for an element that itself is in favour or against.
func distances(own page.Flags, good, bad float32) (float32, float32) {
	if own&(page.LikeBody|page.LikePost|page.InArticle|page.InMain) != 0 {
		good = 0
	}
	if own&(against|page.InNav|page.InFooter|page.InAside) != 0 {
		bad = 0
	}
	return good, bad
}

// sign sums up the words in class and id. The factors keep the eight combinations apart, since a tree sees one number.
func sign(own page.Flags) float32 {
	return flag(own&inFavour != 0) - 2*flag(own&against != 0) + 4*flag(own&page.LikeMeta != 0)
}

// landmarks finds the blocks to which other blocks are related.
func (r *reader) landmarks() {
	p := r.p
	r.h1, r.firstP, r.lastP = -1, -1, -1
	r.heads = resize(r.heads, len(p.Blocks))
	r.overlap = resize(r.overlap, len(p.Blocks))
	r.title.read(p.Title())
	// 0.4: a heading must share nearly half of its words with the title, or be an <h1>.
	last, best := int32(-100), float32(0.4)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		r.overlap[i] = 0
		// Long blocks repeat the title's words without being the headline.
		if b.Words < 40 {
			r.overlap[i] = r.title.share(p.Text[b.Start:b.End])
		}
		if b.Flags&page.InHeading != 0 {
			last = int32(i)
			// Headings of one word fit too easily.
			fit := r.overlap[i]*min(1, float32(b.Words)/4) + flag(p.Nodes[b.Node].Tag == page.TagH1)/2
			if fit > best {
				r.h1, best = last, fit
			}
		}
		r.heads[i] = last
		// A long paragraph outside navigation.
		if b.Words >= 25 && b.LinkChars*3 < b.Chars && b.Flags&(page.InNav|page.InFooter|page.LikePopup|page.InHidden) == 0 {
			if r.firstP < 0 {
				r.firstP = int32(i)
			}
			r.lastP = int32(i)
		}
	}
}

// append1 adds to row the features of block i. Their order is the same for all rows and belongs to the model.
func (r *reader) append1(row []float32, i int32) []float32 {
	row = r.appendText(row, i)
	row = r.appendFlags(row, i)
	row = r.appendPlace(row, i)
	row = r.appendNeighbours(row, i)
	row = r.appendGroups(row, i)
	return r.appendPage(row)
}

// appendText adds features of the block itself.
func (r *reader) appendText(row []float32, i int32) []float32 {
	b := &r.p.Blocks[i]
	n := &r.p.Nodes[b.Node]
	row = append(row, float32(b.Words), float32(b.Chars), ratio(b.LinkChars, b.Chars), ratio(b.Chars, b.Words),
		float32(b.Punct), ratio(b.Punct, b.Words), flag(b.EndsPunct), ratio(b.Upper, b.Chars), ratio(b.Digits, b.Chars),
		ratio(b.BoldChars, b.Chars), r.same.count(b.Hash), tagClasses[n.Tag], float32(n.Depth), r.overlap[i])
	text := r.p.Text[b.Start:b.End]
	return append(row, sign(r.own[i]), r.sigs.count(uint64(n.Sig)), flag(startsLow(text)), flag(breaksOff(text)))
}

// startsLow reports whether a text begins with a small ASCII letter. Other scripts have no case, or are rare in
// teasers.
func startsLow(text []byte) bool { return text[0] >= 'a' && text[0] <= 'z' }

// breaksOff reports whether a text ends with an ellipsis, as teasers do.
func breaksOff(text []byte) bool {
	text = bytes.TrimRight(text, " ])")
	return bytes.HasSuffix(text, []byte("...")) || bytes.HasSuffix(text, []byte("…"))
}

// tellingFlags are the flags that are features.
var tellingFlags = [...]page.Flags{
	page.InNav, page.InFooter, page.InHeader, page.InAside, page.InForm, page.InArticle, page.InMain, page.InHidden,
	page.InTable, page.InItem, page.InQuote, page.InFigure, page.InLink, page.InPre, page.InHeading, page.InDialog,
	page.LikeComment, page.LikeRelated, page.LikeMeta, page.LikeNav, page.LikeFooter, page.LikeSide, page.LikePopup,
	page.LikePromo, page.LikeBody, page.LikePost, page.LikeProduct, page.LikeItem,
}

// appendFlags adds the flags of the elements around a block.
func (r *reader) appendFlags(row []float32, i int32) []float32 {
	flags := r.p.Blocks[i].Flags
	for _, f := range tellingFlags {
		row = append(row, flag(flags&f != 0))
	}
	return row
}

// appendPlace adds the place of a block on the page.
func (r *reader) appendPlace(row []float32, i int32) []float32 {
	b := &r.p.Blocks[i]
	n := int32(len(r.p.Blocks))
	row = append(row, float32(i), ratio(i, n), ratio(r.totals[i].chars, r.total.chars), float32(min(i-r.heads[i], 100)))
	row = appendSince(row, i, r.h1, 1)
	row = appendSince(row, i, r.firstP, 1)
	row = appendSince(row, i, r.lastP, -1)
	lo, hi := max(0, i-4), min(n, i+5)
	w := r.totals[hi].sub(r.totals[lo])
	depth := r.p.Nodes[r.wide.node].Depth
	return append(row, float32(w.chars), ratio(w.links, w.chars), flag(i >= r.wide.first && i < r.wide.last),
		flag(i >= r.tight.first && i < r.tight.last), float32(r.p.Nodes[b.Node].Depth)-float32(depth))
}

// appendSince adds the number of blocks between i and a landmark. If there is none, it adds -999, which a tree can
// separate by one threshold.
func appendSince(row []float32, i, mark int32, direction float32) []float32 {
	if mark < 0 {
		return append(row, -999)
	}
	// direction makes "after the first" and "before the last" positive.
	return append(row, direction*float32(i-mark))
}

// appendNeighbours adds features of the blocks before and after.
func (r *reader) appendNeighbours(row []float32, i int32) []float32 {
	p := r.p
	for _, step := range [...]int32{-1, 1} {
		j := i + step
		if j < 0 || int(j) >= len(p.Blocks) {
			// No neighbour: -1, which no feature has otherwise.
			row = append(row, -1, -1, -1, -1, -1)
			continue
		}
		b := &p.Blocks[j]
		row = append(row, float32(b.Words), ratio(b.LinkChars, b.Chars), flag(b.EndsPunct), tagClasses[p.Nodes[b.Node].Tag],
			flag(r.in[j] == r.in[i]))
	}
	return row
}

// appendGroups adds features of the groups around a block, the smallest first.
func (r *reader) appendGroups(row []float32, i int32) []float32 {
	g := r.in[i]
	near := &r.rows[g]
	// The block's own elements count as the nearest level.
	good, bad := distances(r.own[i], near.good+1, near.bad+1)
	row = append(row, good, bad, float32(i-r.groups[g].first), float32(r.groups[g].last-r.groups[g].first))
	for range 4 {
		w := &r.rows[g]
		row = append(row, w.linkShare, w.proseShare, w.share, w.length, w.like, w.sign, w.linked, w.heads, w.title)
		if up := r.groups[g].parent; up >= 0 {
			g = up
		}
	}
	return row
}

// pageFeatures is the number of features that appendPage adds.
const pageFeatures = 9

// pageAtFirst is the index of the features of appendPage in a row of append1, the last ones.
const pageAtFirst = 108

// sharedFirst are the features of append1 that all blocks of a page share. TestShared checks them.
var sharedFirst = func() (shared features) {
	for i := range pageFeatures {
		shared[pageAtFirst+i] = true
	}
	return shared
}()

// appendPage adds the features that all blocks of a page share.
func (r *reader) appendPage(row []float32) []float32 {
	w := r.sum(&r.wide)
	return append(row, float32(r.total.words), ratio(r.total.links, r.total.chars), ratio(r.total.prose, r.total.chars),
		float32(len(r.p.Blocks)), r.nArt, r.nMain, r.inputs, ratio(w.chars, r.total.chars), ratio(w.prose, r.total.prose))
}
