package record

import (
	"errors"
	"io"

	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// segment is the decoded data of one member, or of a whole uncompressed range.
type segment struct {
	from, to   int64 // decoded positions; to is -1 while the end is not known
	start, end int64 // bytes of the file; end is not known while to is not
	records    int   // that begin in it
	used       bool  // a record that began earlier goes on in it
	odd        uint8 // kinds of blank lines seen in it since the last record, a bit each
	blank      bool  // nothing but blank lines was seen in it
	garbage    int64 // decoded bytes in it that are no record
	flag       schemas.Flag
	told       bool         // a record carries a flag for flag
	gaps       []member.Gap // that follow it
}

// window is the part of the decoded stream that is in memory, over however many segments.
type window struct {
	src  *member.Reader
	buf  []byte // buf[r:] is unread
	r    int
	pos  int64 // decoded position of buf[r]
	segs []segment
	done bool  // the source is at its end
	fail error // an error of the file itself
}

// unread returns the bytes from the current position on.
func (w *window) unread() []byte { return w.buf[w.r:] }

// end returns the decoded position up to which bytes are in memory.
func (w *window) end() int64 { return w.pos + int64(len(w.buf)-w.r) }

// fill makes at least n bytes available, unless the source ends before, and returns all that are.
func (w *window) fill(n int) []byte {
	for len(w.buf)-w.r < n && !w.done {
		w.more(n)
	}
	return w.unread()
}

// peek returns the next n bytes, fewer when the source ends before. Unlike what fill returns, that does not depend on
// how much happens to be buffered, so what is decided by it is decided the same way wherever reading began.
func (w *window) peek(n int) []byte {
	b := w.fill(n)
	return b[:min(len(b), n)]
}

// minWindow is what the buffer holds at least; larger blocks make it grow to what they need.
const minWindow = 256 << 10

// more reads once from the source.
func (w *window) more(n int) {
	if len(w.segs) == 0 || w.segs[len(w.segs)-1].to >= 0 {
		w.nextSegment()
		return
	}
	w.reserve(n)
	k, err := w.src.Read(w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+k]
	if err == nil {
		return
	}
	last := &w.segs[len(w.segs)-1]
	last.to = w.end()
	var damage *member.Damage
	switch {
	case err == io.EOF:
	case err == member.ErrChecksum:
		last.flag = schemas.FlagChecksum
	case errors.As(err, &damage):
		last.flag = schemas.FlagInflate
		if damage.Kind == schemas.KindTruncated {
			last.flag = schemas.FlagPartial
		}
	default:
		w.fail, w.done = err, true
	}
	w.nextSegment()
}

// reserve makes room to read into, so that n unread bytes fit. It moves the unread bytes to the front when enough was
// consumed before them to pay for that, and grows the buffer otherwise, to at most an eighth more than n.
func (w *window) reserve(n int) {
	have := len(w.buf) - w.r
	if len(w.buf) < cap(w.buf) && w.r+n <= cap(w.buf) {
		return
	}
	if have < cap(w.buf) && (have <= w.r || n <= cap(w.buf) && w.r >= n/8) {
		copy(w.buf[:have], w.buf[w.r:])
		w.buf, w.r = w.buf[:have], 0
		return
	}
	b := make([]byte, have, max(minWindow, min(4*cap(w.buf), n+n/8), have+have/8+1))
	copy(b, w.buf[w.r:])
	w.buf, w.r = b, 0
}

// nextSegment steps the source to its next member.
func (w *window) nextSegment() {
	if w.done {
		return
	}
	step, err := w.src.Next()
	if n := len(w.segs); n > 0 {
		w.segs[n-1].end = step.End
		w.segs[n-1].gaps = append([]member.Gap(nil), step.Gaps...)
	} else if len(step.Gaps) > 0 {
		w.segs = append(w.segs, segment{
			from: w.end(), to: w.end(), start: step.End, end: step.End, blank: true,
			gaps: append([]member.Gap(nil), step.Gaps...),
		})
	}
	if err != nil {
		w.done = true
		if err != io.EOF {
			w.fail = err
		}
		return
	}
	w.segs = append(w.segs, segment{from: w.end(), to: -1, start: step.Start, blank: true})
}

// advance goes n bytes on.
func (w *window) advance(n int) {
	w.r += n
	w.pos += int64(n)
}

// steal returns the unread bytes and gives their buffer away, so that they outlive the window.
func (w *window) steal(n int) []byte {
	b := w.buf[w.r : w.r+n : w.r+n]
	rest := w.buf[w.r+n:]
	w.buf = append(make([]byte, 0, max(minWindow, len(rest))), rest...)
	w.r = 0
	w.pos += int64(n)
	return b
}

// segmentAt returns the segment in which the decoded position at stands; at a border, the one that begins there.
func (w *window) segmentAt(at int64) *segment {
	i := 0
	for i+1 < len(w.segs) && w.segs[i+1].from <= at {
		i++
	}
	return &w.segs[i]
}

// border returns the first place of from to limit bytes behind the current position at which a member begins, limit
// when none does before.
func (w *window) border(from, limit int) int {
	for i := range w.segs {
		if at := w.segs[i].from - w.pos; at >= int64(limit) {
			break
		} else if at >= int64(from) {
			return int(at)
		}
	}
	return limit
}

// restart empties the window, for the source was moved to where s begins and pos stands.
func (w *window) restart(s segment) {
	s.to, s.gaps = -1, nil
	w.buf, w.r, w.pos, w.done = w.buf[:0], 0, s.from, false
	w.segs = append(w.segs[:0], s)
}
