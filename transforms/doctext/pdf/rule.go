package pdf

import (
	"cmp"
	"math"
	"slices"
)

const (
	// thin is the largest thickness of a rule, in points, shortRule its least length. sameEnd is how far apart the ends
	// of rules of one table are.
	thin, shortRule, sameEnd = 2.5, 8.0, 6.0
	// wideProse is the part of the width that a line of prose between two tables fills.
	wideProse = 0.6
	// maxRules bounds the rules of a page, maxColumns the columns of a table.
	maxRules, maxColumns = 2048, 64
)

// rules are the lines drawn on a page: across and down.
type rules struct{ across, down []rect }

// add notes a box that may be a rule.
func (r *rules) add(b rect) {
	switch width, height := b.x1-b.x0, b.y1-b.y0; {
	case len(r.across)+len(r.down) >= maxRules:
	case height <= thin && width >= shortRule:
		r.across = append(r.across, b)
	case width <= thin && height >= shortRule:
		r.down = append(r.down, b)
	}
}

// ruled is an area between rules of the same length, and the heights of these.
type ruled struct {
	interval
	heights []float64
}

// zonesOf returns the areas between rules across, from the top to the bottom. Rules of cells that touch are one.
func (r *rules) zonesOf() (zones []ruled) {
	row := func(b rect) float64 { return math.Round(b.y0 / thin) }
	slices.SortFunc(r.across, func(a, b rect) int {
		return cmp.Or(cmp.Compare(row(a), row(b)), cmp.Compare(a.x0, b.x0), cmp.Compare(a.y0, b.y0))
	})
	var spans []rect
	for _, b := range r.across {
		if n := len(spans); n > 0 && b.y0-spans[n-1].y0 < thin && b.x0 <= spans[n-1].x1+sameEnd {
			spans[n-1].x1 = max(spans[n-1].x1, b.x1)
			continue
		}
		spans = append(spans, b)
	}
	for _, b := range spans {
		at := slices.IndexFunc(zones, func(z ruled) bool {
			return math.Abs(z.lo-b.x0) < sameEnd && math.Abs(z.hi-b.x1) < sameEnd
		})
		if at < 0 {
			if len(zones) < maxColumns {
				zones = append(zones, ruled{interval{b.x0, b.x1}, []float64{b.y0}})
			}
			continue
		}
		zones[at].heights = append(zones[at].heights, b.y0)
	}
	return zones
}

// holds reports whether an area is between the first and the last of three rules or more.
func (z *ruled) holds(s *span) bool {
	n := len(z.heights)
	return n >= 3 && s.v0 > z.heights[0] && s.v1 < z.heights[n-1] && s.u0 > z.lo-sameEnd && s.u1 < z.hi+sameEnd
}

// columnsDown returns the columns between the rules that go down through most of the area between two lines.
func (w *writer) columnsDown(z ruled, top, bottom float64) []interval {
	const most = 0.6
	length := map[int]float64{} // by place, in steps of sameEnd
	for _, b := range w.rules.down {
		if x := (b.x0 + b.x1) / 2; x > z.lo-sameEnd && x < z.hi+sameEnd {
			length[int(math.Round(x/sameEnd))] += max(0, min(b.y1, bottom)-max(b.y0, top))
		}
	}
	var edges []float64
	for at, l := range length {
		if l >= most*(bottom-top) {
			edges = append(edges, float64(at)*sameEnd)
		}
	}
	slices.Sort(edges)
	edges = slices.CompactFunc(edges, func(a, b float64) bool { return b-a < 1.5*sameEnd })
	if len(edges) < 3 {
		return nil
	}
	var columns []interval
	for i := 1; i < len(edges); i++ {
		columns = append(columns, interval{edges[i-1], edges[i]})
	}
	return columns
}

// hasCells reports whether a line is within the width of the rules, and not prose over most of it.
func (z *ruled) hasCells(line []run) bool {
	lo, hi := line[0].u0, rightmost(line)
	prose := hi-lo > wideProse*(z.hi-z.lo) && len(cellsOf(line, ruledGap)) == 1
	return lo > z.lo-sameEnd && hi < z.hi+sameEnd && !prose
}
