package record

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// A file may hold stretches that are compressed in different ways, as `cat a.warc.gz b.warc` makes it. Each stretch is
// read as a file of its kind, up to where another begins.

// change goes on in the stretch that begins where reading has arrived, and tells whether there is one.
func (r *Reader) change() (bool, error) {
	at := r.Arrived()
	if at >= r.whole.End || r.w.fail != nil {
		return false, r.w.fail
	}
	kind, ok, err := member.KindAt(r.src, at, r.whole.Size, r.members())
	if !ok || err != nil || at == r.rng.Start && kind == r.kind {
		return false, err // the file became shorter while it was read
	}
	rng, err := r.stretch(at, kind)
	if err != nil {
		return false, err
	}
	was := r.kind
	r.changes++
	r.w.close()
	if err := r.open(rng, kind); err != nil {
		return false, err
	}
	if at > r.whole.Start && kind != r.main { // the other changes may lie between two ranges
		why := fmt.Sprintf("the file goes on in another compression: %s behind %s", kind, was)
		r.o.OnLoss(Loss{From: at, To: at, Kind: schemas.KindMixed, Why: why})
	}
	return true, nil
}

// stretch is the range of the kind that begins at at. Where a file can be split depends on the kind that it begins with,
// by what member.FindStart proves, and must not depend on what was read before. So a stretch of another kind ends at the
// first such place at the latest: a file that holds one is read in the same way whether it is split there or not.
func (r *Reader) stretch(at int64, kind member.Kind) (member.Range, error) {
	rng := member.Range{Start: at, End: r.whole.End, Size: r.whole.Size}
	if kind == r.main {
		return rng, nil
	}
	if r.limit < at {
		limit, err := member.FindStart(r.src, r.main, at, r.whole.Size, r.isHead)
		if err != nil {
			return rng, err
		}
		r.limit = limit
	}
	rng.End, rng.Size = min(rng.End, r.limit), r.limit
	return rng, nil
}

// maxChanges bounds how often a range may change, beside once every 64 KiB: each costs some reading ahead, which in a file
// that changes with every record comes to much more than the file.
const maxChanges = 1000

// members are the options of the readers of members. When there were too many changes, what follows is garbage.
func (r *Reader) members() member.Options {
	o := member.Options{IsHead: r.isHead, NextPlain: r.nextPlain}
	if r.changes > maxChanges+r.whole.Size>>16 {
		o.NextPlain = nil
	}
	return o
}

// isLayer tells whether a member begins at the position whose content b is the beginning of another member, and of an
// archive; reading ends there then.
func (r *Reader) isLayer(b []byte) bool {
	s := r.w.segmentAt(r.w.pos)
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

// nextPlain returns the first place of from to limit at which an uncompressed record stands, by its head and by what
// follows it, or limit. Heads alone stand in members that are stored without compression, too.
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
	far := maxFar
	for i := r.index(b, 0, ended); i >= 0; i = r.index(b, i+1, ended) {
		if r.standsAlone(b[i:], from+int64(i), &far) {
			s.found = from + int64(i)
			break
		}
	}
	return s
}

// maxFar bounds how many records of a piece are looked at whose ends lie behind it.
const maxFar = 64

// standsAlone tells whether an uncompressed record begins at at, where b stands, and leads to the file's end, to another
// head or to a compressed member, behind what closes a record. In a member that is stored, its checksum follows. A record
// that ends behind b costs one of far.
func (r *Reader) standsAlone(b []byte, at int64, far *int) bool {
	var h Head
	size := r.g.Parse(&h, b[:min(len(b), probe)], true)
	if h.Length < 0 || h.Length > r.whole.Size-at-int64(size) {
		return false
	}
	end := int64(size) + h.Length
	if end+probe < int64(len(b)) || at+int64(len(b)) >= r.whole.Size {
		return r.closed(b[end:min(end+probe, int64(len(b)))])
	}
	if *far--; *far < 0 {
		return false
	}
	rest := make([]byte, min(probe, r.whole.Size-at-end))
	n, err := r.src.ReadAt(rest, at+end)
	return (err == nil || err == io.EOF) && r.closed(rest[:n])
}

// closed tells whether b, what follows a block, closes a record and goes on as an archive does.
func (r *Reader) closed(b []byte) bool {
	separator := r.g.Separator(b)
	rest := b[separator:]
	return separator > 0 && (len(rest) == 0 || r.g.Match(rest, true) || member.Sniff(rest) != member.Plain)
}
