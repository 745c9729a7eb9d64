package record

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// maxRewound limits how many decoded bytes, besides those already read, are read a second time after a wrong stated
// length. Beyond it, a long block ends at the first head in it. It keeps hostile files linear.
const maxRewound = 256 << 20

// jumpStep is the number of bytes to read after a jump. They hold a head, or several small records, and the beginning
// of the next long block.
const jumpStep = 16 << 10

// minJump is the minimum number of bytes that makes a jump worthwhile. The read at its target takes about as long as
// reading so many bytes.
const minJump = 8 << 10

// passesOver reports whether a block of length bytes in an uncompressed file is to be jumped over.
func (r *Reader) passesOver(length int64) bool {
	// A record of which only the head is asked for is jumped over when most of its block is not in memory yet.
	return length > r.o.MaxBlock || r.o.HeadsOnly && r.w.pos+length-minJump > r.w.end()
}

// jump takes a block of length bytes in an uncompressed file, and reads only the kept part. It first checks in the file
// that the block ends correctly. It returns the decoded position of the end.
func (r *Reader) jump(length int64) (end int64, ok bool) {
	back := min(length, lookBack)
	end = r.w.pos + length
	off := r.fileOffset(end) - back
	// The block goes beyond the file: then it has to be searched for its end.
	if off+back > r.rng.Size {
		return 0, false
	}
	next, err := r.look(off)
	// After an error of reading the file, nothing more is read.
	if err != nil {
		r.w.fail, r.w.done = err, true
		return 0, false
	}
	if !r.closesAt(next, int(back), length) {
		// The bytes go back as spare memory, for nothing else was done with them.
		r.w.spare = next
		return 0, false
	}
	keep := min(length, r.o.MaxBlock)
	if r.o.HeadsOnly {
		// A beginning is kept, by which HTTP heads can be read.
		keep = min(keep, preview)
	}
	block := r.w.peek(int(keep))
	r.rec.Block, r.rec.Size = block[:len(block):len(block)], length
	// Reading continues after the examined bytes, and the window moves there.
	r.w.src.SeekPlain(off + int64(len(next)))
	r.w.leap(next, int(back), end)
	r.w.advance(r.closing(0))
	return end, true
}

// look returns the bytes at off, from the file's start, that a jump examines.
func (r *Reader) look(off int64) ([]byte, error) {
	// Not beyond the file, as it was when reading began.
	n := min(jumpStep, r.rng.Size-off)
	next := r.w.buffer(minWindow)
	k, err := r.src.ReadAt(next[:n], off)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading at byte %d: %w", off, err)
	}
	return next[:k], nil
}

// closesAt reports whether a block of length bytes closes as it should, the last back bytes of which b begins with.
func (r *Reader) closesAt(b []byte, back int, length int64) bool {
	// The look reaches to the file's end.
	b = b[:min(len(b), back+probe)]
	ended := len(b) < back+probe
	if len(b) < back || !r.closes(b, back, ended) {
		return false
	}
	if length > r.o.MaxBlock {
		return true
	}
	// A separator without a head after it is trusted where there is no head in the block, and an odd one where other
	// witnesses agree. Readers of blocks of this length search them, so those that skip them must trust neither.
	rest := SkipBlank(b[back:])
	return r.closedAsUsual(b[back:]) && (len(rest) == 0 && ended || r.g.Match(rest, false))
}

// longBlock keeps the first MaxBlock bytes of a longer block, and goes to its end without keeping more. An unknown
// length is -1. It returns the decoded position of the end.
func (r *Reader) longBlock(length int64, overrun bool) int64 {
	// Kept as a position and not as a slice, since the window moves while streaming.
	begin := r.w.pos
	b, ended := r.span(int(r.o.MaxBlock) + probe + 1)
	// It is not longer after all: everything is at hand.
	if ended && int64(len(b)) < length {
		return r.shortBlock(b)
	}
	first := r.mark(b, ended)
	// Going back has cost enough by now: the block ends at the first head, whether that is in it or not.
	if first.pos >= 0 && r.rewound > maxRewound+r.stats.Delivered {
		r.flag(schemas.FlagLength)
		return r.take(int(first.pos-begin) - first.separator)
	}
	target := int64(-1)
	if length >= 0 {
		target = begin + length
	}
	// Memory of its own, since streaming needs the window.
	r.rec.Block = r.w.steal(min(int(r.o.MaxBlock), len(b)))
	end := r.skipTo(target, first, overrun)
	r.rec.Size = end - begin
	// The end may turn out to be before the kept bytes.
	r.rec.Block = r.rec.Block[:min(int64(len(r.rec.Block)), r.rec.Size)]
	r.w.advance(r.closing(0))
	return end
}

// skipTo streams to target, or to an earlier or later end of the block if the bytes around target prove it wrong. It
// returns the offset of the end. first is the first head that was seen in the block.
func (r *Reader) skipTo(target int64, first mark, overrun bool) int64 {
	for {
		// A window at a time, of which the last probe bytes are seen again in the next turn.
		b, ended := r.span(minWindow)
		if first.pos < 0 {
			first = r.mark(b, ended)
		}
		// The target is in sight with enough after it to tell.
		if left := target - r.w.pos; target >= 0 && (left <= int64(len(b)-probe) || ended && left <= int64(len(b))) {
			if r.closes(b, int(left), ended) {
				r.w.advance(int(left))
				return target
			}
			if first.pos < 0 && !r.goesOn(b[:min(len(b), int(left)+probe)], int(left)) {
				r.flag(schemas.FlagLength)
				r.w.advance(int(left))
				return target
			}
			// The stated length is not believed any more: from here on the next head ends the block.
			target = -1
		}
		switch {
		case target < 0 && first.pos >= 0:
			return r.endAtHead(first)
		// The end came before the target. The record ended at the first head that was seen, unless damage made it up.
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
		// One byte less than was looked at, so that a line begins before the first.
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
	i := r.completeHead(b, 1, whole)
	if i < 0 {
		return mark{pos: -1}
	}
	at := r.w.pos + int64(i)
	return mark{pos: at, separator: i - trimmed(b, i), segment: *r.w.segmentAt(at)}
}

// endAtHead ends a long block before the head at m, which lies ahead or, after a stated length that was wrong, after.
func (r *Reader) endAtHead(m mark) int64 {
	r.flag(schemas.FlagLength)
	end := m.pos - int64(m.separator)
	// Ahead: it is reached by going on.
	if m.pos >= r.w.pos {
		r.w.advance(int(m.pos - r.w.pos))
		return end
	}
	// Bytes are read a second time, which maxRewound limits.
	r.rewound += r.w.end() - m.pos
	if r.plain {
		s := r.w.segs[0]
		r.w.src.SeekPlain(r.fileOffset(m.pos))
		r.w.restart(s)
		r.w.pos = m.pos
		return end
	}
	if !r.w.src.Reopen(m.segment.start) { // it could be opened before
		return r.w.pos
	}
	m.segment.used = true
	r.w.restart(m.segment)
	// Decoded again from the member's beginning, up to the head.
	for r.w.pos < m.pos {
		b := r.w.fill(minWindow)
		if len(b) == 0 {
			break
		}
		r.w.advance(int(min(int64(len(b)), m.pos-r.w.pos)))
	}
	return end
}

// drop forgets the segments that lie after, all of which hold a part of the current record; one is kept.
func (r *Reader) drop() {
	// The last one is kept: reading is in it.
	for len(r.w.segs) > 1 && r.w.segs[0].to <= r.w.pos {
		s := &r.w.segs[0]
		s.used = true
		if s.flag != "" {
			s.told = true
			r.flag(schemas.FlagChecksum)
		}
		if r.o.Doubtful(s.start) {
			r.flag(schemas.FlagUnverified)
		}
		r.close(s)
		r.closeGaps(s)
		r.w.segs = r.w.segs[1:]
	}
}
