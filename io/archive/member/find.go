package member

import (
	"bytes"
	"fmt"
	"io"
)

// Chain rule. A stored block of a deflate stream holds at most 65,535 bytes (RFC 1951, section 3.2.4: LEN has 16
// bits), then a block header must intrude; a gzip header holds as much in its extra field, and a name and a comment
// beside it; a raw block of a zstd frame holds at most 128 KiB (RFC 8878, section 3.1.1.2.4). So a run of consecutive
// members with right checksums that is longer than that does not lie verbatim inside another member, unless somebody
// made the bytes between two blocks fit both, and its first member is a true start, however many archives the archive
// holds.
const (
	gzipChain = 80 << 10
	zstdChain = 131072 + 1
	lz4Chain  = 4<<20 + 1 // the largest block of an LZ4 frame, stored
)

func chainLength(kind Kind) int64 {
	switch kind {
	case Zstd:
		return zstdChain
	case LZ4:
		return lz4Chain
	default:
		return gzipChain
	}
}

// maxChainWork bounds what one FindStart decodes to test candidates, in compressed bytes and sixteenths of decoded
// ones, so that a file made of false starts or of bombs costs a bounded time a split point; past it the file is not
// split any more.
const maxChainWork = 256 << 20

// FindStart returns the first byte offset at or after from that is proven to be a true member start whose data begins
// with a record's head, or size when there is none. The proof is the chain rule or, where the file ends before a chain
// is long enough, a walk that arrives there from a start that the rule proves. It depends on the file's bytes alone, so
// that neighbours agree where one's range ends and the other's starts. An LZ4 file is not split: its raw blocks reach
// 4 MiB, and a chain that long would cost more than it saves.
// from <= 0 is the file's beginning, which needs no proof.
func FindStart(src io.ReaderAt, kind Kind, from, size int64, isHead func([]byte) bool) (int64, error) {
	if from <= 0 {
		return 0, nil
	}
	if kind == LZ4 || kind == Plain || kind.IsDouble() {
		return size, nil
	}
	r, err := NewReader(src, Range{End: size, Size: size}, kind, Options{IsHead: isHead})
	if err != nil {
		return size, err
	}
	// Each candidate in turn; left is shared, so that many false ones together cost no more than the bound.
	for left := int64(maxChainWork); left > 0; from++ {
		from = r.nextHead(from)
		if from >= size {
			break
		}
		if r.proven(from, &left) {
			return from, nil
		}
	}
	// Beyond the bound the rest of the file is one part: slower to read, but right.
	return size, r.in.err()
}

// proven tells whether off is a true start. What that takes is subtracted from left.
func (r *Reader) proven(off int64, left *int64) bool {
	need := chainLength(r.kind)
	end, whole := r.chain(off, need, left)
	// Either the chain is long enough, or it ends with the file and a proven start leads to it.
	return end-off >= need || whole && end == r.rng.Size && r.reached(off, left)
}

// maxWalk bounds how far before the last members of a file a proven start is looked for.
const maxWalk = 16 << 20

// reached tells whether the members that follow a proven start lead to off. A chain that ends with the file is no proof
// by itself: the file may have been cut behind a member of an archived archive.
func (r *Reader) reached(off int64, left *int64) bool {
	// Four times as far each time, so that what was in vain is a fraction of what succeeds.
	for back := 4 * chainLength(r.kind); back <= maxWalk && *left > 0; back *= 4 {
		p := r.provenBetween(max(0, off-back), off, left)
		if p < 0 {
			continue
		}
		end, whole := r.chain(p, off-p, left)
		// The members from there on must end exactly here: then this is a start as they are.
		return whole && end == off
	}
	return false
}

// provenBetween returns the first start at or after from and before to that the chain rule proves, -1 when there is
// none. The file's beginning is one.
func (r *Reader) provenBetween(from, to int64, left *int64) int64 {
	if from == 0 {
		return 0
	}
	need := chainLength(r.kind)
	for from = r.nextHead(from); from < to && *left > 0; from = r.nextHead(from + 1) {
		if end, _ := r.chain(from, need, left); end-from >= need {
			return from
		}
	}
	return -1
}

// Search returns the first offset in [from, limit) whose member begins with a record's head by the weaker rule that
// is enough to go on after damage, or limit.
// One member whose beginning decodes to a head is enough here, since nobody else has to come to the same place.
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
	// headBytes is how much of a member is decoded to see whether it begins with a record's head.
	headBytes = 2048
)

// nextHead scans for the kind's magic and returns the first hit at or after from that decodes to a record's head, or
// the file's size. The reader is anywhere afterwards.
func (r *Reader) nextHead(from int64) int64 { return r.headBefore(from, r.rng.Size) }

// headBefore is nextHead for hits before limit; it returns limit when there is none.
func (r *Reader) headBefore(from, limit int64) int64 {
	magic := magics[r.kind.outer()]
	// Plain has no magic, and nothing is found.
	for from < limit && len(magic) > 0 {
		b := r.scanFrom(from)
		if len(b) < len(magic) {
			break
		}
		i := bytes.Index(b, magic)
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

// scanFrom returns the bytes at from, fewer than are enough for a magic only at the file's end.
func (r *Reader) scanFrom(from int64) []byte {
	end := r.scanAt + int64(len(r.scan))
	// Searches go forward in small steps, so most of them find their bytes in memory.
	if from >= r.scanAt && (from+maxMagic <= end || end == r.rng.Size) {
		return r.scan[min(from, end)-r.scanAt:]
	}
	if r.scan == nil {
		r.scan = make([]byte, min(scanBlock, r.rng.Size))
	}
	// One read of 256 KiB in place of one for each hit.
	b := r.scan[:cap(r.scan)]
	n, err := r.src.ReadAt(b[:min(int64(len(b)), r.rng.Size-from)], from)
	if err != nil && err != io.EOF {
		// Noted and not returned: the search ends as at the file's end, and who called asks for the error.
		r.in.fail = fmt.Errorf("reading at byte %d: %w", from, err)
	}
	r.scan, r.scanAt = b[:n], from
	return r.scan
}

const maxMagic = 4 // bytes

// headAt tells whether the member at off decodes to at least the beginning of a record's head.
func (r *Reader) headAt(off int64) bool { return r.o.IsHead(r.beginning(off)) }

// beginning returns the first bytes that the member at off decodes to, until the next call; none when none begins
// there.
func (r *Reader) beginning(off int64) []byte {
	// The magic is not enough for Reopen: the header has to be a member's.
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

// chain decodes members from off on, one behind the other, until need bytes are covered, and returns where the last one
// ends; whole is false when one of them does not decode. What that takes is subtracted from left.
func (r *Reader) chain(off, need int64, left *int64) (end int64, whole bool) {
	// One for the attempt itself, so that starts which fail at once have a cost, too.
	*left--
	for end = off; end-off < need && r.Reopen(end); end = r.in.pos() {
		work, whole := r.drain(*left)
		if *left -= work; !whole {
			return end, false
		}
	}
	return end, true
}

// sinkSize is the memory in which members are decoded that nobody reads, beside what the decoder looks back at.
const sinkSize = 128 << 10

// drain decodes the current member to its end, as long as that takes no more than limit, and returns what it took.
// Nothing of what is decoded is kept but what the decoder looks back at.
func (r *Reader) drain(limit int64) (work int64, whole bool) {
	b := r.sink
	start, decoded := r.in.pos(), int64(0)
	for {
		if cap(b)-len(b) <= cap(b)/4 {
			b = r.makeRoom(b)
		}
		before := len(b)
		var err error
		b, err = r.dec.append(b)
		decoded += int64(len(b) - before)
		// Decoding costs time by what is made as well, which is what a bomb has much of.
		work = r.in.pos() - start + decoded/16
		if err != nil || work > limit {
			return work, err == io.EOF
		}
	}
}

// makeRoom makes room in the sink, of which b is used, for half as much again as the decoder looks back at, and more.
func (r *Reader) makeRoom(b []byte) []byte {
	history := b[len(b)-min(len(b), r.History()):]
	if cap(b) < sinkSize+len(history)*3/2 {
		r.sink = make([]byte, 0, sinkSize+2*len(history))
		return append(r.sink, history...)
	}
	return b[:copy(b[:len(history)], history)]
}
