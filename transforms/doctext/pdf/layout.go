package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Distances are in ems, the height of the letters around them. They were set on files of the development part. Gaps
// below wordGap are kerning and letter spacing; spaces in fonts have 0.2 to 0.3 em. A fragmentGap is several spaces
// wide, so justified lines stay whole.
const (
	// wordGap is the smallest gap between glyphs of two words.
	wordGap = 0.12
	// fragmentGap is the smallest gap between columns or cells.
	fragmentGap = 1.2
	// baselineDrift is how far the baselines of words in one line may differ.
	baselineDrift = 0.12
	// overlap is how far a glyph may reach back over the one before it.
	overlap = 0.4
	// scriptReach is the distance of superscripts and subscripts from the baseline.
	scriptReach = 0.7
	// chainGap is the widest gap between words shown one after the other in one line.
	chainGap = 0.6
	// askew is the smallest slope of turned text. A smaller slope is that of a scan laid on the glass slightly askew.
	askew = 0.05
	// drawnSpace is the gap left by a space that was shown and not taken back.
	drawnSpace = 0.04
)

// direction is the direction of a line on the page as shown. Turned text is laid out in its own direction as if the
// page had been turned.
type direction uint8

const (
	rightwards direction = iota
	downwards
	leftwards
	upwards
	vertical // letters stand upright, one below the other
	directions
)

// directionOf returns the direction nearest to that of (dx, dy), where y grows downwards. It also returns the angle
// between the two, or 0 if scans may be askew by it.
func directionOf(dx, dy float64) (d direction, turn float32) {
	switch {
	case math.Abs(dx) >= math.Abs(dy) && dx >= 0:
		d = rightwards
	case math.Abs(dx) >= math.Abs(dy):
		d = leftwards
	case dy > 0:
		d = downwards
	default:
		d = upwards
	}
	u, v := d.along(dx, dy)
	if math.Abs(v) <= askew*u {
		return d, 0
	}
	return d, float32(math.Atan2(v, u))
}

// along converts (x, y) to a position along the lines of a direction and one across them, growing to the next line. It
// turns the page so that lines run along u and follow each other along v. So all later steps can ignore directions.
func (d direction) along(x, y float64) (u, v float64) {
	switch d {
	case downwards, vertical:
		return y, -x
	case leftwards:
		return -x, -y
	case upwards:
		return -y, x
	}
	return x, y
}

// run is a series of glyphs shown one after the other without a gap. Field glyphs is a part of one slice that all runs
// of the page share. Field line differs from v for superscripts and the like.
type run struct {
	glyphs []glyph
	u0, u1 float64 // where it begins and ends along the line
	v      float64 // its baseline
	line   float64 // the baseline of the line it is in
	size   float64
	spaced bool // a space was shown after it
	joined bool // it continues the word of the run before, across the gap between spaced letters
}

// fragment is a part of a line: runs without a wide gap between them. It is a line of a column, or a cell. The code in
// order.go moves it as a whole.
type fragment struct {
	runs   []run
	u0, u1 float64
	v      float64
	size   float64
	height float64 // of a solid, which is not text: a picture or a rule across columns
}

// top and bottom return the upper and lower edge. Metrics are unknown, so they use the ascent and descent of a usual
// text font.
func (f *fragment) top() float64 {
	if f.isSolid() {
		return f.v - f.height
	}
	return f.v - 0.75*f.size
}

func (f *fragment) bottom() float64 {
	if f.isSolid() {
		return f.v
	}
	return f.v + 0.2*f.size
}

// isSolid reports whether the fragment is not text.
func (f *fragment) isSolid() bool { return len(f.runs) == 0 }

// layout writes the text of a page's glyphs in reading order: first those in the direction of most glyphs, then the
// others. It stops soon after the text has limit bytes. Pictures and rules of the page may divide columns.
func (w *writer) layout(glyphs []glyph, page *drawn) {
	glyphs, groups := turnedOf(glyphs)
	// The first pass counts, so that each group is allocated once in its final size.
	var counts [directions]int
	for _, g := range glyphs {
		counts[g.direction]++
	}
	level := len(groups)
	for d, n := range counts {
		groups = append(groups, group{direction: direction(d), glyphs: make([]glyph, 0, n)})
	}
	for _, g := range glyphs {
		// Within a direction glyphs keep the order in which they were shown: runsOf depends on it.
		of := &groups[level+int(g.direction)]
		of.glyphs = append(of.glyphs, g)
	}
	// Turned text (tables on their side, labels of axes, watermarks) comes after the page's main text. The sort is
	// stable, so that the order is the same each time.
	order := append(groups[level:len(groups):len(groups)], groups[:level]...)
	slices.SortStableFunc(order, func(a, b group) int { return cmp.Compare(len(b.glyphs), len(a.glyphs)) })
	zones := page.rules.zonesOf()
	for _, g := range order {
		if len(g.glyphs) > 0 && !(g.direction == rightwards && w.tagged(g.glyphs)) {
			for _, runs := range blocksOf(runsOf(joinAccents(g.glyphs, g.direction), g.direction), zones) {
				if g.direction != rightwards {
					w.prose(sortLines(runs), nil)
					continue
				}
				w.block(sortLines(runs), zones, page.solids)
			}
			w.paragraph()
		}
	}
	w.endPage()
}

// prose writes lines that have no table.
func (w *writer) prose(lines [][]run, solids []rect) {
	var fragments []fragment
	fragments, w.strips = fragmentsOf(lines)
	w.region(appendSolids(fragments, solids, w.strips), 0)
	w.endColumn()
}

// group holds the glyphs of a page that run in one direction.
type group struct {
	direction direction
	glyphs    []glyph
}

const (
	// maxTurns bounds the angles of a page. Letters on curves have one each, and stay in the nearest direction.
	maxTurns = 16
	// fewTurned is the smallest number of glyphs at one angle that counts as words.
	fewTurned = 3
	// sameTurn is the maximum difference of equal angles, in radians. Over a line of a hundred letters it is less than
	// baselineDrift.
	sameTurn = 0.002
)

// turnedOf separates the turned glyphs, grouped by angle, from the others. They are turned back to their direction.
func turnedOf(glyphs []glyph) (others []glyph, turned []group) {
	if !slices.ContainsFunc(glyphs, func(g glyph) bool { return g.turn != 0 }) {
		return glyphs, nil
	}
	byTurn := func(g glyph) int {
		return slices.IndexFunc(turned, func(t group) bool {
			return t.direction == g.direction && math.Abs(float64(t.glyphs[0].turn-g.turn)) < sameTurn
		})
	}
	for _, g := range glyphs {
		if g.turn == 0 {
			continue
		} else if i := byTurn(g); i >= 0 {
			turned[i].glyphs = append(turned[i].glyphs, g)
		} else if len(turned) < maxTurns {
			turned = append(turned, group{g.direction, []glyph{g}})
		}
	}
	turned = slices.DeleteFunc(turned, func(t group) bool { return len(t.glyphs) < fewTurned })
	for _, g := range glyphs {
		if g.turn == 0 || byTurn(g) < 0 {
			others = append(others, g)
		}
	}
	for _, t := range turned {
		sin, cos := math.Sincos(-float64(t.glyphs[0].turn))
		for i := range t.glyphs {
			g := &t.glyphs[i]
			g.x, g.y = g.x*cos-g.y*sin, g.x*sin+g.y*cos
			g.dx, g.dy = g.dx*cos-g.dy*sin, g.dx*sin+g.dy*cos
		}
	}
	return others, turned
}

// runsOf divides glyphs, in the order shown, into runs. It writes the glyphs that it keeps to the front of the slice,
// so runs refer to glyphs that do not move again.
func runsOf(glyphs []glyph, d direction) []run {
	var runs []run
	open := false
	n := 0 // number of glyphs kept, at the front of the slice
	for _, g := range glyphs {
		u, v := d.along(g.x, g.y)
		du, _ := d.along(g.dx, g.dy)
		end := u + du
		// Right-to-left writers move backwards, so the ends of the interval are swapped.
		if du < 0 {
			u, end = end, u
		}
		var last *run
		if open {
			last = &runs[len(runs)-1]
		}
		switch {
		// Spaces are not kept, since gaps separate words. But a shown space is noted, since in tight lines the gap
		// alone is too small.
		case strings.TrimSpace(g.text) == "":
			if open && math.Abs(v-last.v) < baselineDrift*g.size {
				last.spaced = true
			}
			open = false
			continue
		// The comparison is with the last glyph kept.
		case open && repeats(glyphs[n-1], g):
			continue
		}
		glyphs[n] = g
		n++
		// Method takes compares with the run's end, so overlapping glyphs are still taken, up to overlap.
		if open && last.takes(u, v, g) && !(u < last.u1 && goesBack(glyphs[n-2], g, d)) {
			// The glyphs of the open run are the last ones kept, so the slice only grows by one.
			last.glyphs = glyphs[n-1-len(last.glyphs) : n]
			last.u1 = max(last.u1, end)
			last.size = max(last.size, g.size)
			continue
		}
		runs = append(runs, run{glyphs: glyphs[n-1 : n], u0: u, u1: end, v: v, size: g.size})
		open = true
	}
	return runs
}

// takes reports whether g, which begins at u on the baseline v, continues the run. Another baseline ends a run, and so
// does a gap as wide as that of words or one that reaches back too far.
func (r *run) takes(u, v float64, g glyph) bool {
	em := min(r.size, g.size)
	gap := u - r.u1
	return math.Abs(v-r.v) < baselineDrift*em && gap < wordGap*em && gap > -overlap*em
}

// goesBack reports whether b is a right-to-left letter before a. Shown in reading order, narrow letters do not reach
// back far.
func goesBack(a, b glyph, d direction) bool {
	au, _ := d.along(a.x+a.dx/2, a.y+a.dy/2)
	bu, _ := d.along(b.x+b.dx/2, b.y+b.dy/2)
	return bu < au && isRTL(b.text)
}

// repeats reports whether b shows the same as a at the same place: some writers make letters bold in this way. At this
// distance nobody sees two letters.
func repeats(a, b glyph) bool {
	return a.text == b.text && math.Abs(a.x-b.x)+math.Abs(a.y-b.y) < 0.1*a.size
}

// alignScripts moves superscripts, subscripts and other raised or lowered letters to the line in which they were
// shown. Such a line is a chain of runs, each beginning where the one before ends. Its baseline is that of its widest
// run. This needs the order of showing, so it comes before runs are sorted into lines.
func alignScripts(runs []run) {
	for start := 0; start < len(runs); {
		widest, end := start, start+1
		for end < len(runs) && runs[end].follows(&runs[end-1]) &&
			// The chain is compared with its first run, or a staircase of small steps could drift away.
			math.Abs(runs[end].v-runs[start].v) < scriptReach*runs[end].size {
			if runs[end].u1-runs[end].u0 > runs[widest].u1-runs[widest].u0 {
				widest = end
			}
			end++
		}
		for i := start; i < end; i++ {
			runs[i].line = runs[widest].v
		}
		start = end
	}
}

// follows reports whether the run begins about where r ends. Gaps within the chain may be as wide as between words,
// but not as wide as between columns.
func (r *run) follows(before *run) bool {
	em := max(r.size, before.size)
	gap := r.u0 - before.u1
	return gap > -overlap*em && gap < chainGap*em && math.Abs(r.v-before.v) < scriptReach*em
}

// sortLines sorts runs into lines by their baselines. The text of a line may have been shown in any order; from here on
// only positions count.
func sortLines(runs []run) (lines [][]run) {
	alignScripts(runs)
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.line, b.line) })
	for len(runs) > 0 {
		n := 1
		// The comparison is with the first of the line, so that lines do not merge step by step.
		for n < len(runs) && runs[n].line-runs[0].line < baselineDrift*max(runs[0].size, runs[n].size) {
			n++
		}
		line := runs[:n]
		// Stable sorts keep the order of showing for runs at the same place.
		slices.SortStableFunc(line, func(a, b run) int { return cmp.Compare(a.u0, b.u0) })
		// This is bold by repetition too, where the whole word was shown twice.
		lines = append(lines, slices.CompactFunc(line, run.repeated))
		runs = runs[n:]
	}
	return lines
}

// fragmentsOf divides lines at wide gaps.
func fragmentsOf(lines [][]run) (fragments []fragment, strips []strip) {
	strips = stripsOf(lines)
	for _, line := range lines {
		fragments = appendLine(fragments, line, strips)
	}
	return fragments, strips
}

// appendLine adds the fragments of a line, which are divided by wide gaps and by strips between columns.
func appendLine(fragments []fragment, line []run, strips []strip) []fragment {
	start := 0
	for i := range line {
		// The gap is measured from the rightmost end so far. The last run may lie within another.
		if i+1 < len(line) {
			end := rightmost(line[start : i+1])
			if line[i+1].u0-end < fragmentGap*max(line[i].size, line[i+1].size) &&
				dividing(strips, end, &line[i+1], line[0].line) == nil {
				continue
			}
		}
		// The third index bounds the capacity: appending to a fragment must not overwrite its neighbour.
		f := newFragment(line[start : i+1 : i+1])
		f.trim(strips)
		fragments = append(fragments, f)
		start = i + 1
	}
	return fragments
}

// rightmost returns the right end of runs. It checks only the last few, so that long lines stay linear.
func rightmost(runs []run) float64 {
	const recent = 8 // number of last runs that are checked
	end := math.Inf(-1)
	for _, r := range runs[max(0, len(runs)-recent):] {
		end = max(end, r.u1)
	}
	return end
}

// newFragment returns the fragment of runs, which are in order.
func newFragment(runs []run) fragment {
	// A fragment that begins with a superscript has the baseline of its line, hence line and not v.
	f := fragment{runs: runs, u0: runs[0].u0, u1: runs[0].u1, v: runs[0].line}
	for _, r := range runs {
		f.u1 = max(f.u1, r.u1)
		f.size = max(f.size, r.size)
	}
	joinTracked(runs)
	return f
}

// repeated reports whether b shows the same as r at nearly the same place. All glyphs must have the same text.
func (r run) repeated(b run) bool {
	if len(r.glyphs) != len(b.glyphs) || math.Abs(r.u0-b.u0) > 0.2*r.size || math.Abs(r.v-b.v) > baselineDrift*r.size {
		return false
	}
	for i := range r.glyphs {
		if r.glyphs[i].text != b.glyphs[i].text {
			return false
		}
	}
	return true
}
