package member

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Whether a member that decoded to its end is one, where its checksum says no, or where it has none.

// judge decides on a member that decoded to its end with a wrong checksum: it returns err when the data is most likely
// whole, and an error that wraps it when it is damage.
func (r *Reader) judge(err error) error {
	start, end := r.start, r.in.pos()
	// With the rest of the data wrong too, the checksum is believed.
	if !r.follows(end) {
		return fmt.Errorf("%w and no member follows", err)
	}
	if r.swallowed(start, end) {
		err = fmt.Errorf("%w and another member begins inside", err)
	}
	// Looking inside has moved the input and the decoder.
	r.in.seek(end)
	r.start, r.open = start, true
	return err
}

// judgeUnchecked decides on a member that decoded to its end: it returns io.EOF, or an error when nothing but its own
// lengths speaks for it, as in a frame without a checksum, and these lead across other members to a place where none
// begins.
func (r *Reader) judgeUnchecked() error {
	start, end := r.start, r.in.pos()
	checked := true
	switch d := r.dec.(type) {
	case *zstdDecoder:
		checked = d.dec.Checked()
	case *lz4Decoder:
		checked = d.frame.blockSums || d.frame.contentSum
	}
	if checked || bytes.HasPrefix(r.in.peek(1), []byte{0}) || r.follows(end) {
		return io.EOF
	}
	err := io.EOF
	if r.swallowed(start, end) || r.changesAcross(start+1, end) {
		err = errSwallowed
	}
	// Looking inside has moved the input and the decoder.
	r.in.seek(end)
	r.start, r.open = start, true
	return err
}

// changesAcross reports whether an archive of another kind begins at or after from and goes on after end.
func (r *Reader) changesAcross(from, end int64) bool {
	q := r.NextChange(from, end)
	return q < end && (r.LeadsAcross(q, end) || r.o.IsHead(r.other(Plain).beginning(q)))
}

var errSwallowed = errors.New("it has no checksum, another member begins inside, and none behind it")

// follows reports whether a member, or the file's end, is at pos, where the input is.
func (r *Reader) follows(pos int64) bool {
	if pos >= r.rng.Size {
		return true
	}
	// What follows need not decode: it only has to look like a member.
	return Sniff(r.in.peek(maxMagic)) == r.kind.outer() || r.changesAt(pos)
}

// swallowed reports whether a true member begins inside the one that was decoded from start to end. A writer that was
// cut off in a member and wrote it again leaves such a pair: Huffman codes fall into step again, so that the first
// one's decoder can run through to the end of the second. A stored block whose length is wrong, or whose data was
// overwritten, holds such members too. One that decodes to its end with the right checksum is enough of a proof: it
// may belong to an archived archive, but the archive's record is damaged, and to find too much is better than to lose.
func (r *Reader) swallowed(start, end int64) bool {
	r.work += end - start + r.size/16
	for q := r.nextHead(start + 1); q < end; q = r.nextHead(q + 1) {
		// The bound is for the whole of a reader's life, so that many such members together cost no more.
		left := 16*r.rng.Size + maxChainWork - r.work
		if left <= 0 {
			break
		}
		before := left
		last, _ := r.chain(q, 1, &left)
		if r.work += before - left; last > q {
			return true
		}
	}
	return false
}
