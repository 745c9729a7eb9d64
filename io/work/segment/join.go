// Package segment joins the parts of records that were written as several (section 7 of WARC/1.1, ISO 28500:2017). The
// first part has its record's type, and the others are continuation records. They may be in any files in any order.
//
// [Join] decides by [schemas.Segment] which parts make a record. [Reader] reads them and makes the capture. A capture's
// body never has a hole: it ends before the first missing part, and after a cut one. Unused parts are rejects.
//
// The package does not find the segments, which are items of [archive.Reader], and does not group them by record.
//
//	p := segment.Join(segments) // all that name one record
//	r := segment.NewReader(store, []segment.Plan{p}, archive.Options{})
//	for item, err := range r.All(ctx) {
//		… // item.Capture, or item.Reject
//	}
package segment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Plan describes how to join one record.
type Plan struct {
	Parts []schemas.Segment `json:"parts,omitempty"` // from the first on, without a gap; none if the first is missing
	Left  []Left            `json:"left,omitempty"`  // unused segments
	Flags []schemas.Flag    `json:"flags,omitempty"` // of the joined record, if it is incomplete
}

// Left is an unused segment.
type Left struct {
	schemas.Segment
	Why string `json:"why"` // for users
}

// Join plans the record whose segments are in list, in any order. It takes two segments at the same place as one. Of
// several with the same number it uses the least damaged one, and of these the first by file name and offset. The
// result does not depend on the order of the list, since segments come from workers in any order.
func Join(list []schemas.Segment) Plan {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b schemas.Segment) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(damage(a), damage(b)), comparePlace(a, b))
	})
	// Equal places are adjacent, because they have equal numbers and damage.
	list = slices.CompactFunc(list, func(a, b schemas.Segment) bool { return comparePlace(a, b) == 0 })
	var p Plan
	for _, s := range list {
		if why := p.refuse(s); why != "" {
			p.Left = append(p.Left, Left{s, why})
		} else {
			p.Parts = append(p.Parts, s)
		}
	}
	p.Flags = p.check()
	return p
}

// The degrees of damage to a segment.
const (
	sound    = iota
	doubtful // all of it may be there
	cut      // a part of it is missing
)

func damage(s schemas.Segment) int {
	// Inflate counts as cut: the bytes after the fault are missing.
	switch {
	case slices.Contains(s.Flags, schemas.FlagPartial), slices.Contains(s.Flags, schemas.FlagInflate):
		return cut
	case len(s.Flags) > 0:
		return doubtful
	}
	return sound
}

// comparePlace orders segments in the reading order of a run: files by name.
func comparePlace(a, b schemas.Segment) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Sequence, b.Sequence))
}

// refuse returns the reason why s cannot be the next part, or "". Parts are added in order, so it compares s with the
// last one only.
func (p *Plan) refuse(s schemas.Segment) string {
	n := len(p.Parts)
	switch {
	case n == 0 && s.Number != 1:
		return fmt.Sprintf("segment %d of a record whose first segment is not there", s.Number)
	case n == 0:
		return ""
	}
	last := p.Parts[n-1]
	switch {
	case s.Number == last.Number:
		return fmt.Sprintf("segment %d stands at byte %d of %s, too, and was taken from there", s.Number, last.Offset,
			last.File)
	// Bytes after a cut would have a wrong offset in the body.
	case damage(last) == cut:
		return fmt.Sprintf("segment %d of a record whose segment %d is cut", s.Number, last.Number)
	case s.Number != last.Number+1:
		return fmt.Sprintf("segment %d of a record whose segment %d is not there", s.Number, last.Number+1)
	}
	return ""
}

// check returns the flags of an incomplete record: its last part has to state the length of all.
func (p *Plan) check() []schemas.Flag {
	n := len(p.Parts)
	if n == 0 {
		return nil
	}
	var size int64
	for _, s := range p.Parts {
		size += s.Size
	}
	last := p.Parts[n-1]
	switch {
	// Too few bytes, or no total length: it counts as cut.
	case last.Total == 0 || size < last.Total || p.beyond(last.Number):
		return []schemas.Flag{schemas.FlagPartial, schemas.FlagSegment}
	// Too many bytes: nothing shows which part is too long.
	case size > last.Total:
		return []schemas.Flag{schemas.FlagSegment}
	}
	return nil
}

// beyond reports whether there are segments after the n-th.
func (p *Plan) beyond(n int) bool {
	return slices.ContainsFunc(p.Left, func(l Left) bool { return l.Number > n })
}

// end drops all parts from the i-th on. The plan was made before the files were read again, and a file may have
// changed.
func (p *Plan) end(i int, why string) {
	for _, s := range p.Parts[i:] {
		p.Left = append(p.Left, Left{s, why})
	}
	p.Parts = p.Parts[:i]
	p.Flags = []schemas.Flag{schemas.FlagPartial, schemas.FlagSegment}
}

// Compare orders plans by the place of their first segment. It is negative if p comes first, and 0 for the same plan.
// So captures of joined records come in the order in which a run reads files.
func (p Plan) Compare(q Plan) int { return comparePlace(p.first(), q.first()) }

func (p Plan) first() schemas.Segment {
	switch {
	case len(p.Parts) > 0:
		return p.Parts[0]
	case len(p.Left) > 0:
		return p.Left[0].Segment
	}
	return schemas.Segment{}
}
