package sourcedb

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// filter is two sets of links, each of which may say yes to one that is not in it, and never no to one that is: a Bloom
// filter (1970) whose places of a link, four for each set, lie within 64 bytes of memory, which are fetched at once
// (Putze, Sanders and Singler, 2007). Here a wrong yes costs that a source is described again, to the same row, or that
// a link is sorted for nothing. Two goroutines may add at a time, each to a set of its own.
type filter struct {
	blocks []block
	shift  int // of a hash, to a block
}

// block has four words for each set.
type block [2][4]uint64

// linkSet is one of the two sets of a filter.
type linkSet int

const (
	mayShare linkSet = iota // links that may be of several feeds: see sharing
	captured                // links of pages that the crawl has
)

// newFilter makes a filter of an eighth of the memory that sorting may take: at 256 MiB, of a million links that are
// not in a set of three million, some 110 are wrong.
func newFilter(memory int) *filter {
	size := min(128<<20, max(2<<20, memory/8))
	// A power of two, so that the upper bits of a hash are a place.
	log := bits.Len(uint(size/64)) - 1
	return &filter{blocks: make([]block, 1<<log), shift: 64 - log}
}

// places are the block of a link, and four bits of 256 in it, a byte each. Links are hashes already; multiplying gives
// others.
func (f *filter) places(link uint64) (b *block, bits uint32) {
	return &f.blocks[link*0x9e3779b97f4a7c15>>f.shift], uint32(link * 0xc2b2ae3d27d4eb4f >> 32)
}

func (f *filter) add(set linkSet, link uint64) {
	b, places := f.places(link)
	for range 4 {
		b[set][places>>6&3] |= 1 << (places & 63)
		places >>= 8
	}
}

// has tells of both sets whether a link may be in them.
func (f *filter) has(link uint64) (shared, pages bool) {
	b, places := f.places(link)
	in := [2]uint64{1, 1}
	// Without a branch, so that a processor fetches the memory of the next links meanwhile.
	for range 4 {
		in[0] &= b[0][places>>6&3] >> (places & 63)
		in[1] &= b[1][places>>6&3] >> (places & 63)
		places >>= 8
	}
	return in[mayShare] > 0, in[captured] > 0
}

// met is what of the generation before a crawl has changed: the sources that are to be described from their pages. All
// others are described by the rows that they had.
type met struct {
	anew  bool    // all are, since the rows of the generation before are none to build on
	links *filter // those of the crawl; nil when all are described again
	// flags are a byte a source, in the order of their keys.
	flags []flags
}

type flags byte

const (
	wasKnown flags = 1 << iota // the generation before has it
	isMet                      // it is described from its pages
)

// note keeps what is told of the next source.
func (m *met) note(known, changed bool) {
	f := flags(0)
	if known {
		f |= wasKnown
	}
	if changed {
		f |= isMet
	}
	m.flags = append(m.flags, f)
}

// outline is that of a state, with each link once, ascending: several items may have one, and one question is enough.
// It works in the memory of room.
func outline(state []byte, room []uint64) (source.Outline, error) {
	o, err := source.OutlineOf(state, room)
	slices.Sort(o.Links)
	o.Links = slices.Compact(o.Links)
	return o, err
}

// resolve follows the redirects of a link, and tells of each link on the way.
func (g *generation) resolve(link uint64, see func(link uint64)) uint64 {
	for hop := 0; ; hop++ {
		see(link)
		to, ok := g.redirects.next(link)
		// After the last hop a redirect counts as the page.
		if !ok || hop == maxHops {
			return link
		}
		link = to
	}
}

// linkOf is a key of linkKey.
func linkOf(key []byte) (uint64, error) {
	if len(key) != 8 {
		return 0, errRun
	}
	return binary.BigEndian.Uint64(key), nil
}
