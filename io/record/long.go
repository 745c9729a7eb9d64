package record

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// maxRewound bounds, beside what was read, how many decoded bytes are read a second time after a stated length that
// was wrong: past it, a long block ends at the first head in it. It keeps hostile files linear.
const maxRewound = 256 << 20

// closesAt tells, by a look at the file, whether a block of length bytes in an uncompressed file closes as it should.
func (r *Reader) closesAt(length int64) bool {
	back := min(length, lookBack)
	off := r.fileOffset(r.w.pos+length) - back
	if off+back > r.rng.Size {
		return false
	}
	b := r.tail[:min(back+probe, r.rng.Size-off)]
	n, err := r.src.ReadAt(b, off)
	if err != nil && err != io.EOF {
		r.w.fail, r.w.done = fmt.Errorf("reading at byte %d: %w", off, err), true
		return false
	}
	if n < int(back) || !r.closes(b[:n], int(back), n < int(back)+probe) {
		return false
	}
	// A separator without a head behind it is trusted where there is no head in the block. Who reads blocks of this
	// length looks for one; so who skips them must not trust the separator.
	rest := SkipBlank(b[back:n])
	return length > r.o.MaxBlock || len(rest) == 0 && n < int(back)+probe || r.g.Match(rest, false)
}

// jump takes a block of an uncompressed file whose end is sure, without reading more of it than is kept.
func (r *Reader) jump(length int64) int64 {
	end := r.w.pos + length
	keep := min(length, r.o.MaxBlock)
	if r.o.HeadsOnly {
		keep = min(keep, preview)
	}
	r.rec.Block = r.w.steal(len(r.w.peek(int(keep))))
	r.seek(end)
	r.rec.Size = length
	r.w.advance(r.closing(0))
	return end
}

// seek moves in an uncompressed file.
func (r *Reader) seek(pos int64) {
	r.w.src.SeekPlain(r.fileOffset(pos))
	r.w.restart(r.w.segs[0])
	r.w.pos = pos
}

// longBlock keeps the first MaxBlock bytes of a block that is longer, and goes to its end without keeping more.
// length is -1 when it is not known. It returns the decoded position of the end.
func (r *Reader) longBlock(length int64, overrun bool) int64 {
	begin := r.w.pos
	b, ended := r.span(int(r.o.MaxBlock) + probe + 1)
	if ended && int64(len(b)) < length {
		return r.shortBlock(b)
	}
	first := r.mark(b, ended)
	if first.pos >= 0 && r.rewound > maxRewound+r.stats.Delivered {
		r.flag(schemas.FlagLength)
		return r.take(int(first.pos-begin) - first.separator)
	}
	target := int64(-1)
	if length >= 0 {
		target = begin + length
	}
	r.rec.Block = r.w.steal(min(int(r.o.MaxBlock), len(b)))
	end := r.skipTo(target, first, overrun)
	r.rec.Size = end - begin
	r.rec.Block = r.rec.Block[:min(int64(len(r.rec.Block)), r.rec.Size)]
	r.w.advance(r.closing(0))
	return end
}

// skipTo streams to target, or to the block's end as its surroundings tell, and returns where the block ends. first
// is the first head that was seen in the block.
func (r *Reader) skipTo(target int64, first mark, overrun bool) int64 {
	for {
		b, ended := r.span(minWindow)
		if first.pos < 0 {
			first = r.mark(b, ended)
		}
		if left := target - r.w.pos; target >= 0 && (left <= int64(len(b)-probe) || ended && left <= int64(len(b))) {
			if r.closes(b, int(left), ended) {
				r.w.advance(int(left))
				return target
			}
			target = -1
		}
		switch {
		case target < 0 && first.pos >= 0:
			return r.endAtHead(first)
		case ended && first.pos >= 0 && r.damageWithin(len(b)) == "":
			return r.endAtHead(first)
		case ended:
			end := r.w.pos + int64(trimmed(b, len(b)))
			if r.cutHere(len(b), overrun) {
				end = r.w.pos + int64(len(b))
			}
			r.w.advance(len(b))
			return end
		}
		if target < 0 {
			r.flag(schemas.FlagLength)
		}
		r.w.advance(len(b) - probe - 1)
		r.drop()
	}
}

// mark is a head seen in the decoded stream, to which reading can go back.
type mark struct {
	pos       int64 // -1 when there is none
	separator int   // bytes of the blank line before it
	segment   segment
}

func (r *Reader) mark(b []byte, whole bool) mark {
	i := r.index(b, 1, whole)
	if i < 0 {
		return mark{pos: -1}
	}
	at := r.w.pos + int64(i)
	return mark{pos: at, separator: i - trimmed(b, i), segment: *r.w.segmentAt(at)}
}

// endAtHead ends a long block before the head at m, which lies ahead or, after a stated length that was wrong, behind.
func (r *Reader) endAtHead(m mark) int64 {
	r.flag(schemas.FlagLength)
	end := m.pos - int64(m.separator)
	if m.pos >= r.w.pos {
		r.w.advance(int(m.pos - r.w.pos))
		return end
	}
	r.rewound += r.w.end() - m.pos
	if !r.w.src.Reopen(m.segment.start) { // it could be opened before
		return r.w.pos
	}
	m.segment.used = true
	r.w.restart(m.segment)
	for r.w.pos < m.pos {
		b := r.w.fill(minWindow)
		if len(b) == 0 {
			break
		}
		r.w.advance(int(min(int64(len(b)), m.pos-r.w.pos)))
	}
	return end
}

// drop forgets the segments that lie behind, all of which hold a part of the current record; one is kept.
func (r *Reader) drop() {
	for len(r.w.segs) > 1 && r.w.segs[0].to <= r.w.pos {
		s := &r.w.segs[0]
		s.used = true
		if s.flag != "" {
			s.told = true
			r.flag(schemas.FlagChecksum)
		}
		r.close(s)
		r.closeGaps(s)
		r.w.segs = r.w.segs[1:]
	}
}
