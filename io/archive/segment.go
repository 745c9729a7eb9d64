package archive

import (
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// segment returns the segment that rec is, when it is one to be joined. A segment that is not is flagged.
func (r *recordReader) segment(rec *record.Record) *schemas.Segment {
	s, quirk := r.g.Segment(rec)
	switch {
	case s == nil && quirk == "":
		return nil
	case s == nil:
		r.countQuirk(quirk)
	// Nobody joins segments here: each is a capture of its own, with the flag.
	case r.o.MaxSegments == 0:
	// Segments are held until all are read, so that a hostile archive of nothing else has to be bounded.
	case r.segments >= r.o.MaxSegments:
		r.countQuirk("segment_limit")
	default:
		r.segments++
		s.File, s.Format = r.in.Name, Format{r.format.Name, r.records.Kind()}.String()
		return s
	}
	rec.Flags = append(rec.Flags, schemas.FlagSegment)
	return nil
}
