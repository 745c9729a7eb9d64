package record

import (
	"github.com/gleaner-web/gleaner/schemas"
)

// maxRewound bounds, beside what was read, how many decoded bytes are read a second time after a stated length that
// was wrong: past it, a long block ends at the first head in it. It keeps hostile files linear.
const maxRewound = 256 << 20

// longBlock keeps the first MaxBlock bytes of a block that is longer, and goes to its end without keeping more.
// target is the decoded position where it should end, -1 when that is not known. It returns where it ends.
func (r *Reader) longBlock(target int64) int64 {
	begin := r.w.pos
	if b, ended := r.span(int(r.o.MaxBlock)); ended || int64(len(b)) < r.o.MaxBlock {
		return r.shortBlock(b)
	}
	r.rec.Block = r.w.steal(int(r.o.MaxBlock))
	if target >= 0 && r.rewound > maxRewound+r.stats.Delivered {
		target = -1
	}
	if !r.jump(target) {
		r.skipTo(target)
	}
	end := r.w.pos
	r.rec.Size = end - begin
	r.w.advance(r.closing(r.w.fill(probe)))
	return end
}

// jump goes straight to target in an uncompressed file, when the block closes there.
func (r *Reader) jump(target int64) bool {
	if !r.plain || target < 0 {
		return false
	}
	if n := target - r.w.pos; n+probe <= int64(len(r.w.unread())) {
		if !r.closes(r.w.unread(), int(n), false) {
			return false
		}
		r.w.advance(int(n))
		return true
	}
	back := r.w.pos
	r.seek(target)
	if b := r.w.fill(probe); r.w.fail == nil && len(b) > 0 && r.closes(b, 0, r.w.done && len(b) < probe) {
		return true
	}
	r.seek(back)
	return false
}

// skipBlock goes behind a block of an uncompressed file without reading it, when it closes where it should.
func (r *Reader) skipBlock(length int64) bool {
	if !r.o.HeadsOnly || length < 0 || !r.jump(r.w.pos+length) {
		return false
	}
	r.rec.Size = length
	r.w.advance(r.closing(r.w.fill(probe)))
	return true
}

// seek moves in an uncompressed range.
func (r *Reader) seek(pos int64) {
	r.w.src.SeekPlain(r.fileOffset(pos))
	r.w.buf, r.w.r, r.w.pos, r.w.done = r.w.buf[:0], 0, pos, false
	s := r.w.segs[0]
	s.to, s.end, s.gaps = -1, 0, nil
	r.w.segs = append(r.w.segs[:0], s)
}

// skipTo streams to target, or to the block's end as its surroundings tell.
func (r *Reader) skipTo(target int64) {
	first := mark{pos: -1} // the first head seen on the way
	for {
		b, ended := r.span(minWindow)
		if first.pos < 0 {
			first = r.markHead(b)
		}
		if first.pos >= 0 && target < 0 {
			r.flag(schemas.FlagLength)
			r.w.advance(int(first.pos - r.w.pos))
			return
		}
		left := int(min(target-r.w.pos, int64(len(b))+1))
		switch {
		case target >= 0 && left <= len(b)-probe, target >= 0 && ended && left <= len(b):
			if r.closes(b, left, ended) {
				r.w.advance(left)
				return
			}
			if r.rewind(first) {
				return
			}
			r.w.advance(left)
			target = -1
		case ended:
			r.endShort(b, first)
			return
		default:
			r.w.advance(max(len(b)-probe, 1))
		}
		r.drop()
	}
}

// endShort ends a long block where the file or the run of its members ends.
func (r *Reader) endShort(b []byte, first mark) {
	if f := r.damageWithin(len(b)); f != "" {
		r.flag(f)
		r.flag(schemas.FlagPartial)
	} else if r.rewind(first) {
		return
	}
	r.flag(schemas.FlagLength)
	r.w.advance(len(b))
}

// mark is a place in the decoded stream that can be gone back to.
type mark struct {
	pos  int64
	from int64 // where its segment begins, decoded
	file int64 // and in the file
}

func (r *Reader) markHead(b []byte) mark {
	i := r.index(b, 0)
	if i < 0 {
		return mark{pos: -1}
	}
	s := r.w.segmentAt(r.w.pos + int64(i))
	return mark{pos: r.w.pos + int64(i), from: s.from, file: s.start}
}

// rewind goes back to m, which is where the block really ended.
func (r *Reader) rewind(m mark) bool {
	if m.pos < 0 {
		return false
	}
	r.flag(schemas.FlagLength)
	r.rewound += r.w.end() - m.pos
	if r.plain {
		r.seek(m.pos)
		return true
	}
	if !r.w.src.Reopen(m.file) {
		return false
	}
	r.w.buf, r.w.r, r.w.pos, r.w.done = r.w.buf[:0], 0, m.from, false
	r.w.segs = append(r.w.segs[:0], segment{from: m.from, to: -1, start: m.file, used: true})
	for r.w.pos < m.pos {
		b := r.w.fill(minWindow)
		if len(b) == 0 {
			break
		}
		r.w.advance(int(min(int64(len(b)), m.pos-r.w.pos)))
	}
	return true
}

// drop forgets the segments that lie behind, all of which hold a part of the current record; the first is kept, for
// the record began in it.
func (r *Reader) drop() {
	for len(r.w.segs) > 2 && r.w.segs[1].to >= 0 && r.w.segs[1].to <= r.w.pos {
		s := r.w.segs[0]
		s.used = true
		if !r.plain {
			r.close(&s)
		}
		r.closeGaps(&s)
		r.w.segs = append(r.w.segs[:0], r.w.segs[1:]...)
	}
}
