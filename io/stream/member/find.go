package member

import (
	"io"
)

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
	r.fixed = true // a reader that begins there has no other dictionary
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

// proven reports whether off is a true start. What that takes is subtracted from left.
func (r *Reader) proven(off int64, left *int64) bool {
	need := chainLength(r.kind)
	end, whole := r.chain(off, need, left)
	// Either the chain is long enough, or it ends with the file and a proven start leads to it.
	return end-off >= need || whole && end == r.rng.Size && r.reached(off, left)
}

// maxWalk bounds how far before the last members of a file a proven start is looked for.
const maxWalk = 16 << 20

// reached reports whether the members that follow a proven start lead to off. A chain that ends with the file is not
// proof by itself: the file may have been cut after a member of an archived archive.
func (r *Reader) reached(off int64, left *int64) bool {
	// Four times as far each time, so that failed attempts cost a fraction of the successful one.
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
