package record

import (
	"strconv"

	"github.com/gleaner-web/gleaner/schemas"
)

// account adds the file's bytes from where accounting stands up to to. Accounted bytes stay so: after going back, bytes
// are not counted twice.
func (r *Reader) account(to int64, class *int64) int64 {
	// Going back may lead to before the accounted bytes: then nothing is added.
	n := to - r.accounted
	if n <= 0 {
		return 0
	}
	r.accounted = to
	*class += n
	return n
}

// lose accounts for the bytes up to to as lost and reports them.
func (r *Reader) lose(to int64, kind schemas.Kind, why string) {
	from := r.accounted
	// Nothing new is lost where all was accounted for.
	if n := r.account(to, &r.stats.Lost); n > 0 {
		r.report(Loss{From: from, To: to, Bytes: n, Kind: kind, Why: why})
	}
}

// maxLosses bounds the losses that wait to be told, so that no file makes them a matter of memory. Between records
// reading stops at the first; inside a record it cannot, and a long one may lie over any number of damaged members.
const maxLosses = 1000

// report makes Step report a loss. Those of one record that are beyond maxLosses are told together.
func (r *Reader) report(l Loss) {
	// Bytes are in the statistics all the same; only the telling is shortened.
	if len(r.losses) < maxLosses {
		r.losses = append(r.losses, l)
		return
	}
	last := &r.losses[maxLosses-1]
	last.To, last.Bytes, last.Why = l.To, last.Bytes+l.Bytes, "a record over more losses than are told one by one"
}

// release accounts for the segments that lie after the current position and drops them, up to the first loss.
func (r *Reader) release() {
	// A loss has to be told before what follows it, so releasing waits for the caller.
	for len(r.w.segs) > 0 && len(r.losses) == 0 {
		s := &r.w.segs[0]
		// An open segment, whose end is not known, may still give bytes.
		if s.to < 0 || s.to > r.w.pos {
			break
		}
		if !r.plain {
			r.close(s)
		}
		r.closeGaps(s)
		r.w.segs = r.w.segs[1:]
	}
}

// close accounts for a compressed member.
func (r *Reader) close(s *segment) {
	switch {
	// A member of which any record was delivered counts as delivered, whole.
	case s.records > 0 || s.used:
		r.account(s.end, &r.stats.Delivered)
		// Its own bytes are delivered; other reports about it have no bytes of the file.
		if s.garbage > 0 {
			r.report(Loss{From: s.start, To: s.end, Kind: schemas.KindGarbage, Why: garbageIn(s.garbage)})
		}
		if s.flag != "" && s.early { // only the last of them can have been delivered after this was known
			r.o.OnDoubt(s.start)
		}
		// Told once: with the record, or here where that was given out before the damage was known.
		if s.flag != "" && (s.early || !s.told) {
			r.report(Loss{From: s.start, To: s.end, Kind: schemas.KindInflate, Why: unverified(s.records)})
		}
	case s.flag == schemas.FlagPartial:
		r.lose(s.end, schemas.KindTruncated, "the file ends before the member does, and it holds no record")
	case s.flag == schemas.FlagInflate:
		r.lose(s.end, schemas.KindInflate, "the member does not decode to a record")
	// Only blanks: padding that somebody has compressed.
	case s.blank:
		r.account(s.end, &r.stats.Structure)
	default:
		r.lose(s.end, schemas.KindGarbage, "the member holds no record")
	}
}

func (r *Reader) closeGaps(s *segment) {
	for _, g := range s.gaps {
		if g.Kind == "" {
			r.account(g.To, &r.stats.Structure)
			// At the file's end writers and file systems leave such as padding. Elsewhere other readers stop there.
			if g.Zeros && g.To < r.whole.Size {
				r.o.OnQuirk(schemas.QuirkZeros)
			}
			continue
		}
		r.lose(g.To, g.Kind, g.Why)
	}
	s.gaps = nil
}

func garbageIn(n int64) string {
	return strconv.FormatInt(n, 10) + " decoded bytes beside the member's records are no record"
}

func unverified(records int) string {
	if records <= 1 {
		return "the member is damaged, and its record may be"
	}
	return "the member is damaged, and any of its " + strconv.Itoa(records) + " records may be"
}
