package record

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// A file may hold stretches that are compressed in different ways, as `cat a.warc.gz b.warc` makes it. Each stretch is
// read as a file of its kind, up to where another begins.

// change goes on in the stretch that begins where reading has arrived, and tells whether there is one.
func (r *Reader) change() (bool, error) {
	at := r.Arrived()
	// At the end, or after a failure, there is nothing to go on to.
	if at >= r.whole.End || r.w.fail != nil {
		return false, r.w.fail
	}
	kind, ok, err := member.KindAt(r.src, at, r.whole.Size, r.members())
	// The same kind at the same place would begin the same stretch again, without end.
	if !ok || err != nil || at == r.rng.Start && kind == r.kind {
		return false, err // the file became shorter while it was read
	}
	rng, err := r.stretch(at, kind)
	if err != nil {
		return false, err
	}
	was := r.kind
	r.changes++
	// The buffers of the old window are given back before new ones are made.
	r.w.close()
	if err := r.open(rng, kind); err != nil {
		return false, err
	}
	if at > r.whole.Start && kind != r.main { // the other changes may lie between two ranges
		why := fmt.Sprintf("the file goes on in another compression: %s behind %s", kind, was)
		r.report(Loss{From: at, To: at, Kind: schemas.KindMixed, Why: why})
	}
	return true, nil
}

// stretch is the range of the kind that begins at at. Where a file can be split depends on the kind that it begins
// with, by what member.FindStart proves, and must not depend on what was read before. So a stretch of another kind ends
// at the first such place at the latest: a file that holds one is read in the same way whether it is split there or
// not.
func (r *Reader) stretch(at int64, kind member.Kind) (member.Range, error) {
	rng := member.Range{Start: at, End: r.whole.End, Size: r.whole.Size}
	// The file's own kind may run to the end of the range.
	if kind == r.main {
		return rng, nil
	}
	// Looked for once and kept until reading has come to it.
	if r.limit < at {
		limit, err := member.FindStart(r.src, r.main, at+1, r.whole.Size, r.isHead) // the file's first byte always counts
		if err != nil {
			return rng, err
		}
		r.limit = limit
	}
	// Size is limited as well, so that members of the other kind do not reach beyond.
	rng.End, rng.Size = min(rng.End, r.limit), r.limit
	return rng, nil
}

// maxChanges bounds how often a range may change, beside once every 64 KiB: each costs some reading ahead, which in a
// file that changes with every record comes to much more than the file.
const maxChanges = 1000

// members are the options of the readers of members. When there were too many changes, what follows is garbage.
func (r *Reader) members() member.Options {
	o := member.Options{IsHead: r.isHead, NextPlain: r.nextPlain}
	// 2^16 bytes are the 64 KiB of maxChanges.
	if r.changes > maxChanges+r.whole.Size>>16 {
		o.NextPlain = nil
	}
	return o
}

// isLayer tells whether a member begins at the position whose content b is the beginning of another member, and of an
// archive; reading ends there then.
func (r *Reader) isLayer(b []byte) bool {
	s := r.w.segmentAt(r.w.pos)
	// Most records end here: the rest would open the file anew.
	if r.plain || r.kind.IsDouble() || s.from != r.w.pos || member.Sniff(b) == member.Plain {
		return false
	}
	kind, ok, err := member.KindAt(r.src, s.start, r.whole.Size, r.members())
	if err != nil {
		r.w.fail = err
	}
	if ok && kind.IsDouble() {
		r.w.done, r.w.arrived = true, s.start
		return true
	}
	return false
}

// changesWithin looks for a compressed member within the next n bytes of an uncompressed stretch, in which no head
// stands. It goes there and ends the stretch, when there is one.
func (r *Reader) changesWithin(n int) bool {
	from := r.fileOffset(r.w.pos)
	limit := min(from+int64(n), r.rng.Size)
	q := r.w.src.NextChange(from, limit)
	if q >= limit {
		return false
	}
	r.w.advance(int(q - from))
	r.rng.End = min(r.rng.End, q)
	return true
}

// plainScan is how much of a file is looked at at once for heads that are not compressed, in bytes.
const plainScan = 256 << 10

// sight is a piece of the file in which uncompressed records were looked for.
type sight struct {
	from, to int64
	found    int64 // the first of them; -1 when there is none
}

// nextPlain returns the first place of from to limit at which uncompressed records stand, by their heads and by what
// follows them, or limit. Heads stand in members that are stored without compression, too.
func (r *Reader) nextPlain(from, limit int64) int64 {
	for from < limit {
		if from < r.sight.from || from >= r.sight.to || r.sight.found >= 0 && r.sight.found < from {
			r.sight = r.lookForPlain(from)
		}
		if r.sight.found >= 0 {
			return min(r.sight.found, limit)
		}
		if r.sight.to <= from { // an error comes again with the next reading
			break
		}
		from = r.sight.to
	}
	return limit
}

// lookForPlain looks for uncompressed records in the piece of the file that begins at from.
func (r *Reader) lookForPlain(from int64) sight {
	b := make([]byte, min(plainScan, r.whole.Size-from))
	n, err := r.src.ReadAt(b, from)
	if err != nil && err != io.EOF {
		return sight{from: from, to: from, found: -1}
	}
	b = b[:n]
	s := sight{from: from, to: from + int64(n), found: -1}
	ended := s.to >= r.whole.Size
	if !ended {
		s.to = max(from, s.to-probe)
	}
	c := chains{r: r, b: b, from: from, far: maxFar, broken: map[int64]bool{}}
	for i := r.index(b, 0, ended); i >= 0; i = r.index(b, i+1, ended) {
		if c.stands(from + int64(i)) {
			s.found = from + int64(i)
			break
		}
	}
	return s
}

// minChain is how long uncompressed records that follow each other must be, in bytes, unless they lead to the file's
// end or to a compressed member. A stored block of deflate has 65,535 bytes at most, then the next block's head
// intrudes; and behind the last record of a stored member stands its checksum. So shorter ones may be a member's.
const minChain = 80 << 10

// maxFar bounds how many records of a piece are looked at that lie behind it.
const maxFar = 64

// chains follows uncompressed records from head to head, from places in one piece of the file on.
type chains struct {
	r      *Reader
	b      []byte // the piece
	from   int64  // where it stands
	far    int    // how many more looks behind it
	broken map[int64]bool
}

// stands tells whether a chain of records begins at at that is no part of a member.
func (c *chains) stands(at int64) bool {
	var seen []int64
	for pos := at; ; {
		if c.broken[pos] { // a chain from farther ahead came through here and was too short
			return false
		}
		seen = append(seen, pos)
		next, open, ok := c.behind(pos)
		if ok && (!open || next-at >= minChain) {
			return true
		}
		if !ok {
			for _, pos := range seen {
				c.broken[pos] = true
			}
			return false
		}
		pos = next
	}
}

// behind goes over the record at pos and what closes it. It tells where that leads to, and whether to another head
// (open), or to the file's end or a compressed member; not ok is what no archive has.
func (c *chains) behind(pos int64) (next int64, open, ok bool) {
	var h Head
	size := c.r.g.Parse(&h, c.look(pos), true)
	if size == 0 || h.Length < 0 || h.Length > c.r.whole.Size-pos-int64(size) {
		return 0, false, false
	}
	end := pos + int64(size) + h.Length
	b := c.look(end)
	separator := c.r.g.Separator(b)
	rest := b[separator:]
	next = end + int64(separator)
	switch {
	case separator == 0:
		return 0, false, false
	case len(rest) == 0:
		return next, false, next >= c.r.whole.Size
	case member.Sniff(rest) != member.Plain:
		return next, false, true
	}
	return next, true, c.r.g.Match(rest, true)
}

// look returns what stands at pos, as far as a head is looked at; nothing when there were too many looks.
func (c *chains) look(pos int64) []byte {
	if i := pos - c.from; i+probe <= int64(len(c.b)) || c.from+int64(len(c.b)) >= c.r.whole.Size {
		return c.b[min(i, int64(len(c.b))):min(i+probe, int64(len(c.b)))]
	}
	if c.far--; c.far < 0 {
		return nil
	}
	b := make([]byte, min(probe, c.r.whole.Size-pos))
	n, err := c.r.src.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil
	}
	return b[:n]
}
