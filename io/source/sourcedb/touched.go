package sourcedb

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// filter is two sets of links as a Bloom filter (1970): it may wrongly say yes, but never no. The bits of a link, four
// in each set, are within 64 bytes, which are fetched at once (Putze, Sanders and Singler, 2007). A wrong yes only
// costs that a source is described again to the same row, or that a link is sorted for nothing. Two goroutines may add
// at once, each to its own set.
type filter struct {
	blocks []block
	shift  int // of a hash, to a block index
}

// block has four words for each set.
type block [2][4]uint64

// linkSet is one of the two sets of a filter.
type linkSet int

const (
	mayShare linkSet = iota // links that several feeds may have: see sharing
	captured                // links of pages that the crawl has
)

// newFilter returns a filter with an eighth of the memory for sorting. At 256 MiB and with three million links in a
// set, about 110 of a million other links are wrong.
func newFilter(memory int) *filter {
	size := min(128<<20, max(2<<20, memory/8))
	// A power of two, so that a hash's upper bits are an index.
	log := bits.Len(uint(size/64)) - 1
	return &filter{blocks: make([]block, 1<<log), shift: 64 - log}
}

// places returns the block of a link, and four of its 256 bits, a byte each. Multiplying gives independent hashes,
// because links are hashes.
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

// has reports for both sets whether a link may be in them.
func (f *filter) has(link uint64) (shared, pages bool) {
	b, places := f.places(link)
	in := [2]uint64{1, 1}
	// Without branches, so that a processor can fetch the memory of the next links meanwhile.
	for range 4 {
		in[0] &= b[0][places>>6&3] >> (places & 63)
		in[1] &= b[1][places>>6&3] >> (places & 63)
		places >>= 8
	}
	return in[mayShare] > 0, in[captured] > 0
}

// touched records what a crawl changes in the previous generation: the sources to describe from their pages. Others
// keep their rows.
type touched struct {
	all   bool    // all sources are described again, because the previous rows cannot be reused
	links *filter // of the crawl; nil if all sources are described again
	// flags has a byte for each source, in the order of keys.
	flags []flags
}

type flags byte

const (
	wasKnown  flags = 1 << iota // the previous generation has it
	isTouched                   // it is described from its pages
)

// note appends the flags of the next source.
func (m *touched) note(known, changed bool) {
	f := flags(0)
	if known {
		f |= wasKnown
	}
	if changed {
		f |= isTouched
	}
	m.flags = append(m.flags, f)
}

// outline returns the outline of a state with unique, ascending links, in the memory of room.
func outline(state []byte, room []uint64) (source.Outline, error) {
	o, err := source.OutlineOf(state, room)
	slices.Sort(o.Links)
	o.Links = slices.Compact(o.Links)
	return o, err
}

// resolve follows the redirects of a link, and calls see with each link on the way.
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

// linkOf is the inverse of linkKey.
func linkOf(key []byte) (uint64, error) {
	if len(key) != 8 {
		return 0, errRun
	}
	return binary.BigEndian.Uint64(key), nil
}
