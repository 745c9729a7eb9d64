package record

import (
	"bytes"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// openBlock takes a block whose stated length, want, leads to a place where no record ends, though the archive goes on
// there. Either the length is wrong, or what stood after the block was overwritten; other witnesses tell which.
func (r *Reader) openBlock(b []byte, want int) int64 {
	// A matching digest is the best witness: the length is right, whatever follows.
	if r.g.Confirms(&r.rec.Head, b[:want]) {
		return r.take(want)
	}
	message := r.messageEnd()
	// The same bytes again, which may lie elsewhere in memory by now.
	b, ended := r.span(want + probe) // messageEnd may have read on
	inside := r.headInside(b, want, ended)
	s := supposed{size: want, confirmed: message == want}
	// Where HTTP contradicts the length, a separator at its place is chance.
	if message < 0 || s.confirmed {
		s.separator = r.g.Separator(b[want:])
	}
	// HTTP first, because it is exact; it counts only if a record ends there, too.
	if message >= 0 && message != want && r.endsAt(message) {
		r.flag(schemas.FlagLength)
		return r.take(message)
	}
	b, _ = r.span(want + probe) // endsAt may have moved it
	if !s.certain() {
		if other := r.otherInside(b, before(inside, want), want); other >= 0 {
			inside = other
		}
	}
	switch {
	case inside >= 0:
		inside = r.headOrChange(b, inside)
	case !s.certain():
		inside = r.changeInside(want)
	}
	if inside >= 0 {
		r.flag(schemas.FlagLength)
		// The blank line before that head is not part of the block.
		return r.take(trimmed(b, inside))
	}
	return r.searchAfter(s)
}

// supposed is a stated length that leads to a place where no record ends, and what speaks for it all the same.
type supposed struct {
	size      int
	separator int  // bytes of what closes a record that are there
	confirmed bool // it is where HTTP says that the message ends
}

// certain reports whether the block ends there beyond doubt: any text contains a single line end, as ARC files have it.
func (s supposed) certain() bool { return s.separator > 1 || s.separator > 0 && s.confirmed }

// leadsTo reports whether a record in b is the last one before want. It ends at end, or has no stated end if that is
// -1.
func leadsTo(b []byte, end, want int) bool {
	return end >= 0 && end <= want && want <= end+leadingBlank(b[end:min(len(b), end+probe)])
}

// oddEnd takes a block of want bytes with a record's end after it, but not as the format closes a record. Lengths that
// are wrong by a few bytes lead there too. It flags the length if a separator is a little before or after, and nothing
// shows which of the two ends is right.
func (r *Reader) oddEnd(b []byte, want int) int64 {
	// After all line ends, where the next head is.
	head := want + lineEnds(b[want:min(len(b), want+probe)])
	end := r.separatedEnd(b[:head])
	unclosed := end < want && r.recordFollows(b, head)
	message := want
	// A digest or a record that describes others decides for the length at once; only else is HTTP asked, which
	// costs more.
	if end >= 0 && end <= want+maxMissed && !r.g.Describes(&r.rec.Head) && !r.g.Confirms(&r.rec.Head, b[:want]) {
		message = r.messageEnd()
	}
	// The two agree, or nobody objects: the length stands.
	if message == want {
		if unclosed {
			r.rec.Quirks = append(r.rec.Quirks, schemas.QuirkUnclosed)
		}
		return r.take(want)
	}
	r.flag(schemas.FlagLength)
	if message >= 0 && r.endsAt(message) {
		return r.take(message)
	}
	// HTTP knows of another length, but nothing ends there either.
	return r.take(want)
}

// maxMissed limits the final line ends of a block that its stated length may leave out, in bytes. Few pages end with
// more, and some writers put more between records.
const maxMissed = len("\r\n\r\n")

// recordFollows reports whether after the n bytes of b, with which a record ends, the file continues with another one.
func (r *Reader) recordFollows(b []byte, n int) bool {
	// Bytes beyond b count as following if a member begins there.
	if n < len(b) || r.w.border(n, n+1) == n {
		return true
	}
	return !r.plain && r.w.done && r.w.arrived < r.whole.Size // it is the next range's
}

// separatedEnd returns the end of the block in b before its separator, or -1 if b does not end with one.
func (r *Reader) separatedEnd(b []byte) int {
	// Nearest first: a short separator may be the end of a longer one.
	for end := len(b) - 1; end >= max(0, len(b)-len("\r\n\r\n")); end-- {
		if r.g.Separator(b[end:]) == len(b)-end {
			return end
		}
	}
	return -1
}

// lineEnds counts the bytes of line ends that b begins with.
func lineEnds(b []byte) int {
	n := 0
	for n < len(b) && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	return n
}

// endsAt reports whether the block ends properly after n bytes. It reads as far as needed; n may be beyond the bytes in
// memory.
func (r *Reader) endsAt(n int) bool {
	b, ended := r.span(n + probe)
	return n <= len(b) && r.ends(b, n, ended)
}

// messageEnd returns the end of the block by its content: the length of the body in the HTTP head, or the last chunk.
// It is -1 if the block does not state its end, or continues after the kept bytes. It is also -1 if the HTTP head runs
// on into another archive, because then its values for the body belong to a later record.
func (r *Reader) messageEnd() int {
	// Longer blocks are not kept, so their end is found by other means.
	limit := int(r.o.MaxBlock)
	for n := minWindow; ; n *= 2 {
		// Twice as much each time: most messages say it in their head.
		n = min(n, limit)
		b, ended := r.span(n)
		end, payload, more := r.message(b)
		switch {
		case end < 0 && more && !ended && n < limit:
		case end >= 0 && member.HasMagic(b[:payload]) && r.changeInside(payload) >= 0:
			return -1
		default:
			return end
		}
	}
}

// message returns the end of the HTTP message at the start of b and the start of its payload. The end is -1 if the
// message does not state one. more is true if b is too short to tell.
func (r *Reader) message(b []byte) (end, payload int, more bool) {
	// The record's own parser is borrowed for a block that is not settled yet, and left as it was.
	r.rec.Block, r.rec.parsed = b, false
	m := r.rec.HTTP()
	r.rec.Block, r.rec.parsed = nil, false
	if m == nil {
		return -1, 0, false
	}
	// Body is a part of b's end, so the difference is where it begins.
	payload = len(b) - len(m.Body)
	size, more := httpmsg.BodyLength(m)
	// Compared without a sum, which could overflow.
	if size < 0 || size > r.o.MaxBlock-int64(payload) {
		return -1, payload, more
	}
	return payload + int(size), payload, more
}

// headInside searches the block of want bytes at the start of b for a head that proves its stated length wrong. It
// returns the head's offset, or -1. An archive that is stored in the record has heads too, but its records lead to the
// block's end. A page about archives may show heads, but they are not complete and lead nowhere.
//
// A head at offset 0 means that the head was written twice.
func (r *Reader) headInside(b []byte, want int, ended bool) int {
	at := 0
	for range maxShown {
		i := r.index(b, at, ended)
		if i < 0 || i >= want {
			return -1
		}
		// Its records are followed by their lengths: whether they end where the block does tells an archive from a
		// wrong length.
		end, complete := r.follow(b, i, want)
		if leadsTo(b, end, want) {
			return -1
		}
		// Either it has all that a record must have, or its own length leads to where another record ends.
		if complete || end > want && r.endsAt(end) {
			return i
		}
		b = r.w.peek(len(b)) // it may have been moved
		// After the bytes that it covers: heads within them belong to it.
		at = max(i+1, end)
	}
	// After so many, only complete heads count, which are found in one go.
	if i := r.completeHead(b, at, ended); i < want {
		return i
	}
	return -1
}

// maxShown limits how many incomplete heads in a block are followed. Without it, records that each state a length
// beyond many others would take time by the square of their number.
const maxShown = 64

// bare is a stretch of the decoded stream in which no complete head stands. It is looked at once, however many records
// state lengths that lead into it.
type bare struct{ from, to int64 }

// completeHead is index for a head that has what every record must have: pages show others.
func (r *Reader) completeHead(b []byte, from int, whole bool) int {
	begun := r.w.pos + int64(from)
	// The search skips a stretch that is known to hold none.
	if begun >= r.bare.from && begun < r.bare.to {
		begun = r.bare.from
		from = int(r.bare.to - r.w.pos)
	}
	for from < len(b) {
		i := r.index(b, from, whole)
		if i < 0 {
			from = len(b)
			// The last bytes could begin a head that reaches beyond b.
			if !whole {
				from -= probe
			}
			break
		}
		if _, complete := r.follow(b, i, i+1); complete {
			r.bare = bare{begun, r.w.pos + int64(i)}
			return i
		}
		from = i + 1
	}
	end := r.w.pos + int64(from)
	// The two stretches touch, so they are one.
	if begun <= r.bare.to && end >= r.bare.from { // after a step back, there may be some between the two
		begun, end = min(begun, r.bare.from), max(end, r.bare.to)
	}
	r.bare = bare{begun, end}
	return -1
}

// follow goes from the head at b[i] from record to record by their stated lengths. It stops at the first record that
// ends at limit or after it, or if no head follows. It returns the end of the last record's block (-1 if not stated)
// and whether the head at b[i] is complete.
func (r *Reader) follow(b []byte, i, limit int) (end int, complete bool) {
	end = -1
	// One Head for all: its slices are used again.
	var h Head
	for first := true; i < limit && r.g.Match(b[i:], false); first = false {
		h = h.cleared()
		head := bytes.Clone(b[i:min(len(b), i+probe)]) // parsing changes it
		size := r.g.Parse(&h, head, true)
		complete = complete || first && r.g.Complete(&h)
		// A head that fills the probe was cut off, and a length of more than a block is not to be followed.
		if size == probe || h.Length < 0 || h.Length > r.o.MaxBlock {
			return -1, complete
		}
		// It leads beyond b, where nothing is known.
		if end = i + size + int(h.Length); end >= len(b) {
			break
		}
		i = end + leadingBlank(b[end:min(len(b), end+probe)])
	}
	return end, complete
}

// searchAfter takes a block of a supposed length. It reaches to the next head, or to the end of the file, if the bytes
// between look like its continuation. Otherwise the stated length is the best value, and the bytes after it are lost.
func (r *Reader) searchAfter(s supposed) int64 {
	limit := int(r.o.MaxBlock) + probe + 1
	// At 0 stands the block itself.
	from := max(s.size, 1)
	for n := from + minWindow; ; n *= 2 {
		n = min(n, limit)
		b, ended := r.span(n)
		next := r.index(b, from, ended)
		// Nothing follows at all: the end is the next place.
		if next < 0 && ended {
			next = len(b)
		}
		switch {
		case next == len(b) && !r.plain && s.separator == 0: // the member's end is a witness too
			return r.lastBlock(b, false)
		case next >= 0:
			return r.takeBefore(b[:next], s)
		// The text is longer than the largest block that is kept, so the length is wrong.
		case n == limit && s.separator == 0 && !s.confirmed && r.goesOn(b, s.size):
			return r.longBlock(-1, false)
		// There is no better witness than the length; the flag says when it is doubtful.
		case n == limit:
			r.flagIf(!s.certain(), schemas.FlagLength)
			return r.take(s.size)
		}
		from = max(from, len(b)-probe)
	}
}

// takeBefore takes a block of a supposed length; b ends at the next head. The block ends before that head's blank line,
// if the text continues up to there or the stated end is within the blank line. Otherwise it ends as stated.
func (r *Reader) takeBefore(b []byte, s supposed) int64 {
	end := trimmed(b, len(b))
	goesOn := end > s.size && end < len(b) && r.goesOn(b[:end], s.size)
	r.flagIf(!s.certain() || goesOn, schemas.FlagLength)
	// The head's own blank line may hold the stated end; otherwise the bytes between must look like more of the block.
	switch {
	case end <= s.size, goesOn && s.separator == 0 && !s.confirmed, goesOn && miscounted(b[:end], s.size):
		return r.take(end)
	}
	return r.take(s.size)
}

// miscounted reports whether n is the length of b as some writers count it. They count characters, or bytes before a
// transfer as text made each line end of the body longer.
func miscounted(b []byte, n int) bool {
	// Characters, where a byte count was meant: then the bytes are more.
	if utf8.RuneCount(b) == n && utf8.Valid(b) {
		return true
	}
	_, body, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	// As many bytes more as there are line ends: each was one byte when it was counted.
	return ok && bytes.Count(body, []byte("\r\n")) == len(b)-n
}

// goesOn reports whether b, with a stated block of n bytes, looks like one block without a trace of another record. Its
// text continues as text, or its HTTP response header continues.
func (r *Reader) goesOn(b []byte, n int) bool {
	// Any trace of another record means that the block ended before.
	if r.g.Remains(b[n:]) || bytes.Contains(b[n:], []byte("\nHTTP/1.")) {
		return false
	}
	text := b[n:]
	if end := httpHeadEnd(b); end > n { // only a wrong length leads into it
		text = b[n:end]
	}
	// The bytes before n count as well: if these are not text, text after them is something else.
	return isText(b[max(0, n-textProbe):n]) && isText(text)
}

// httpHeadEnd returns the size of the fields of the HTTP response b, or 0 if b is not one.
func httpHeadEnd(b []byte) int {
	if !bytes.HasPrefix(b, []byte("HTTP/")) {
		return 0
	}
	head, _, ended := bytes.Cut(b, []byte("\r\n\r\n"))
	if !ended {
		return 0
	}
	return len(head)
}

// textProbe is how much of a block's end reports whether it is text, in bytes.
const textProbe = 512

// isText reports whether b is free of what noise and zeros have, and text in any charset has not: control characters.
func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b || c == 0x7f {
			return false
		}
	}
	return true
}

// trimmed returns the block's size when the next head is at b[i]: without the blank line between them.
// The longest separator first.
func trimmed(b []byte, i int) int {
	for _, sep := range []string{"\r\n\r\n", "\n\n", "\r\n", "\n"} {
		if bytes.HasSuffix(b[:i], []byte(sep)) {
			return i - len(sep)
		}
	}
	return i
}
