package index

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// errBitmap means that a stored bitmap is damaged.
var errBitmap = fmt.Errorf("%w: a bitmap", ErrDamaged)

// The numbers of the portable format: https://github.com/RoaringBitmap/RoaringFormatSpec.
const (
	cookie, cookieRuns = 12346, 12347
	noOffsets          = 4    // with runs, fewer containers have no offsets
	maxArray           = 4096 // values; a container with more is a bitmap
	bitmapBytes        = 8192
)

// storedBits reads a bitmap of one chunk in its stored form. Most have one value, and making a roaring.Bitmap of it
// takes ten times as long.
type storedBits struct {
	left  []byte
	visit func(from, n uint32) // a range of positions in the chunk, ascending
}

// eachStored calls visit with the ranges of a stored bitmap, as positions in the chunk, until it meets damage.
func eachStored(data []byte, chunk uint32, visit func(from, n uint32)) error {
	s := storedBits{data, visit}
	head, ok := s.take(4)
	if !ok {
		return errBitmap
	}
	n, runs := 0, []byte(nil)
	switch c := binary.LittleEndian.Uint32(head); {
	case c == cookie:
		if head, ok = s.take(4); !ok || binary.LittleEndian.Uint32(head) > 1<<(chunkBits-16) {
			return errBitmap
		}
		n = int(binary.LittleEndian.Uint32(head))
	case c&0xffff == cookieRuns:
		if n = int(c>>16) + 1; n > 1<<(chunkBits-16) {
			return errBitmap
		}
		if runs, ok = s.take(1); !ok { // a bit for each of at most four containers
			return errBitmap
		}
	default:
		return errBitmap
	}
	heads, ok := s.take(4 * n)
	if !ok {
		return errBitmap
	}
	// Containers follow each other, so their offsets are not needed.
	if runs == nil || n >= noOffsets {
		if _, ok := s.take(4 * n); !ok {
			return errBitmap
		}
	}
	return s.containers(heads, runs, chunk)
}

// containers reads the containers, of which heads has the key and the number of values.
func (s *storedBits) containers(heads, runs []byte, chunk uint32) error {
	last := -1
	for i := range len(heads) / 4 {
		key := binary.LittleEndian.Uint16(heads[4*i:])
		size := int(binary.LittleEndian.Uint16(heads[4*i+2:])) + 1
		// Values of another chunk would be written outside the column.
		if int(key) <= last || chunkOf(uint32(key)<<16) != chunk {
			return errBitmap
		}
		last = int(key)
		var ok bool
		switch from := uint32(key) << 16 & chunkMask; {
		case runs != nil && runs[0]>>i&1 == 1:
			ok = s.runs(from, size)
		case size <= maxArray:
			ok = s.array(from, size)
		default:
			ok = s.dense(from, size)
		}
		if !ok {
			return errBitmap
		}
	}
	return nil
}

func (s *storedBits) take(n int) ([]byte, bool) {
	if n > len(s.left) {
		return nil, false
	}
	taken := s.left[:n]
	s.left = s.left[n:]
	return taken, true
}

func (s *storedBits) array(from uint32, size int) bool {
	data, ok := s.take(2 * size)
	if !ok {
		return false
	}
	last := -1
	for ; len(data) > 0; data = data[2:] {
		v := binary.LittleEndian.Uint16(data)
		if int(v) <= last {
			return false
		}
		last = int(v)
		s.visit(from|uint32(v), 1)
	}
	return true
}

func (s *storedBits) runs(from uint32, size int) bool {
	head, ok := s.take(2)
	if !ok {
		return false
	}
	data, ok := s.take(4 * int(binary.LittleEndian.Uint16(head)))
	if !ok {
		return false
	}
	end := -1 // of the run before, which the next one does not touch
	for ; len(data) > 0; data = data[4:] {
		first, n := uint32(binary.LittleEndian.Uint16(data)), uint32(binary.LittleEndian.Uint16(data[2:]))+1
		if int(first) <= end || first+n > 1<<16 {
			return false
		}
		s.visit(from|first, n)
		end = int(first + n)
		size -= int(n)
	}
	return size == 0
}

func (s *storedBits) dense(from uint32, size int) bool {
	data, ok := s.take(bitmapBytes)
	if !ok {
		return false
	}
	for ; len(data) > 0; data = data[8:] {
		word := binary.LittleEndian.Uint64(data)
		size -= bits.OnesCount64(word)
		for w := word; w != 0; w &= w - 1 {
			s.visit(from|uint32(bits.TrailingZeros64(w)), 1)
		}
		from += 64
	}
	return size == 0
}
