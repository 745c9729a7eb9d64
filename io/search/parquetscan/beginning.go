package parquetscan

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

// longPage is the minimum decompressed size of a page for decompressing only its beginning.
const longPage = 128 << 10

// needed returns the range [from, to) of values in a page of texts that the wanted rows need. If whole is true, the
// complete page must be decoded. The levels have been read.
//
// A page of texts has a hundred documents or more, of which a page of results needs one: the rest need not be
// decompressed. It applies only if other rows are not used (reader.only), to columns outside lists, and to pages that
// begin with all lengths.
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

// beginning decodes texts [from, to) of a page with n values, and decompresses no more than necessary. The other texts
// are empty.
func (r *reader) beginning(h *header, b []byte, n, from, to int) error {
	size := int(h.plain - h.repBytes - h.defBytes)
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	d.Reset()
	used := 0
	// more decompresses up to this many bytes, or to the end of the page.
	more := func(most int) error {
		most = min(most, size) + slack
		// No larger than needed, because new memory must be cleared.
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
	// Each length takes at most 32 bits, and each block of lengths some more bytes.
	if err := more(5*n + 1024); err != nil {
		return err
	}
	v.n, v.ints, v.reals, v.offsets = n, v.ints[:0], v.reals[:0], v.offsets[:0]
	rest, err := v.delta(n, r.plain, true)
	if (err != nil || len(rest) == 0) && len(r.plain) < size {
		// The lengths may be longer, because blocks may have padding of any size.
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

// lengths converts the lengths in v to offsets of texts [from, to). It returns the length of the texts before as skip,
// and the length of these texts as at. The sum of all must not exceed most.
func (v *values) lengths(from, to int, most int64) (skip, at int64, err error) {
	v.offsets = append(v.offsets, 0)
	for i, length := range v.ints {
		// So that at does not overflow.
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
