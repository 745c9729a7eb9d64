package member

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// These functions decide whether decoded bytes are a true member if its checksum is wrong or missing.

// judge decides on a member that decoded to its end with a wrong checksum. It returns err if the data is most likely
// complete, and an error that wraps it for damage.
func (r *Reader) judge(err error) error {
	start, end := r.start, r.in.pos()
	// If the following data are wrong too, the checksum is believed.
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

// judgeUnchecked decides on a member that decoded to its end, and returns io.EOF for a true one. In a frame without a
// checksum only the member's own lengths support it. It returns an error if these lead across other members to an
// offset where none begins.
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

// changesAcross reports whether an archive of another kind begins at or after from and continues after end.
func (r *Reader) changesAcross(from, end int64) bool {
	q := r.NextChange(from, end)
	return q < end && (r.LeadsAcross(q, end) || r.o.IsHead(r.other(Plain).beginning(q)))
}

var errSwallowed = errors.New("it has no checksum, another member begins inside, and none behind it")

// follows reports whether a member begins, or the file ends, at pos, which is the input's position.
func (r *Reader) follows(pos int64) bool {
	if pos >= r.rng.Size {
		return true
	}
	// The next member need not decode; it only has to look like one.
	return Sniff(r.in.peek(maxMagic)) == r.kind.outer() || r.changesAt(pos)
}

// swallowed reports whether a true member begins inside the one that was decoded from start to end. A writer that was
// cut off in a member and wrote it again leaves such a pair. Huffman codes resynchronise, so the first one's decoder
// can run through to the end of the second. A stored block with a wrong length or overwritten data holds such members
// too. One that decodes to its end with the right checksum is proof enough. It may belong to an archived archive, but
// that archive's record is damaged, and finding too much is better than losing data.
func (r *Reader) swallowed(start, end int64) bool {
	r.work += end - start + r.size/16
	for q := r.nextHead(start + 1); q < end; q = r.nextHead(q + 1) {
		// The limit holds for the whole life of a reader, so that many such members together cost no more.
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
