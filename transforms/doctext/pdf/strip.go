package pdf

import (
	"math"
	"slices"
)

// Columns of prose are often closer than the cells of a table: LaTeX sets them one em apart. A gap of this size within
// one line may be anything, but a white strip that goes down many lines divides columns.

const (
	// stripGap is the smallest width of a strip, in ems.
	stripGap = 0.5
	// stripLines is the smallest number of lines with text on both sides, and of lines on each side.
	stripLines = 4
	// fewLines are enough if one of the columns has manyLines: the other ends early on the last page.
	fewLines, manyLines = 2, 12
	// stripSide is the smallest mean width of the text at each side, in ems. Numbers and bullets of lists are narrower.
	stripSide = 6.0
	// maxMissed is the number of lines in a row that may reach over a strip, as words do that cannot be divided.
	maxMissed = 2
	// maxOver is how far such a line reaches over, in ems.
	maxOver = 4.0
	// sameEdge is how far the beginning of a line may be from the edge of its column, in ems.
	sameEdge = 0.3
	// maxStrips bounds the strips that are followed at once, and those of a page.
	maxStrips = 64
)

// strip is a white space between columns, from the line at top to the line at bottom.
type strip struct {
	interval
	top, bottom float64
	both        int     // lines with text on both sides
	left, right int     // lines with text on the side
	leftWidth   float64 // widths of the text beside it, added up, in ems
	rightWidth  float64
	first       int // index of its first line
	missed      int // last lines that the strip does not go through
}

// stripsOf returns the strips of a page. Lines are in order, and their runs from left to right.
func stripsOf(lines [][]run) []strip {
	var open, found []strip
	for i, line := range lines {
		kept := open[:0]
		for _, s := range open {
			if narrowed, ok := s.through(line); ok {
				narrowed.missed = 0
				// Of two that have become the same, the first reaches higher.
				if !slices.ContainsFunc(kept, func(k strip) bool { return k.interval == narrowed.interval }) {
					kept = append(kept, narrowed)
				}
			} else if s.missed++; s.missed <= maxMissed && s.both >= stripLines {
				kept = append(kept, s)
			} else {
				found = append(found, s)
			}
		}
		open = beginStrips(kept, line, i)
		if len(found) > maxStrips {
			found = slices.DeleteFunc(found, func(s strip) bool { return !s.divides() })
			found = found[:min(len(found), maxStrips)]
		}
	}
	found = joinStrips(certain(append(found, open...)))
	for i := range found {
		found[i].extend(lines)
	}
	return found
}

// extend moves the strip's top up over lines that have text on one side only. A column may begin higher than others.
func (s *strip) extend(lines [][]run) {
	for i := s.first - 1; i >= 0; i-- {
		lo, hi := lines[i][0].u0, rightmost(lines[i])
		if lo < s.hi && hi > s.lo {
			return
		}
		s.top = lines[i][0].line
	}
}

// certain returns the strips that divide columns. A short strip counts if a long one continues it elsewhere on the
// page, above or below a picture.
func certain(found []strip) []strip {
	var long []strip
	for _, s := range found {
		if s.divides() {
			long = append(long, s)
		}
	}
	if len(long) == 0 {
		return nil
	}
	return slices.DeleteFunc(found, func(s strip) bool {
		return !s.divides() && !slices.ContainsFunc(long, func(l strip) bool { return s.lo < l.hi && l.lo < s.hi })
	})
}

// joinStrips makes one strip of those that are above each other. Lines between them, such as headings, reach over it.
func joinStrips(found []strip) (joined []strip) {
	for _, s := range found {
		i := slices.IndexFunc(joined, func(j strip) bool { return s.lo < j.hi && j.lo < s.hi })
		if i < 0 {
			joined = append(joined, s)
			continue
		}
		j := &joined[i]
		j.lo, j.hi = max(s.lo, j.lo), min(s.hi, j.hi)
		j.top, j.bottom, j.first = min(s.top, j.top), max(s.bottom, j.bottom), min(s.first, j.first)
	}
	return joined
}

// divides reports whether the strip has prose on both sides.
func (s *strip) divides() bool {
	enough := s.both >= stripLines || s.both >= fewLines && max(s.left, s.right) >= manyLines
	return enough && min(s.left, s.right) >= min(s.both, stripLines) &&
		s.leftWidth >= stripSide*float64(s.left) && s.rightWidth >= stripSide*float64(s.right)
}

// through returns the part of the strip that is free in the line, with the line added.
func (s strip) through(line []run) (strip, bool) {
	lo, hi := math.Inf(-1), math.Inf(1)
	size, before, after := 0.0, math.Inf(1), math.Inf(-1)
	for i := range line {
		r := &line[i]
		size = max(size, r.size)
		switch middle := (r.u0 + r.u1) / 2; {
		case middle < (s.lo+s.hi)/2:
			lo, before = max(lo, r.u1), min(before, r.u0)
		default:
			hi, after = min(hi, r.u0), max(after, r.u1)
		}
	}
	s.lo, s.hi = max(s.lo, lo), min(s.hi, hi)
	if s.hi-s.lo < stripGap*size {
		return s, false
	}
	s.bottom = line[0].line
	if before <= lo {
		s.left++
		s.leftWidth += (lo - before) / size
	}
	if after >= hi {
		s.right++
		s.rightWidth += (after - hi) / size
	}
	if before <= lo && after >= hi {
		s.both++
	}
	return s, true
}

// beginStrips adds strips for the gaps of a line. An open strip within a gap may end before it does. Parameter first is
// the line's index.
func beginStrips(open []strip, line []run, first int) []strip {
	right := line[0].u1
	for i := 1; i < len(line); i++ {
		gap := interval{right, line[i].u0}
		right = max(right, line[i].u1)
		if gap.hi-gap.lo < stripGap*max(line[i-1].size, line[i].size) || len(open) >= maxStrips {
			continue
		}
		if slices.ContainsFunc(open, func(s strip) bool { return s.interval == gap }) {
			continue
		}
		s := strip{interval: gap, top: line[0].line, first: first}
		if s, ok := s.through(line); ok {
			open = append(open, s)
		}
	}
	return open
}

// dividing returns the strip between two neighbouring runs of the line with baseline v, or nil. The gap between them
// begins at end. If the first reaches over the strip, the second begins at the edge of its column.
func dividing(strips []strip, end float64, next *run, v float64) *strip {
	for i := range strips {
		s := &strips[i]
		if v < s.top || v > s.bottom {
			continue
		}
		within := s.lo >= end-1e-6 && s.hi <= next.u0+1e-6
		over := end > s.lo && end < s.hi+maxOver*next.size && math.Abs(next.u0-s.hi) < sameEdge*next.size
		if within || over {
			return s
		}
	}
	return nil
}

// trim takes the part that reaches over a strip from the fragment's width, so that the strip stays free.
func (f *fragment) trim(strips []strip) {
	for i := range strips {
		s := &strips[i]
		if f.v >= s.top && f.v <= s.bottom && f.u0 < s.lo && f.u1 > s.lo && f.u1 < s.hi+maxOver*f.size {
			f.u1 = s.lo
			return
		}
	}
}
