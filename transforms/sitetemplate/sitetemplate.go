// Package sitetemplate finds text repeated on many pages of one host. Examples are cookie notices, calls to subscribe,
// the same lines about an author, and a shop's text under every article. Such a block looks like any other paragraph
// on one page; over the pages of a host the repetition shows.
//
// It works in three steps, so that pages need not be compared directly. Each page gives a sketch of at most 64 hashes
// of blocks. The sketches of a host are collected in a sample, which is bounded and can be merged. A sample gives the
// host's template: its boilerplate blocks. A Table holds the templates of many hosts.
//
//	var s sitetemplate.Sample
//	for _, p := range pages { // of one host
//		s.Add(sitetemplate.SketchOf(p))
//	}
//	marks, _ := s.Template().Boilerplate(pages[0])
//	r := maintext.Extract(pages[0], maintext.Options{Boilerplate: marks})
//
// It ignores headings, labels, tables and program code, whose repetition belongs to the form of a page. Only blocks of
// five words or more count. At most an eighth of a block may be digits, since all digits are equal for the hash.
//
// Counting the pages of a site that share a block is an idea of Bar-Yossef and Rajagopalan. ("Template detection via
// data mining and its applications", WWW 2002.) The rule is that a block is on three distinct pages and on a tenth of
// the host's.
//
// It helps a weak extractor. On the 75 pages of the ten hosts with five pages or more in WCXB's development split,
// go-trafilatura's word F1 rose from .526 to .561. Package maintext before version 7, with models that have not seen
// these hosts, has .664 without templates and .660 with them. It already recognises most repeated text, and shops
// repeat text that people count as main text. So templates are for hosts whose pages are known to share paragraphs,
// and are off by default.
package sitetemplate

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same pages may have another template.
const Version = "1"

// MaxBlocks is the maximum number of blocks in a sketch. Of more blocks, those with the smallest hashes are taken, the
// same ones on every page.
const MaxBlocks = 64

// Hash is a hash of a block's text, with all digits equal, and of its kind of element. So the first paragraph of an
// article differs from a teaser that repeats it elsewhere. A host's template holds some hundreds of hashes, so 32 bits
// give one false match in ten million blocks.
type Hash uint32

// Sketch is the information from one page about its host.
type Sketch struct {
	ID     uint64 // equal for captures of one page at any address; otherwise random
	Blocks []Hash // ascending, at most MaxBlocks
}

// SketchOf returns the sketch of p. The sketch shares no memory with the page.
//
// A page is identified by its title and first <h1>. An archive holds the same page many times: captured again, for
// printing, or with other parameters in the address. Each time there may be another date or advertisement. If these
// counted separately, an article would be a template. All pages without both are one page.
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

// covers reports whether the sketch would include h if it were on the page.
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

// Bounds of the blocks that count.
const (
	minWords  = 5
	maxDigits = 8 // at most one digit in this number of characters
)

// form has the flags of places where repeated text belongs to the form of a page.
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
