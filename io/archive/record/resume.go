package record

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// From is a record inside a gzip member, from which reading begins.
type From struct {
	member.From
	Head    int64 // decoded bytes of the member before the record's head, at or after the point
	Ordinal int   // of the record in the member
}

// Resume returns a reader of the records of one gzip member, from a record inside it on. Offsets and ordinals are those
// of a reader of the whole file. If the member cannot be read like this, the error, here or of a later call, is
// member.ErrPoint. Before records are trusted, Confirm compares checksums.
func Resume(src io.ReaderAt, size int64, from From, g Grammar, o Options) (*Reader, error) {
	o.Marks = nil // they would be of a part
	if from.Head < from.Decoded || from.Ordinal < 0 {
		return nil, fmt.Errorf("%w: no such record", member.ErrPoint)
	}
	rng := member.Range{Start: from.Member, End: from.Member + 1, Size: size}
	r, err := NewReader(src, rng, member.Gzip, g, o)
	if err != nil {
		return nil, err
	}
	m, err := member.Resume(src, size, from.From, r.members())
	if err != nil {
		r.Close()
		return nil, err
	}
	w := &r.w
	w.src = m
	w.segs = append(w.segs, segment{to: -1, start: from.Member, records: from.Ordinal})
	w.buf = append(w.buffer(minWindow), from.History...)
	w.r, w.pos = len(w.buf), from.Decoded
	for w.pos < from.Head {
		n := min(from.Head-w.pos, int64(len(w.fill(1))))
		if n == 0 {
			break
		}
		w.advance(int(n))
	}
	if w.fail == nil && w.pos < from.Head {
		w.fail = fmt.Errorf("%w: the member ends before the record", member.ErrPoint)
	}
	if w.fail != nil {
		err := w.fail
		r.Close()
		return nil, err
	}
	return r, nil
}

// Confirm reads on until a checksum confirms all bytes that a reader of Resume has read. No record is valid after it.
func (r *Reader) Confirm() error {
	for !r.w.src.Confirmed() && !r.w.done {
		r.w.advance(len(r.w.unread()))
		r.w.more(minWindow)
	}
	return r.w.fail
}
