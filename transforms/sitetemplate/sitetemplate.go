// Package sitetemplate finds the text that stands on many pages of one host: notices about cookies, calls to
// subscribe, the same lines about an author, what a shop says under every article. Taken alone such a block looks like
// any other paragraph; over the pages of a host it is told by being repeated.
//
// It works in three steps, so that pages never have to meet. Each page gives a sketch of at most 64 hashes of blocks.
// The sketches of a host are gathered in a sample, which is bounded and can be merged. A sample gives the host's
// template: the blocks that are boilerplate there. A Table holds the templates of many hosts.
//
//	var s sitetemplate.Sample
//	for _, p := range pages { // of one host
//		s.Add(sitetemplate.SketchOf(p))
//	}
//	marks, _ := s.Template().Boilerplate(pages[0])
//	r := maintext.Extract(pages[0], maintext.Options{Boilerplate: marks})
//
// It is not for headings, labels, tables and program code, which are repeated because they are the page's form: only
// blocks of five words or more count, and none of which more than an eighth is digits, since digits count as equal and
// there they are what the text says.
//
// Counting how many pages of a site share a block is the idea of Bar-Yossef and Rajagopalan ("Template detection via
// data mining and its applications", WWW 2002); the rule is that a block stands on three distinct pages and on a tenth
// of the host's.
//
// It pays where the extractor is weak: on the 75 pages of the ten hosts of WCXB's development split with five pages or
// more, go-trafilatura's word F1 rose from .526 to .561. Package maintext before its version 7, by models that have not
// seen these hosts, has .664 without templates and .660 with them: it knows most of what is repeated already, and shops
// repeat what people count as main text. So templates are for hosts whose pages are known to share paragraphs, and are
// off by default.
package sitetemplate

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same pages may get another template.
const Version = "1"

// MaxBlocks is how many blocks a sketch holds. Of a page that has more, those with the smallest hashes are taken, which
// are the same blocks on every page.
const MaxBlocks = 64

// Hash is a hash of a block's text, digits made equal, and of the kind of element that it is in. So the first
// paragraph of an article is not taken for the teaser that repeats it elsewhere. Templates of a host hold some hundreds
// of hashes, against which 32 bits are wrong once in ten million blocks.
type Hash uint32

// Sketch is what one page tells of its host.
type Sketch struct {
	ID     uint64 // equal for captures of one page, whatever their addresses; otherwise as good as random
	Blocks []Hash // ascending, at most MaxBlocks
}

// SketchOf returns the sketch of p. The sketch shares no memory with the page.
//
// The page is known by its title and its first <h1>: an archive holds the same page many times, as captured again,
// for printing or under addresses with other parameters, and each time with another date or advertisement. Counted
// twice, an article would be a template. Pages that have neither are one page.
func SketchOf(p *page.Page) Sketch {
	s := Sketch{ID: identity(p)}
	for i := range p.Blocks {
		if candidate(&p.Blocks[i]) {
			s.add(hashOf(p, i))
		}
	}
	return s
}

func (s *Sketch) add(h Hash) {
	i, found := slices.BinarySearch(s.Blocks, h)
	if found || i == MaxBlocks {
		return
	}
	if len(s.Blocks) == MaxBlocks {
		s.Blocks = s.Blocks[:MaxBlocks-1]
	}
	s.Blocks = slices.Insert(s.Blocks, i, h)
}

// covers reports whether h would be in the sketch if it were on the page.
func (s *Sketch) covers(h Hash) bool { return len(s.Blocks) < MaxBlocks || h <= s.Blocks[MaxBlocks-1] }

func identity(p *page.Page) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range []byte(p.Title()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	for i := range p.Blocks {
		if p.Nodes[p.Blocks[i].Node].Tag == page.TagH1 {
			return mix(h ^ mix(p.Blocks[i].Hash))
		}
	}
	return mix(h)
}

// The blocks that count, by their text.
const (
	minWords  = 5
	maxDigits = 8 // one digit in so many characters
)

// form is where repeated text belongs to the page's form.
const form = page.InHeading | page.InCell | page.InPre | page.InCode

// candidate reports whether a block may be part of a template.
func candidate(b *page.Block) bool {
	return b.Words >= minWords && b.Digits*maxDigits <= b.Chars && b.Flags&form == 0
}

func hashOf(p *page.Page, block int) Hash {
	b := &p.Blocks[block]
	return Hash(mix(b.Hash^uint64(p.Nodes[b.Node].Sig)*0x9E3779B97F4A7C15) >> 32)
}

// mix makes every bit depend on every other (the finaliser of MurmurHash3, by Austin Appleby).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xFF51AFD7ED558CCD
	x ^= x >> 33
	x *= 0xC4CEB9FE1A85EC53
	return x ^ x>>33
}
