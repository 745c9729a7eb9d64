package member

import (
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

// chain decodes members from off on, one after the other, until need bytes are covered, and returns where the last one
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

// drain decodes the current member to its end, as long as that takes no more than limit, and returns what it took. Only
// the decoded bytes that the decoder looks back at are kept.
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
		// Decoding also costs time for each byte made, and a bomb makes many.
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
