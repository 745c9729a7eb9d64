package record

import (
	"bytes"
	"slices"

	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// readRecord reads the record whose head is at the current position.
func (r *Reader) readRecord() {
	// Before anything is read, since reading moves the window.
	seg := r.w.segmentAt(r.w.pos)
	r.rec = Record{
		// Slices are used again from record to record: a Record is valid until the next one.
		Offset: seg.start, Ordinal: seg.records, Head: r.rec.Head.cleared(),
		Flags: r.rec.Flags[:0], Quirks: r.rec.Quirks[:0], http: r.rec.http, from: r,
	}
	// A plain file has no members, so a record is recognised by its place, and each is the first there.
	if r.plain {
		r.rec.Offset, r.rec.Ordinal = r.fileOffset(r.w.pos), 0
		r.account(r.rec.Offset, &r.stats.Structure)
	}
	seg.records++
	// Blanks after this record are told again.
	seg.odd = 0
	// Where the record begins in its member, so that it can be found again there.
	start, origin := r.w.pos, seg.from
	if r.plain {
		origin = start
	}
	r.rec.headAt = start - origin
	r.readHead()
	r.rec.blockAt = r.w.pos - origin
	r.rec.Quirks = append(r.rec.Quirks, r.rec.Head.Quirks...)
	end := r.readBlock()
	r.finish(start, end)
}

// finish sets the values that are known only at the record's end: its flags, its length in the file.
func (r *Reader) finish(start, end int64) {
	if r.plain {
		to := r.fileOffset(r.w.pos)
		r.rec.Length = to - r.rec.Offset
		r.account(to, &r.stats.Delivered)
		return
	}
	// A record is alone if its member holds nothing else, and no other member has a part of it. Only then has it a
	// length in the file.
	alone := r.rec.Ordinal == 0
	for i := range r.w.segs {
		s := &r.w.segs[i]
		// Segments are in order; the ones from here on are of later records.
		if s.from >= end && s.from > start {
			break
		}
		if s.to >= 0 && s.to <= start {
			continue
		}
		// It counts as used even if none of its own records were read.
		s.used = true
		if s.flag != "" && s.to >= 0 && s.to <= r.w.pos {
			s.told = true
			if !slices.Contains(r.rec.Flags, schemas.FlagPartial) {
				r.flag(schemas.FlagChecksum) // all that follows the last good byte of a damaged member is unverified
			}
		}
		if r.o.Doubtful(s.start) {
			r.flag(schemas.FlagUnverified)
		}
		// The segment goes on after the record: its bytes belong to another one, too.
		if s.to < 0 || s.to > r.w.pos {
			alone, s.early = false, true
			continue
		}
		r.rec.Length = s.end - r.rec.Offset
	}
	if !alone {
		r.rec.Length = 0
	}
}

// In the order of ranks, so that equal captures have equal flags, whichever was found first.
func (r *Reader) flag(f schemas.Flag) {
	if slices.Contains(r.rec.Flags, f) {
		return
	}
	r.rec.Flags = append(r.rec.Flags, f)
	slices.SortFunc(r.rec.Flags, func(a, b schemas.Flag) int { return a.Rank() - b.Rank() })
}

func (r *Reader) flagIf(yes bool, f schemas.Flag) {
	if yes {
		r.flag(f)
	}
}

// span returns the next n bytes, or fewer if the data ends before. ended is true then. Data ends at the file's end, or
// where a later member begins with a head of its own.
func (r *Reader) span(n int) (b []byte, ended bool) {
	// It makes more bytes come in, and with them more segments.
	r.w.fill(n)
	for i := 0; i < len(r.w.segs); i++ { // begins may add to them
		at := r.w.segs[i].from - r.w.pos
		if at >= int64(n) {
			break
		}
		// A member that begins at or before r.begun was judged before.
		if at >= 0 && r.w.segs[i].from > r.begun && r.begins(i) {
			return r.w.unread()[:at], true
		}
	}
	b = r.w.peek(n)
	return b, len(b) < n
}

// begins reports whether a member's data begins with a head. It judges by that member alone, as member.FindStart does.
func (r *Reader) begins(segment int) bool {
	at := int(r.w.segs[segment].from - r.w.pos)
	b := r.w.peek(at + probe)
	// Only the member's own bytes, because another head may follow.
	if s := r.w.segs[segment]; s.to >= 0 {
		b = b[:min(len(b), int(s.to-r.w.pos))]
	}
	return r.isHead(b[at:])
}

// usualHead is more than most heads have, in bytes.
const usualHead = 1 << 10

// readHead parses a copy of the head, which stays valid while the window moves.
func (r *Reader) readHead() {
	// Most heads need one turn; a hostile one costs no more than double of MaxHead in all.
	for n := usualHead; ; n *= 2 {
		n = min(n, r.o.MaxHead)
		b, ended := r.span(n)
		r.head = append(r.head[:0], b...)
		r.rec.Head = r.rec.Head.cleared()
		size := r.g.Parse(&r.rec.Head, r.head, ended)
		// Longer than allowed: it is taken as far as it goes, and its length is not believed.
		if size == 0 && n == r.o.MaxHead {
			size = r.g.Parse(&r.rec.Head, r.head, true)
			r.rec.Head.Length = -1
			r.flag(schemas.FlagHeader)
		}
		if size > 0 {
			r.w.advance(r.cutHead(size))
			r.flagIf(r.rec.Head.Damaged, schemas.FlagHead)
			return
		}
	}
}

// cutHead returns the size of the head that was read. That is size, unless a compressed archive begins within the head.
// Then the bytes from there on belong to that archive, and the head is truncated.
func (r *Reader) cutHead(size int) int {
	h := &r.rec.Head
	odd := func(c rune) bool { return c < ' ' || c > '~' }
	if !r.plain || h.Length >= 0 && len(h.Quirks) == 0 && bytes.IndexFunc(h.Line, odd) < 0 {
		return size // as nearly all are
	}
	// The bytes in memory nearly always show that there is none, so the file is not read a second time.
	if !member.HasMagic(r.w.peek(size)[:size]) {
		return size
	}
	// A place before its end, where another one may begin as that archive ends.
	at := r.changeInside(size - 1)
	if at < 1 {
		return size
	}
	r.head = append(r.head[:0], r.w.peek(at)[:at]...)
	*h = h.cleared()
	r.g.Parse(h, r.head, true)
	h.Length = -1 // its block is not there
	return at
}

// readBlock finds the block's end, keeps at most MaxBlock bytes of it, and goes after it. It returns the decoded
// position of the end. The table in docs/damage.md says which evidence decides.
func (r *Reader) readBlock() int64 {
	length := r.rec.Head.Length
	if length < 0 {
		return r.unstated(0, false)
	}
	// In a plain file a block may be skipped without being read.
	if r.plain && r.passesOver(length) {
		if end, ok := r.jump(length); ok {
			return end
		}
	}
	switch {
	// A length far beyond the file: nothing is gained by reading towards it.
	case r.plain && length > r.o.MaxBlock && r.w.pos+length > r.rng.Size-r.rng.Start:
		return r.unstated(1, true)
	case length > r.o.MaxBlock:
		return r.longBlock(length, true)
	}
	want := int(length)
	// probe bytes more, by which is seen what follows the block.
	b, ended := r.span(want + probe)
	switch {
	case len(b) < want:
		return r.shortBlock(b)
	case !r.ends(b, want, ended):
		return r.openBlock(b, want)
	case r.closedAsUsual(b[want:min(len(b), want+probe)]):
		return r.take(want)
	}
	return r.oddEnd(b, want)
}

// closedAsUsual reports whether rest, the bytes after a block, begins with a record separator and no further line end.
func (r *Reader) closedAsUsual(rest []byte) bool {
	n := r.g.Separator(rest)
	return n > 0 && (n == len(rest) || rest[n] != '\r' && rest[n] != '\n')
}

// unstated takes a block whose length is unknown, or goes far beyond the file's end. The block ends where its HTTP
// message ends, if a record may end there. Otherwise searchEnd finds its end.
func (r *Reader) unstated(from int, overrun bool) int64 {
	// HTTP knows its own end by Content-Length or chunks.
	if end := r.messageEnd(); end >= 0 && r.endsAt(end) {
		r.flag(schemas.FlagLength)
		return r.take(end)
	}
	if !overrun {
		r.flag(schemas.FlagLength)
	}
	return r.searchEnd(from, overrun)
}

// ends reports whether the block of n bytes at the start of b ends correctly: with its member, with the file, or before
// a head.
func (r *Reader) ends(b []byte, n int, ended bool) bool {
	rest := b[n:min(len(b), n+probe)]
	blank := leadingBlank(rest)
	switch {
	// The length ends between CR and LF: one byte too short or too long.
	case n > 0 && b[n-1] == '\r' && bytes.HasPrefix(rest, []byte("\n\r\n")): // a line end cut in two
		return false
	case n+blank == len(b) && ended:
		// Nothing but blank lines up to the end.
		return true
	case r.g.Match(rest[blank:], false):
		// Without a blank line the head may be one that is in the middle of the block's last line.
		return blank > 0 || !r.headBefore(b, n)
	}
	if r.otherFormat(rest[blank:]) != nil {
		return blank > 0
	}
	// Or a member ends there, which is as good as a head.
	return r.w.border(n, n+blank+1) <= n+blank
}

// closes reports whether the block of n bytes at the start of b ends as one should, or at least before the format's
// separator. A separator may be in any text. So it does not count if the block holds a head, as it does if a wrong
// length runs into the next record.
func (r *Reader) closes(b []byte, n int, ended bool) bool {
	return r.ends(b, n, ended) || r.g.Separator(b[n:]) > 0 && r.index(b[:n], 1, true) < 0
}

// lookBack is how many bytes before the stated end of a block headBefore begins to search for a head. A wrong length
// may end within the first words of the next head: of "http:" in an ARC file, "ttp:" is left.
const lookBack = 16

func (r *Reader) headBefore(b []byte, n int) bool {
	// From 1 at least: at 0 stands the block's own beginning. Leniently, as it may be damaged like the one at the end.
	for i := max(1, n-lookBack); i < n; i++ {
		if i = r.g.Index(b, i); i < 0 || i >= n {
			return false
		}
		if r.g.Match(b[i:min(len(b), i+probe)], false) {
			return true
		}
	}
	return false
}

// shortBlock takes a block that ends before its stated length, at the file's end or at another member's head.
func (r *Reader) shortBlock(b []byte) int64 {
	// It reads on, so b may have to be fetched again.
	end := r.messageEnd()
	b = r.w.peek(len(b)) // it may have been moved
	if end >= 0 && end < len(b) && r.ends(b, end, true) {
		r.flag(schemas.FlagLength)
		return r.take(end)
	}
	i := r.completeHead(b, 1, true)
	// A plain file has no other witness, so a weaker head counts as well.
	if i < 0 && r.plain {
		i = r.index(b, 1, true)
	}
	i = before(i, len(b))
	// Where a member is damaged, what looks like a head may be a product of the damage.
	if i = r.headOrChange(b, i); i < len(b) && r.damageWithin(len(b)) == "" {
		r.flag(schemas.FlagLength)
		return r.take(trimmed(b, i))
	}
	return r.lastBlock(b, true)
}

// before returns i, or n if i is negative.
func before(i, n int) int {
	if i < 0 {
		return n
	}
	return i
}

// lastBlock takes a block that reaches to the end of b, where the file or the run of its members ends. If overrun is
// true, its stated length goes beyond that; in a compressed file the member's end is more reliable.
func (r *Reader) lastBlock(b []byte, overrun bool) int64 {
	// A part is missing: trailing line ends may belong to the block.
	if r.cutHere(len(b), overrun) {
		return r.take(len(b))
	}
	return r.take(trimmed(b, len(b)))
}

// cutHere flags a block that ends after n bytes because the data ends. It reports whether a part of the block is
// missing.
func (r *Reader) cutHere(n int, overrun bool) bool {
	f := r.damageWithin(n)
	switch {
	case f != "":
		r.flag(f)
		r.flag(schemas.FlagPartial)
	case overrun && r.plain:
		r.flag(schemas.FlagPartial)
	// In a sound member the end is where the writer put it, so the length in the head was wrong.
	default:
		r.flag(schemas.FlagLength)
		return false
	}
	return true
}

// damageWithin returns the flag of the damaged member, if any, that ends within or at the end of the next n bytes.
func (r *Reader) damageWithin(n int) schemas.Flag {
	for i := range r.w.segs {
		s := &r.w.segs[i]
		if s.from > r.w.pos+int64(n) {
			break
		}
		// A wrong checksum alone does not mean that bytes are missing.
		if s.to >= 0 && s.to <= r.w.pos+int64(n) && s.to >= r.w.pos && s.flag != schemas.FlagChecksum && s.flag != "" {
			return s.flag
		}
	}
	return ""
}

// searchEnd finds the end of a block of unknown length, at or after from bytes. It is the next head, the end of the
// member before one, or the end of the file.
func (r *Reader) searchEnd(from int, overrun bool) int64 {
	// One byte more than MaxBlock and a probe: so it is seen whether the block is longer.
	limit, first := int(r.o.MaxBlock)+probe+1, from
	// Twice as much each time, so that the work is linear in the block's size.
	for n := from + minWindow; ; n *= 2 {
		n = min(n, limit)
		b, ended := r.span(n)
		i := r.completeHead(b, from, ended)
		if i < 0 && ended && r.plain { // in a member, its end tells more than a head that lacks something
			i = r.indexAny(b, first, true)
		}
		if i < 0 && ended {
			i = len(b)
		}
		if i >= 0 {
			i = r.headOrChange(b, i)
		}
		switch {
		case i >= 0 && i < len(b):
			r.flag(schemas.FlagLength)
			return r.take(trimmed(b, i))
		case ended:
			return r.lastBlock(b, overrun)
		}
		if n == limit {
			return r.longBlock(-1, overrun)
		}
		// Searched bytes are not searched again, except for the last ones, in which a head may begin.
		from = max(from, len(b)-probe)
	}
}

// take delivers the next n bytes as the block and goes after the blank lines that close it.
func (r *Reader) take(n int) int64 {
	// Called first, because it may move what b pointed to.
	closing := r.closing(n) // may move the window's bytes
	r.rec.Size = int64(n)
	keep := min(n, int(r.o.MaxBlock))
	// The third index keeps appends from writing into the window.
	r.rec.Block = r.w.unread()[:keep:keep]
	end := r.w.pos + int64(n)
	r.w.advance(n + closing)
	return end
}

// closing counts the line ends after the next n bytes, in the same member, which close the record. More than the two
// that the format asks for are a quirk.
func (r *Reader) closing(n int) int {
	b := r.w.peek(n + probe)
	// Not beyond the member: line ends that begin the next one belong to that.
	b = b[n:r.w.border(n, len(b))]
	k := 0
	for k < len(b) && (b[k] == '\r' || b[k] == '\n') {
		k++
	}
	if k > len("\r\n\r\n") {
		r.rec.Quirks = append(r.rec.Quirks, "extra_blank_line")
	}
	return k
}
