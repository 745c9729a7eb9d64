package member

import (
	"io"
)

// The chain rule: a run of consecutive members with right checksums that is longer than a limit begins with a true
// member. A stored block of a deflate stream holds at most 65,535 bytes (RFC 1951, section 3.2.4: LEN has 16 bits).
// Then a block header must follow. A gzip header holds as much in its extra field, and a name and a comment besides. A
// raw block of a zstd frame holds at most 128 KiB (RFC 8878, section 3.1.1.2.4). So such a run does not lie verbatim
// inside another member, unless somebody made the bytes between two blocks fit both. This holds however many archives
// the archive holds.
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

// maxChainWork limits the work of one FindStart for candidates, in compressed bytes and sixteenths of decoded ones. So
// a file of false starts or of bombs costs a limited time for each split point. Beyond the limit the file is not split.
const maxChainWork = 256 << 20

// chain decodes consecutive members from off until it has covered need bytes. It returns the end of the last member,
// and whether all of them are whole. The work is subtracted from left.
func (r *Reader) chain(off, need int64, left *int64) (end int64, whole bool) {
	// One for the attempt itself, so that starts that fail at once also have a cost.
	*left--
	for end = off; end-off < need && r.Reopen(end); end = r.in.pos() {
		work, whole := r.drain(*left)
		if *left -= work; !whole {
			return end, false
		}
	}
	return end, true
}

// sinkSize is the memory for decoded members that nobody reads, in addition to the decoder's history.
const sinkSize = 128 << 10

// drain decodes the current member to its end within the limit, and returns the work. It keeps only the decoded bytes
// that the decoder needs as history.
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
		// Decoding also takes time for each decoded byte, and a bomb makes many.
		work = r.in.pos() - start + decoded/16
		if err != nil || work > limit {
			return work, err == io.EOF
		}
	}
}

// makeRoom makes room in the sink, of which b is used: half as much again as the decoder's history, and more.
func (r *Reader) makeRoom(b []byte) []byte {
	history := b[len(b)-min(len(b), r.History()):]
	if cap(b) < sinkSize+len(history)*3/2 {
		r.sink = make([]byte, 0, sinkSize+2*len(history))
		return append(r.sink, history...)
	}
	return b[:copy(b[:len(history)], history)]
}
