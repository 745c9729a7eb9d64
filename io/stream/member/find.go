package member

import (
	"io"
)

// FindStart returns the first offset at or after from that is proven to be a true member start whose data begin with a
// record's head. Without one it returns size. The proof is the chain rule. If the file ends before a chain is long
// enough, it is a walk from a start that the rule proves. The result depends only on the file's bytes, so that readers
// of neighbouring ranges agree. An LZ4 file is not split: its raw blocks reach 4 MiB, and a chain that long would cost
// more than it saves. For from <= 0 the result is the file's beginning, which needs no proof.
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
	// left is shared between the candidates, so that all false ones together cost no more than the limit.
	for left := int64(maxChainWork); left > 0; from++ {
		from = r.nextHead(from)
		if from >= size {
			break
		}
		if r.proven(from, &left) {
			return from, nil
		}
	}
	// Beyond the limit the rest of the file is one part, which is slower to read, but right.
	return size, r.in.err()
}

// proven reports whether off is a true start. The work is subtracted from left.
func (r *Reader) proven(off int64, left *int64) bool {
	need := chainLength(r.kind)
	end, whole := r.chain(off, need, left)
	// Either the chain is long enough, or it ends with the file and a proven start leads to it.
	return end-off >= need || whole && end == r.rng.Size && r.reached(off, left)
}

// maxWalk limits the distance between the last members of a file and a proven start.
const maxWalk = 16 << 20

// reached reports whether members from a proven start lead to off. A chain that ends with the file proves nothing by
// itself: the file may have been cut after a member of an archived archive.
func (r *Reader) reached(off int64, left *int64) bool {
	// Four times as far each time, so that failed attempts cost a fraction of the successful one.
	for back := 4 * chainLength(r.kind); back <= maxWalk && *left > 0; back *= 4 {
		p := r.provenBetween(max(0, off-back), off, left)
		if p < 0 {
			continue
		}
		end, whole := r.chain(p, off-p, left)
		// The members from there on must end exactly here to prove that this is a start.
		return whole && end == off
	}
	return false
}

// provenBetween returns the first start in [from, to) that the chain rule proves, or -1. The file's beginning counts as
// proven.
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
