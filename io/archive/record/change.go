package record

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// A file may hold stretches that are compressed in different ways, as `cat a.warc.gz b.warc` makes it. Each stretch is
// read as a file of its kind, up to where another begins.

// change continues in the stretch at the current position, and reports whether there is one.
func (r *Reader) change() (bool, error) {
	at := r.NextStart()
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

// stretch returns the range of the kind that begins at the offset at. The offsets at which a file can be split depend
// on the kind of its beginning, as member.FindStart proves it. They must not depend on earlier bytes. So a stretch of
// another kind ends at the first such offset at the latest. Reading then gives the same result whether the file is
// split there or not.
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

// maxChanges limits the changes in a range, in addition to one every 64 KiB. Each needs some reading ahead, which would
// far exceed a file that changes with every record.
const maxChanges = 1000

// members are the options of the readers of members. When there were too many changes, what follows is garbage.
func (r *Reader) members() member.Options {
	o := member.Options{IsHead: r.isHead, NextPlain: r.nextPlain}
	if r.o.Marks != nil { // not a nil Marks in an interface
		o.Marks = r.o.Marks
	}
	// 2^16 bytes are the 64 KiB of maxChanges.
	if r.changes > maxChanges+r.whole.Size>>16 {
		o.NextPlain = nil
	}
	return o
}

// isLayer reports whether the content b of the member at the position begins another member, and an archive. Reading
// ends there in this case.
func (r *Reader) isLayer(b []byte) bool {
	s := r.w.segmentAt(r.w.pos)
	// Most records end here: the rest would open the file again.
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

// alien is a stretch of an uncompressed file in which a compressed member was looked for. It is looked at once, however
// many records state lengths that lead into it.
type alien struct {
	from, to int64 // to is where one begins, if found
	found    bool
}

// changeInside searches the next n bytes of an uncompressed file for a compressed archive that begins in them and ends
// after them. It returns its offset in them, or -1. The n bytes are supposed to be one record's. An archive that is
// stored in the record would end within them.
func (r *Reader) changeInside(n int) int {
	if !r.plain {
		return -1
	}
	from := r.fileOffset(r.w.pos)
	limit := min(from+int64(n), r.rng.Size)
	a := &r.alien
	if from < a.from || from > a.to {
		*a = alien{from: from, to: from}
	}
	if !a.found && a.to < limit {
		q := r.w.src.NextChange(a.to, limit)
		a.to, a.found = q, q < limit
	}
	if !a.found || a.to >= limit || !r.w.src.LeadsAcross(a.to, limit) {
		return -1
	}
	return int(a.to - from)
}

// headOrChange returns the end of the block at the start of b. At i is the next head or the file's end. If a compressed
// archive begins before i, the block ends there, and otherwise at i. An archive that ends exactly at i counts only if
// no blank line is between the two.
func (r *Reader) headOrChange(b []byte, i int) int {
	n := i
	if trimmed(b, i) == i {
		n--
	}
	if change := r.changeInside(n); change >= 0 {
		return change
	}
	return i
}
