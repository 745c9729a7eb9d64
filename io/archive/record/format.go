package record

import (
	"bytes"

	"github.com/gleaner-web/gleaner/schemas"
)

// A file may be joined of archives of several formats, as `cat a.warc b.arc` makes it.

// Grammar is that of the record that was read last.
func (r *Reader) Grammar() Grammar { return r.g }

// otherFormat returns another grammar than the current one, with a head at the start of b, or nil.
func (r *Reader) otherFormat(b []byte) Grammar {
	for _, g := range r.formats {
		if g != r.g && len(b) > 0 && g.Match(b[:min(len(b), probe)], true) {
			return g
		}
	}
	return nil
}

// changeFormat changes to the format of the head at the start of b, and reports whether there is such a head. It
// reports a file that continues in another format once each time.
func (r *Reader) changeFormat(b []byte) bool {
	g := r.otherFormat(b)
	if g == nil {
		return false
	}
	r.endZeros(true)
	r.g, r.bare = g, bare{}
	if g != r.formats[0] {
		at := r.w.segmentAt(r.w.pos).start
		if r.plain {
			at = r.fileOffset(r.w.pos)
		}
		r.report(Loss{From: at, To: at, Kind: schemas.KindMixed, Why: "the file goes on in another format"})
	}
	return true
}

// otherInside returns where records of another format begin in the first n bytes of an uncompressed block, or -1. They
// reach to the file's end, or far and beyond the block's stated end, want. A block that begins with such a head is a
// stored archive.
func (r *Reader) otherInside(b []byte, n, want int) int {
	if !r.plain || len(r.formats) < 2 {
		return -1
	}
	_, payload, _ := r.message(b[:min(len(b), minWindow)])
	if r.otherFormat(b[payload:]) != nil {
		return -1
	}
	start := r.fileOffset(r.w.pos)
	from, to := start+1, start+int64(n)
	// A stretch that was searched is not searched again, however many blocks lead into it.
	others := r.others[r.g]
	if from >= others.from && from < others.to {
		from = others.to
	}
	found := to
	for _, g := range r.formats {
		if g == r.g {
			continue
		}
		c := chains{r: r, g: g, b: b, from: start, far: maxFar, least: start + int64(want), broken: map[int64]bool{}}
		end := int(found - start)
		searched := b[:min(len(b), end+probe)] // else Index looks for a head up to the end of b
		for i := indexOf(g, searched, int(from-start), end); i >= 0; i = indexOf(g, searched, i+1, end) {
			if c.stands(start + int64(i)) {
				found = start + int64(i)
				break
			}
		}
	}
	done := bare{from, found}
	if from == others.to { // the two stretches touch, so they are one
		done = bare{others.from, max(found, others.to)}
	}
	r.others[r.g] = done
	if found < to {
		return int(found - start)
	}
	return -1
}

// repeats reports whether the last record is only a head, and the same head follows with the block.
func (r *Reader) repeats() bool {
	h := &r.rec.Head
	if r.rec.Size != 0 || h.Length <= 0 {
		return false
	}
	b, ended := r.span(len(r.head) + probe)
	if !r.g.Match(b, true) {
		return false
	}
	var next Head
	if r.g.Parse(&next, bytes.Clone(b), ended) == 0 || next.Length != h.Length || !bytes.Equal(next.Line, h.Line) {
		return false
	}
	if len(next.Fields) != len(h.Fields) {
		return false
	}
	for i, f := range next.Fields {
		if !bytes.Equal(f.Value, h.Fields[i].Value) {
			return false
		}
	}
	return true
}

// leaveOut makes a loss of the head that was read, which begins at the decoded position at: it is not a record.
func (r *Reader) leaveOut(at int64) error {
	s := r.w.segmentAt(at)
	s.records--
	if r.plain {
		r.stats.Delivered -= r.rec.Length
		r.stats.Lost += r.rec.Length
		to := r.rec.Offset + r.rec.Length
		r.report(Loss{
			From: r.rec.Offset, To: to, Bytes: r.rec.Length, Kind: schemas.KindGarbage,
			Why: "a head without its block, which stands behind the same head",
		})
		return nil
	}
	s.blank = false
	s.garbage += r.w.pos - at
	return nil
}
