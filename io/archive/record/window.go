package record

import (
	"errors"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/member"
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
	garbage    int64 // decoded bytes in it that are not a record
	flag       schemas.Flag
	told       bool         // a record carries a flag for flag
	early      bool         // a record that it holds a part of was delivered before its end was reached
	gaps       []member.Gap // that follow it
}

// window is the part of the decoded stream that is in memory, over however many segments.
type window struct {
	src     *member.Reader
	buf     []byte // buf[r:] is unread
	r       int
	pos     int64 // decoded position of buf[r]
	segs    []segment
	ring    []segment // memory of segs
	ahead   int       // bytes to read at once, when no more are asked for
	lent    []byte    // a buffer given away to the current record
	spare   []byte    // a buffer of no use now
	done    bool      // the source is at its end
	fail    error     // an error of the file itself
	arrived int64     // once done: where in the file the source came to its end
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

// peek returns the next n bytes, fewer when the source ends before. Unlike the result of fill, that does not depend on
// the amount in the buffer, so decisions are the same wherever reading began.
func (w *window) peek(n int) []byte {
	b := w.fill(n)
	return b[:min(len(b), n)]
}

// minWindow is what the buffer holds at least; larger blocks make it grow to what they need.
const minWindow = 512 << 10

// more reads once from the source.
func (w *window) more(n int) {
	if len(w.segs) == 0 || w.segs[len(w.segs)-1].to >= 0 {
		w.nextSegment()
		return
	}
	w.reserve(n)
	end := min(cap(w.buf), len(w.buf)+min(max(w.ahead, n-len(w.unread())), maxStep))
	b, err := w.src.Append(w.buf[:len(w.buf):end])
	w.buf = w.buf[:len(b)]
	if err == nil {
		return
	}
	last := &w.segs[len(w.segs)-1]
	last.to = w.end()
	if err != io.EOF {
		w.damaged(last, err)
	}
	w.nextSegment()
}

// damaged notes why the segment s did not end well.
func (w *window) damaged(s *segment, err error) {
	var damage *member.Damage
	switch {
	case err == member.ErrChecksum:
		s.flag = schemas.FlagChecksum
	case errors.As(err, &damage):
		s.flag = schemas.FlagInflate
		if damage.Kind == schemas.KindTruncated {
			s.flag = schemas.FlagPartial
		}
	default:
		w.fail, w.done = err, true
	}
}

// maxStep limits the bytes decoded in one call: while a decoder is in assembly, the garbage collector waits.
const maxStep = 1 << 20

// readAhead is the number of bytes of an uncompressed file that are read at once. Bytes beyond a record must be moved
// at the buffer's end, and with fewer the calls cost more. Measured: 64 KiB is best by a little.
const readAhead = 64 << 10

// minRoom is the least room to read into that is worth a call.
const minRoom = 32 << 10

// reserve makes room to read into. It moves the unread bytes, and the history that the source needs, to the front. It
// does so only if n bytes do not fit otherwise, and if enough was consumed to pay for the move. A buffer that large
// blocks made grow is used no further than necessary, so that its front stays in the processor's cache.
func (w *window) reserve(n int) {
	from := w.kept()
	keep, history := len(w.buf)-from, w.r-from
	size := history + n
	used := min(cap(w.buf), max(minWindow, size))
	hasRoom := cap(w.buf)-len(w.buf) >= minRoom
	switch {
	case used-len(w.buf) >= max(minRoom, n-len(w.unread())), hasRoom && size > cap(w.buf):
	case keep+minRoom <= cap(w.buf) && from >= min(keep, max(n/8, history/2)):
		w.buf = w.buf[:copy(w.buf, w.buf[from:])]
		w.r -= from
	case !hasRoom:
		w.grow(from, size+n/8)
	}
}

// grow moves the buffer's bytes after from to a buffer of size bytes. The buffer is at most eight times as large as its
// content, because a stated length may be wrong. For a long history it makes as much room again, for that has to be
// moved each time.
func (w *window) grow(from, size int) {
	if 8*cap(w.buf) < size { // with less than that, the last step would be a small one
		size = 4 * cap(w.buf)
	}
	next := w.buffer(max(minWindow, len(w.buf)-from+max(minRoom, w.r-from), size))
	w.buf, w.spare = append(next, w.buf[from:]...), w.buf
	w.r -= from
}

// kept returns the start of the needed bytes in buf: unread ones, or those of the current member that the source needs
// as history.
func (w *window) kept() int {
	last := &w.segs[len(w.segs)-1]
	if last.to >= 0 {
		return w.r
	}
	history := min(w.end()-last.from, int64(w.src.History()), int64(len(w.buf)))
	return min(w.r, len(w.buf)-int(history))
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
		w.push(segment{
			from: w.end(), to: w.end(), start: step.End, end: step.End, blank: true,
			gaps: append([]member.Gap(nil), step.Gaps...),
		})
	}
	if err != nil {
		w.done, w.arrived = true, step.Start
		if err != io.EOF {
			w.fail = err
		}
		return
	}
	w.push(segment{from: w.end(), to: -1, start: step.Start, blank: true})
}

// push adds a segment. When the memory is used up, it goes back to its beginning, or grows where too little was freed.
func (w *window) push(s segment) {
	if n := len(w.segs); n == cap(w.segs) {
		if cap(w.ring) < 2*(n+1) {
			w.ring = make([]segment, 0, 4*(n+1))
		}
		w.segs = append(w.ring, w.segs...)
	}
	w.segs = append(w.segs, s)
}

// advance goes n bytes on.
func (w *window) advance(n int) {
	w.r += n
	w.pos += int64(n)
}

// steal returns the next n bytes and lends their buffer away, so that they stay while the window goes on.
func (w *window) steal(n int) []byte {
	b := w.buf[w.r : w.r+n : w.r+n]
	w.advance(n)
	from := w.kept()
	next := w.buffer(max(minWindow, len(w.buf)-from+minRoom))
	w.lent = w.buf
	w.buf = append(next, w.buf[from:]...)
	w.r -= from
	return b
}

// reclaim takes back the buffer lent to a record that is gone.
func (w *window) reclaim() {
	if w.lent != nil {
		w.spare, w.lent = w.lent, nil
	}
}

// buffers holds what closed windows leave to new ones: those of the ranges of a file grow to the same size.
var buffers sync.Pool // of *[]byte

// maxKept is the largest buffer that is left to others, in bytes.
const maxKept = 16 << 20

// errClosed is what reading on after Close gives.
var errClosed = errors.New("the reader is closed")

// close ends the window and leaves its memory to others.
func (w *window) close() {
	if w.fail == errClosed {
		return
	}
	for _, b := range [][]byte{w.buf, w.spare, w.lent} {
		if cap(b) > 0 && cap(b) <= maxKept {
			buffers.Put(&b)
		}
	}
	w.buf, w.spare, w.lent, w.r, w.done, w.fail = nil, nil, nil, 0, true, errClosed
}

// buffer returns an empty buffer of n bytes at least.
func (w *window) buffer(n int) []byte {
	if b := w.spare; cap(b) >= n {
		w.spare = nil
		return b[:0]
	}
	// Planning looks at very many small files, each by a window of its own.
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:0]
	}
	return make([]byte, 0, n)
}

// segmentAt returns the segment in which the decoded position at stands; at a border, the one that begins there.
func (w *window) segmentAt(at int64) *segment {
	i := 0
	for i+1 < len(w.segs) && w.segs[i+1].from <= at {
		i++
	}
	return &w.segs[i]
}

// border returns the first place of from to limit bytes after the current position at which a member begins, limit
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

// leap goes to pos in an uncompressed range. The bytes there, up to the last that the source has read, are next[r:].
// The old buffer is lent to the reader that made next.
func (w *window) leap(next []byte, r int, pos int64) {
	old := w.buf
	w.restart(w.segs[0])
	w.lent, w.buf, w.r, w.pos = old, next, r, pos
}

// restart empties the window, for the source was moved to where s begins and pos stands.
func (w *window) restart(s segment) {
	s.to, s.gaps = -1, nil
	w.buf, w.r, w.pos, w.done = w.buf[:0], 0, s.from, false
	w.segs = append(w.segs[:0], s)
}
