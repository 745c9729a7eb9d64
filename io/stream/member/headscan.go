package member

import (
	"bytes"
	"fmt"
	"io"
)

// Search returns the first offset in [from, limit) whose member begins with a record's head, or limit. This weaker rule
// is enough after damage: one member that decodes to a head suffices, since no other reader has to find the same
// offset.
func Search(src io.ReaderAt, kind Kind, from, limit int64, isHead func([]byte) bool) (int64, error) {
	r, err := NewReader(src, Range{End: limit, Size: limit}, kind, Options{IsHead: isHead})
	if err != nil {
		return limit, err
	}
	return r.nextHead(from), r.in.err()
}

var magics = map[Kind][]byte{
	Gzip: {0x1f, 0x8b, 8}, Zstd: {0x28, 0xb5, 0x2f, 0xfd}, LZ4: {0x04, 0x22, 0x4d, 0x18},
}

const (
	scanBlock = 256 << 10
	// headBytes is the number of decoded bytes in which a record's head must begin.
	headBytes = 2048
)

// nextHead scans for the kind's magic and returns the first hit at or after from that decodes to a record's head, or
// the file's size. It leaves the reader at any position.
func (r *Reader) nextHead(from int64) int64 { return r.headBefore(from, r.rng.Size) }

// headBefore is nextHead for hits before limit. Without one it returns limit.
func (r *Reader) headBefore(from, limit int64) int64 {
	magic := magics[r.kind.outer()]
	// Plain has no magic, and nothing is found.
	for from < limit && len(magic) > 0 {
		b := r.scanFrom(from)
		if len(b) < len(magic) {
			break
		}
		i := bytes.Index(b, magic)
		if next := r.adoptBefore(b, i, from); next >= 0 {
			return min(next, limit)
		}
		if i < 0 {
			// All but the last bytes, in which a magic may begin.
			from += int64(len(b) - len(magic) + 1)
			continue
		}
		if from += int64(i); from >= limit {
			break
		}
		if r.headAt(from) {
			return from
		}
		from++
	}
	return limit
}

// adoptBefore looks for a dictionary in b, which starts at at, before the magic at i (-1: to its end). It returns the
// start of the frame after the dictionary, or -1.
func (r *Reader) adoptBefore(b []byte, i int, at int64) int64 {
	if r.kind != Zstd || r.fixed {
		return -1
	}
	if i >= 0 {
		b = b[:i]
	}
	if j := bytes.Index(b, dictionaryMagic); j >= 0 {
		return r.adopt(at + int64(j))
	}
	return -1
}

// scanFrom returns the bytes at from. It returns fewer than a magic needs only at the file's end.
func (r *Reader) scanFrom(from int64) []byte {
	end := r.scanAt + int64(len(r.scan))
	// Searches advance in small steps, so mostly the bytes are in memory.
	if from >= r.scanAt && (from+maxMagic <= end || end == r.rng.Size) {
		return r.scan[min(from, end)-r.scanAt:]
	}
	if r.scan == nil {
		r.scan = make([]byte, min(scanBlock, r.rng.Size))
	}
	// One read of 256 KiB replaces a read for each hit.
	b := r.scan[:cap(r.scan)]
	n, err := r.src.ReadAt(b[:min(int64(len(b)), r.rng.Size-from)], from)
	if err != nil && err != io.EOF {
		// The error is stored: the search ends as at the file's end, and the caller asks for the error.
		r.in.fail = fmt.Errorf("reading at byte %d: %w", from, err)
	}
	r.scan, r.scanAt = b[:n], from
	return r.scan
}

const maxMagic = 4 // bytes

// headAt reports whether the member at off decodes to at least the beginning of a record's head.
func (r *Reader) headAt(off int64) bool { return r.o.IsHead(r.beginning(off)) }

// beginning returns the first decoded bytes of the member at off, valid until the next call. It returns none if no
// member begins there.
func (r *Reader) beginning(off int64) []byte {
	// The magic alone is not enough for Reopen: the header has to be valid.
	if !r.Reopen(off) {
		return nil
	}
	if r.head == nil {
		r.head = make([]byte, 0, headBytes)
	}
	b := r.head
	for err := error(nil); err == nil && len(b) < cap(b); {
		b, err = r.dec.append(b)
	}
	return b
}
