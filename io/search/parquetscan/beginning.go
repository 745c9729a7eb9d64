package parquetscan

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

// longPage is how long a page is at least, decompressed, of which the beginning alone is worth decompressing.
const longPage = 128 << 10

// needed is which values of a page of texts the rows that are wanted need: those from from to to. whole: all, and the
// page is to be decoded as a whole. Its levels were read.
//
// Pages of texts hold a hundred documents and more, of which a page of results wants one: what follows that need
// not be decompressed. So it is for callers that ask for no other rows (reader.only), for lists are another matter, and
// the lengths of all texts must be before them.
func (r *reader) needed(h *header) (from, to int, whole bool) {
	p, l := &r.page, r.chunk.leaf
	if !r.only || l.kind != kindBytes || l.rep > 0 || h.encoding != encodingDeltaLength || !h.packed ||
		r.chunk.codec != codecZstd || h.plain < longPage || int64(p.entries) != h.rows {
		return 0, 0, true
	}
	for row := r.want.next(r.row); row >= 0 && row < r.row+p.entries; row = r.want.next(row + 1) {
		if to == 0 {
			from = row - r.row
		}
		to = row - r.row + 1
	}
	if l.def == 0 {
		return from, to, false
	}
	return count(p.def[:from], l.def), count(p.def[:to], l.def), false
}

// beginning decodes the texts from from to to of a page, which has n values, and no more of it than that takes. The
// others are empty.
func (r *reader) beginning(h *header, b []byte, n, from, to int) error {
	size := int(h.plain - h.repBytes - h.defBytes)
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	d.Reset()
	used := 0
	// more decompresses until there are so many bytes, or the page ends.
	more := func(most int) error {
		most = min(most, size) + slack
		// No longer than it has to be: a page is long, and new memory is cleared.
		if cap(r.plain) < most {
			r.plain = append(make([]byte, 0, most), r.plain...)
		}
		out, n, err := d.Decode(r.plain[:len(r.plain):most], b[used:])
		used += n
		if r.plain = r.plain[:len(out)]; err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: page: %w", ErrFormat, err)
		}
		return nil
	}
	r.plain = r.plain[:0]
	v := &r.page.values
	// Lengths take 32 bits each at most, and some bytes for each block of them.
	if err := more(5*n + 1024); err != nil {
		return err
	}
	v.n, v.ints, v.reals, v.offsets = n, v.ints[:0], v.reals[:0], v.offsets[:0]
	rest, err := v.delta(n, r.plain, true)
	if (err != nil || len(rest) == 0) && len(r.plain) < size {
		// The lengths may go on after what is there: blocks may be filled up to any size.
		if err := more(size); err != nil {
			return err
		}
		v.ints = v.ints[:0]
		rest, err = v.delta(n, r.plain, true)
	}
	if err != nil {
		return err
	}
	begin := len(r.plain) - len(rest)
	// Compared with what the page has.
	skip, at, err := v.lengths(from, to, int64(size-begin))
	if err != nil {
		return err
	}
	end := begin + int(skip+at)
	if len(r.plain) < end {
		if err := more(end); err != nil {
			return err
		}
		if len(r.plain) < end {
			return errShort("texts")
		}
	}
	v.data = append(v.data[:0], r.plain[begin+int(skip):end]...)
	return nil
}

// lengths makes offsets of the lengths of texts that v has, of those from from to to alone: skip is how long the texts
// before are, and at these themselves. All of them are no longer than most.
func (v *values) lengths(from, to int, most int64) (skip, at int64, err error) {
	v.offsets = append(v.offsets, 0)
	for i, length := range v.ints {
		// So that at never overflows.
		if length < 0 || length > most-skip-at {
			return 0, 0, errShort("texts")
		}
		switch {
		case i < from:
			skip += length
		case i < to:
			at += length
		}
		v.offsets = append(v.offsets, uint32(at))
	}
	v.ints = v.ints[:0]
	return skip, at, nil
}
