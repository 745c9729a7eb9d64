package record

import (
	"bytes"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// readRecord reads the record whose head stands at the current position.
func (r *Reader) readRecord() {
	seg := r.w.segmentAt(r.w.pos)
	r.rec = Record{
		Offset: seg.start, Ordinal: seg.records, Head: Head{Fields: r.rec.Head.Fields[:0]},
		Flags: r.rec.Flags[:0], Quirks: append(r.rec.Quirks[:0], r.quirks...),
	}
	if r.plain {
		r.rec.Offset, r.rec.Ordinal = r.fileOffset(r.w.pos), 0
		r.account(r.rec.Offset, &r.stats.Structure)
	}
	seg.records++
	start := r.w.pos
	r.readHead()
	r.rec.Quirks = append(r.rec.Quirks, r.rec.Head.Quirks...)
	end := r.readBlock()
	r.finish(start, end)
}

// finish sets what is known only once the record's end is: its flags, its length in the file.
func (r *Reader) finish(start, end int64) {
	if r.plain {
		to := r.fileOffset(r.w.pos)
		r.rec.Length = to - r.rec.Offset
		r.account(to, &r.stats.Delivered)
		return
	}
	alone := r.rec.Ordinal == 0
	for i := range r.w.segs {
		s := &r.w.segs[i]
		if s.to >= 0 && s.to <= start || s.from >= end && s.from > start {
			continue
		}
		s.used = true
		if s.flag != "" && s.to >= 0 && s.to <= r.w.pos && !slices.Contains(r.rec.Flags, schemas.FlagPartial) {
			r.flag(schemas.FlagChecksum) // all that follows the last good byte of a damaged member is unverified
		}
		if s.to < 0 || s.to > r.w.pos {
			alone = false
			continue
		}
		r.rec.Length = s.end - r.rec.Offset
	}
	if !alone {
		r.rec.Length = 0
	}
}

func (r *Reader) flag(f schemas.Flag) {
	for _, have := range r.rec.Flags {
		if have == f {
			return
		}
	}
	r.rec.Flags = append(r.rec.Flags, f)
}

// span returns at least n bytes from the current position on, less when they end before: at the file's end, or where
// a later member begins with a head of its own. ended tells that it is so.
func (r *Reader) span(n int) (b []byte, ended bool) {
	r.w.fill(n)
	for i := 0; i < len(r.w.segs); i++ {
		at := r.w.segs[i].from - r.w.pos
		if at <= 0 {
			continue
		}
		if at > int64(n) {
			break
		}
		b = r.w.fill(int(at) + probe)[at:] // may append to segs
		if r.g.Match(b[leadingBlank(b):], true) {
			return r.w.unread()[:at], true
		}
	}
	b = r.w.unread()
	return b, r.w.done && len(b) <= n
}

// readHead parses the head, which is copied so that it stays while the window moves.
func (r *Reader) readHead() {
	for n := probe; ; n *= 2 {
		n = min(n, r.o.MaxHead)
		b, ended := r.span(n)
		b = b[:min(len(b), n)]
		r.head = append(r.head[:0], b...)
		r.rec.Head = Head{Fields: r.rec.Head.Fields[:0]}
		size := r.g.Parse(&r.rec.Head, r.head, ended && len(b) < n)
		if size == 0 && (n == r.o.MaxHead || ended) {
			size = r.g.Parse(&r.rec.Head, r.head, true)
			r.rec.Head.Length = -1
			if !ended {
				r.flag(schemas.FlagHeader)
			}
		}
		if size > 0 {
			r.w.advance(size)
			return
		}
	}
}

// readBlock finds the block's end, keeps at most MaxBlock bytes of it, and goes behind it. It returns the decoded
// position of the end.
func (r *Reader) readBlock() int64 {
	length := r.rec.Head.Length
	if length < 0 {
		r.flag(schemas.FlagLength)
		return r.searchEnd(0)
	}
	if begin := r.w.pos; r.skipBlock(length) {
		return begin + length
	}
	if length > r.o.MaxBlock {
		return r.longBlock(r.w.pos + length)
	}
	want := int(length)
	b, ended := r.span(want + probe)
	if len(b) < want {
		return r.shortBlock(b)
	}
	if r.closes(b, want, ended) {
		return r.take(want)
	}
	r.flag(schemas.FlagLength)
	if i := r.index(b[:min(len(b), want+probe)], 1); i >= 0 && i < want {
		return r.take(trimmed(b, i))
	}
	return r.searchEnd(want)
}

// closes tells whether the block of n bytes at the start of b ends as one should: with its member, with the file,
// before a head, or with the format's separator.
func (r *Reader) closes(b []byte, n int, ended bool) bool {
	rest := b[n:min(len(b), n+probe)]
	blank := leadingBlank(rest)
	if n+blank == len(b) && ended || r.g.Match(rest[blank:], false) || r.g.Separated(rest) {
		return true
	}
	for _, s := range r.w.segs {
		if at := s.from - r.w.pos; at > 0 && at >= int64(n) && at <= int64(n+blank) {
			return true
		}
	}
	return false
}

// shortBlock takes a block that ends before its stated length, at the file's end or at another member's head.
func (r *Reader) shortBlock(b []byte) int64 {
	if f := r.damageWithin(len(b)); f != "" {
		r.flag(f)
		r.flag(schemas.FlagPartial)
		return r.take(len(b))
	}
	if i := r.index(b, 1); i >= 0 {
		r.flag(schemas.FlagLength)
		return r.take(trimmed(b, i))
	}
	if r.plain {
		r.flag(schemas.FlagPartial)
		return r.take(len(b))
	}
	r.flag(schemas.FlagLength) // the member's end is the stronger witness
	return r.take(trimmed(b, len(b)))
}

// damageWithin returns the flag of the damaged member, if any, that ends within or at the end of the next n bytes.
func (r *Reader) damageWithin(n int) schemas.Flag {
	for _, s := range r.w.segs {
		if s.to >= 0 && s.to <= r.w.pos+int64(n) && s.to >= r.w.pos && s.flag != schemas.FlagChecksum && s.flag != "" {
			return s.flag
		}
	}
	return ""
}

// searchEnd finds the end of a block whose length is not known, at or after from bytes: the next head, or the end of
// the member before one, or of the file.
func (r *Reader) searchEnd(from int) int64 {
	for n := from + minWindow; ; n *= 2 {
		n = min(n, int(r.o.MaxBlock))
		b, ended := r.span(n)
		if i := r.index(b, max(from, 1)); i >= 0 && int64(i) <= r.o.MaxBlock {
			return r.take(trimmed(b, i))
		}
		if ended {
			if f := r.damageWithin(len(b)); f != "" {
				r.flag(f)
				r.flag(schemas.FlagPartial)
			}
			return r.take(trimmed(b, len(b)))
		}
		if n == int(r.o.MaxBlock) {
			return r.longBlock(-1)
		}
		from = max(from, len(b)-probe)
	}
}

// take delivers the next n bytes as the block and goes behind the blank lines that close it.
func (r *Reader) take(n int) int64 {
	b := r.w.unread()
	r.rec.Size = int64(n)
	keep := min(n, int(r.o.MaxBlock))
	r.rec.Block = b[:keep:keep]
	end := r.w.pos + int64(n)
	r.w.advance(n + r.closing(b[n:min(len(b), n+probe)]))
	return end
}

// closing counts the line ends at the start of b, which close the record. More than the two that the format asks
// for are a quirk.
func (r *Reader) closing(b []byte) int {
	n := 0
	for n < len(b) && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	if n > len("\r\n\r\n") {
		r.rec.Quirks = append(r.rec.Quirks, "extra_blank_line")
	}
	return n
}

// trimmed returns the block's size when the next head stands at b[i]: without the blank line between them.
func trimmed(b []byte, i int) int {
	for _, sep := range []string{"\r\n\r\n", "\n\n", "\r\n", "\n"} {
		if bytes.HasSuffix(b[:i], []byte(sep)) {
			return i - len(sep)
		}
	}
	return i
}
