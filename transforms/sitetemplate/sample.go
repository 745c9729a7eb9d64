package sitetemplate

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// MaxPages is how many pages of a host a sample holds: those with the smallest IDs, which is a random choice that
// every part of the host's pages agrees on. Fewer than thirty show most of a template; with 128, the share of pages
// that a block stands on is told to 3 in 100.
const MaxPages = 128

// Sample is the sketches of distinct pages of one host. The zero value is empty and ready. Whatever is added, in which
// order, how often, and in how many samples that are merged, the result is the same. It holds at most 34 KiB.
type Sample struct {
	pages []Sketch // by ascending ID
}

// Add adds a page. Of two sketches with one ID the fuller one stays.
func (s *Sample) Add(k Sketch) {
	i, found := slices.BinarySearchFunc(s.pages, k.ID, func(p Sketch, id uint64) int { return cmp.Compare(p.ID, id) })
	switch {
	case found && less(k.Blocks, s.pages[i].Blocks):
		s.pages[i] = k
	case found || i == MaxPages:
	default:
		s.pages = slices.Insert(s.pages, i, k)
		s.pages = s.pages[:min(len(s.pages), MaxPages)]
	}
}

// less orders the sketches of one page: more blocks first.
func less(a, b []Hash) bool {
	return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) < 0
}

// Merge adds all pages of o.
func (s *Sample) Merge(o Sample) {
	for _, k := range o.pages {
		s.Add(k)
	}
}

// The rule of what is boilerplate. A host of which few pages are known has no template.
const (
	minHostPages = 5
	minPages     = 3  // that a block stands on
	minShare     = 10 // one page in so many, of those whose sketches would show the block
)

// Template returns the blocks that are boilerplate on this host; nil when there are none.
func (s *Sample) Template() Template {
	if len(s.pages) < minHostPages {
		return nil
	}
	var all []Hash
	for _, k := range s.pages {
		all = append(all, k.Blocks...)
	}
	slices.Sort(all)
	var t Template
	for len(all) > 0 {
		h, n := all[0], 1
		for n < len(all) && all[n] == h {
			n++
		}
		if n >= minPages && n*minShare >= s.covering(h) {
			t = append(t, h)
		}
		all = all[n:]
	}
	return t
}

// covering counts the pages whose sketches would show h.
func (s *Sample) covering(h Hash) int {
	n := 0
	for i := range s.pages {
		if s.pages[i].covers(h) {
			n++
		}
	}
	return n
}

// ErrFormat is a row or a table that this package did not write.
var ErrFormat = errors.New("sitetemplate: malformed")

// Encode returns the sample as DecodeSample reads it. A page is its ID (8 bytes, little-endian like all), the number of
// its blocks (1 byte) and their hashes (4 bytes each).
func (s *Sample) Encode() []byte {
	var b []byte
	for _, k := range s.pages {
		b = binary.LittleEndian.AppendUint64(b, k.ID)
		b = append(b, byte(len(k.Blocks)))
		for _, h := range k.Blocks {
			b = binary.LittleEndian.AppendUint32(b, uint32(h))
		}
	}
	return b
}

// pageHead is how long a page is before its hashes.
const pageHead = 9

// DecodeSample reads what Encode wrote. Anything else is ErrFormat.
func DecodeSample(b []byte) (Sample, error) {
	var s Sample
	for len(b) > 0 {
		if len(b) < pageHead || len(s.pages) == MaxPages {
			return Sample{}, ErrFormat
		}
		id, n := binary.LittleEndian.Uint64(b), int(b[pageHead-1])
		blocks, ok := decodeHashes(b[pageHead:], n)
		if !ok || n > MaxBlocks || len(s.pages) > 0 && id <= s.pages[len(s.pages)-1].ID {
			return Sample{}, ErrFormat
		}
		s.pages = append(s.pages, Sketch{ID: id, Blocks: blocks})
		b = b[pageHead+4*n:]
	}
	return s, nil
}

// decodeHashes reads n hashes, which must ascend.
func decodeHashes(b []byte, n int) ([]Hash, bool) {
	if len(b) < 4*n {
		return nil, false
	}
	list := make([]Hash, n)
	for i := range list {
		list[i] = Hash(binary.LittleEndian.Uint32(b[4*i:]))
		if i > 0 && list[i] <= list[i-1] {
			return nil, false
		}
	}
	return list, true
}
