package sourcedb

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// filter is a set of links that may say yes to one that is not in it, and never no to one that is: a Bloom filter
// (1970) with three places a link. Here a wrong yes costs that a source is described again, to the same row.
type filter struct {
	words []uint64
	shift int // of a hash, to a place
}

// newFilter makes a filter of an eighth of the memory that sorting may take: at 256 MiB, of a million links that are
// not in a set of three million, 30 are wrong.
func newFilter(memory int) *filter {
	size := min(64<<20, max(1<<20, memory/8))
	// A power of two, so that the upper bits of a hash are a place.
	log := bits.Len(uint(size)) - 1 + 3
	return &filter{words: make([]uint64, 1<<(log-6)), shift: 64 - log}
}

// places are where a link stands. Links are hashes already; multiplying spreads them over the filter in three ways.
func (f *filter) places(link uint64) [3]uint64 {
	return [3]uint64{
		link * 0x9e3779b97f4a7c15 >> f.shift, link * 0xc2b2ae3d27d4eb4f >> f.shift, link * 0x165667b19e3779f9 >> f.shift,
	}
}

func (f *filter) add(link uint64) {
	for _, at := range f.places(link) {
		f.words[at/64] |= 1 << (at % 64)
	}
}

func (f *filter) has(link uint64) bool {
	for _, at := range f.places(link) {
		if f.words[at/64]&(1<<(at%64)) == 0 {
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
