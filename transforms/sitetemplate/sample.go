package sitetemplate

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// MaxPages is the maximum number of pages of a host in a sample. Those with the smallest IDs are kept: a random choice
// on which all parts of the host's pages agree. Fewer than thirty pages show most of a template. With 128, the share
// of pages that have a block is accurate to 3 in 100.
const MaxPages = 128

// Sample holds sketches of distinct pages of one host. The zero value is empty and ready. The result does not depend
// on the order of additions, their repetition, or the number of merged samples. It holds at most 34 KiB.
type Sample struct {
	pages []Sketch // by ascending ID
}

// Add adds a page. Of two sketches with one ID the one with more blocks stays.
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

// less orders sketches of one page: more blocks first.
func less(a, b []Hash) bool {
	return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) < 0
}

// Merge adds all pages of o.
func (s *Sample) Merge(o Sample) {
	for _, k := range o.pages {
		s.Add(k)
	}
}

// The rule for boilerplate. A host with few known pages has no template.
const (
	minHostPages = 5
	minPages     = 3  // with the block
	minShare     = 10 // one page in this number, of those whose sketches would show the block
)

// Template returns the boilerplate blocks of this host, or nil.
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

// ErrFormat means that this package did not write the row or table.
var ErrFormat = errors.New("sitetemplate: malformed")

// Encode returns the sample in the format of DecodeSample. A page is its ID (8 bytes), the number of its blocks (1
// byte) and their hashes (4 bytes each). Numbers are little-endian.
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

// pageHead is the length of a page before its hashes.
const pageHead = 9

// DecodeSample reads the result of Encode. Anything else is ErrFormat.
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
