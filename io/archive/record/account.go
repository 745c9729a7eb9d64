package record

import (
	"strconv"

	"github.com/gleaner-web/gleaner/schemas"
)

// account adds the file's bytes from where accounting stands up to to. What was accounted for once stays so: after
// going back, bytes are not counted twice.
func (r *Reader) account(to int64, class *int64) int64 {
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
	if n := r.account(to, &r.stats.Lost); n > 0 {
		r.o.OnLoss(Loss{From: from, To: to, Bytes: n, Kind: kind, Why: why})
	}
}

// release accounts for the segments that lie behind the current position and drops them.
func (r *Reader) release() {
	for len(r.w.segs) > 0 {
		s := &r.w.segs[0]
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
	case s.records > 0 || s.used:
		r.account(s.end, &r.stats.Delivered)
		if s.garbage > 0 {
			r.o.OnLoss(Loss{From: s.start, To: s.end, Kind: schemas.KindGarbage, Why: garbageIn(s.garbage)})
		}
		if s.flag != "" && s.early { // only the last of them can have been delivered after this was known
			r.o.OnDoubt(s.start)
		}
		if s.flag != "" && (s.early || !s.told) {
			r.o.OnLoss(Loss{From: s.start, To: s.end, Kind: schemas.KindInflate, Why: unverified(s.records)})
		}
	case s.flag == schemas.FlagPartial:
		r.lose(s.end, schemas.KindTruncated, "the file ends before the member does, and it holds no record")
	case s.flag == schemas.FlagInflate:
		r.lose(s.end, schemas.KindInflate, "the member does not decode to a record")
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
