package archive

import (
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// segment offers rec to OnSegment when it is a segment, and tells whether it was taken. One that was not is flagged.
func (r *recordReader) segment(rec *record.Record) bool {
	s, quirk := r.g.Segment(rec)
	switch {
	case s == nil && quirk == "":
		return false
	case s == nil:
		r.countQuirk(quirk)
	case r.o.OnSegment == nil:
	default:
		s.File, s.Format = r.in.Name, Format{r.format.Name, r.records.Kind()}.String()
		if r.o.OnSegment(*s) {
			return true
		}
		r.countQuirk("segment_limit")
	}
	rec.Flags = append(rec.Flags, schemas.FlagSegment)
	return false
}
