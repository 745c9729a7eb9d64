package sourcedb

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// filter is a set of links that may say yes to one that is not in it, and never no to one that is: a Bloom filter
// (1970) whose four places of a link lie within 64 bytes of memory, which are fetched at once (Putze, Sanders and
// Singler, 2007). Here a wrong yes costs that a source is described again, to the same row.
type filter struct {
	blocks []block
	shift  int // of a hash, to a block
}

type block [8]uint64

// newFilter makes a filter of a sixteenth of the memory that sorting may take: at 256 MiB, of a million links that are
// not in a set of three million, some 90 are wrong.
func newFilter(memory int) *filter {
	size := min(64<<20, max(1<<20, memory/16))
	// A power of two, so that the upper bits of a hash are a place.
	log := bits.Len(uint(size/64)) - 1
	return &filter{blocks: make([]block, 1<<log), shift: 64 - log}
}

// places are the block of a link, and where it stands there. Links are hashes already; multiplying gives others.
func (f *filter) places(link uint64) (b *block, at [4]uint64) {
	h := link * 0xc2b2ae3d27d4eb4f
	for i := range at {
		at[i] = h >> (55 - 9*i) & 511
	}
	return &f.blocks[link*0x9e3779b97f4a7c15>>f.shift], at
}

func (f *filter) add(link uint64) {
	b, places := f.places(link)
	for _, at := range places {
		b[at/64] |= 1 << (at % 64)
	}
}

func (f *filter) has(link uint64) bool {
	b, places := f.places(link)
	for _, at := range places {
		if b[at/64]&(1<<(at%64)) == 0 {
			return false
		}
	}
	return true
}

// met is what of the generation before a crawl has changed: the sources that are to be described from their pages. All
// others are described by the rows that they had.
type met struct {
	anew  bool    // all are, since the rows of the generation before are none to build on
	pages *filter // links of pages that this crawl has
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
