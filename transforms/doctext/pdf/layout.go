package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Distances are in ems, the height of the letters about them. They were set on files of the development part. Gaps
// below wordGap are kerning and letter spacing; spaces in fonts have 0.2 to 0.3 em. fragmentGap is several spaces, so
// justified lines stay whole.
const (
	// wordGap is the gap between glyphs from which on they belong to two words.
	wordGap = 0.12
	// fragmentGap is the gap between words from which on they belong to two columns or cells.
	fragmentGap = 1.2
	// baselineDrift is how far the baselines of words of one line may differ.
	baselineDrift = 0.12
	// overlap is how far a glyph may reach back over the one before it.
	overlap = 0.4
	// scriptReach is how far off the baseline superscripts and subscripts stand.
	scriptReach = 0.7
	// chainGap is the widest gap between words that were shown one after the other in one line.
	chainGap = 0.6
	// askew is the slope from which on text is turned, and not a scan that was laid on the glass a little askew.
	askew = 0.05
	// drawnSpace is the gap that a space leaves where it was shown and not taken back.
	drawnSpace = 0.04
)

// direction is the way that a line runs on the page as it is shown. Text that is turned is laid out in its own
// direction as if the page had been turned.
type direction uint8

const (
	rightwards direction = iota
	downwards
	leftwards
	upwards
	vertical // letters stand upright, one below the other
	directions
)

// directionOf returns the direction that is nearest to that of (dx, dy), where y grows downwards, and the angle from
// there to it if that is not so small that scans may be askew by it.
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

// along returns (x, y) as how far along the lines of a direction it is, and how far across them, growing to the next
// line. It turns the page so that lines run along u and follow each other along v, which lets all that comes after
// ignore directions.
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

// run is a series of glyphs that were shown one after the other with no gap between. glyphs is a part of one slice
// that all runs of the page share. line differs from v for superscripts and the like.
type run struct {
	glyphs []glyph
	u0, u1 float64 // where it begins and ends along the line
	v      float64 // its baseline
	line   float64 // the baseline of the line that it is in
	size   float64
	spaced bool // a space was shown after it
	joined bool // it continues with the word of the run before, over the gap of letters that are set apart
}

// fragment is a part of a line: runs with no wide gap between. It is the unit that order.go moves as a whole: a line
// of a column, or a cell.
type fragment struct {
	runs   []run
	u0, u1 float64
	v      float64
	size   float64
}

// top and bottom are the upper and lower edge. Without metrics the ascent and descent of a usual text font have to
// do.
func (f *fragment) top() float64    { return f.v - 0.75*f.size }
func (f *fragment) bottom() float64 { return f.v + 0.2*f.size }

// layout writes the text of a page's glyphs in reading order: first what runs in the direction that most glyphs have,
// then the others. At most limit bytes are in text in the end, and some more.
func layout(text *strings.Builder, glyphs []glyph, limit int) {
	glyphs, groups := turnedOf(glyphs)
	// Two passes, the first to count: each group is allocated once, in its size.
	var counts [directions]int
	for _, g := range glyphs {
		counts[g.direction]++
	}
	level := len(groups)
	for d, n := range counts {
		groups = append(groups, group{direction: direction(d), glyphs: make([]glyph, 0, n)})
	}
	for _, g := range glyphs {
		// Within a direction the order in which glyphs were shown is kept: runsOf depends on it.
		of := &groups[level+int(g.direction)]
		of.glyphs = append(of.glyphs, g)
	}
	// Turned text (tables on their side, labels of axes, watermarks) comes after the page's main text. Stable, so that
	// the order is the same each time.
	order := append(groups[level:len(groups):len(groups)], groups[:level]...)
	slices.SortStableFunc(order, func(a, b group) int { return cmp.Compare(len(b.glyphs), len(a.glyphs)) })
	w := writer{text: text, limit: limit}
	for _, g := range order {
		if len(g.glyphs) > 0 {
			fragments := fragmentsOf(runsOf(joinAccents(g.glyphs, g.direction), g.direction))
			w.region(fragments, 0)
			w.paragraph()
		}
	}
	w.endPage()
}

// group is the glyphs of a page that run in one direction.
type group struct {
	direction direction
	glyphs    []glyph
}

const (
	// maxTurns bounds the angles of a page. Letters on curves have one each, and stay in the nearest direction.
	maxTurns = 16
	// fewTurned is how many glyphs are turned by the same angle where they are words.
	fewTurned = 3
	// sameTurn is by how much an angle may differ, in radians: over a line of a hundred letters by less than
	// baselineDrift.
	sameTurn = 0.002
)

// turnedOf takes the glyphs that are turned from their direction out of glyphs, and returns the others, and those by
// angle. They are turned back, so that they run in their direction like all others.
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

// runsOf divides glyphs, in the order in which they were shown, into runs. It writes the glyphs that it keeps over
// those at the front of the slice, so runs refer to what is never moved again.
func runsOf(glyphs []glyph, d direction) []run {
	var runs []run
	open := false
	n := 0 // glyphs that are kept, at the front of the slice
	for _, g := range glyphs {
		u, v := d.along(g.x, g.y)
		du, _ := d.along(g.dx, g.dy)
		end := u + du
		// Right-to-left writers move backwards: the interval is made upright.
		if du < 0 {
			u, end = end, u
		}
		var last *run
		if open {
			last = &runs[len(runs)-1]
		}
		switch {
		// Spaces are not kept: gaps tell words apart. But that one was shown is remembered, since in
		// tight lines the gap alone is too small.
		case strings.TrimSpace(g.text) == "":
			if open && math.Abs(v-last.v) < baselineDrift*g.size {
				last.spaced = true
			}
			open = false
			continue
		// Compared with the last glyph that is kept.
		case open && repeats(glyphs[n-1], g):
			continue
		}
		glyphs[n] = g
		n++
		// takes needs the run's end, so overlapping glyphs are still taken, up to overlap.
		if open && last.takes(u, v, g) && !(u < last.u1 && goesBack(glyphs[n-2], g, d)) {
			// The glyphs of the open run are the last ones that were kept, so the slice only grows by
			// one.
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

// takes reports whether g, which begins at u on the baseline v, continues with the run. Two things end a run: another
// baseline, and a gap that is a word's or reaches back too far.
func (r *run) takes(u, v float64, g glyph) bool {
	em := min(r.size, g.size)
	gap := u - r.u1
	return math.Abs(v-r.v) < baselineDrift*em && gap < wordGap*em && gap > -overlap*em
}

// goesBack reports whether b is a letter of a script from the right to the left that is before a: shown as it is
// read, the narrow ones do not reach back far.
func goesBack(a, b glyph, d direction) bool {
	au, _ := d.along(a.x+a.dx/2, a.y+a.dy/2)
	bu, _ := d.along(b.x+b.dx/2, b.y+b.dy/2)
	return bu < au && isRTL(b.text)
}

// repeats reports whether b shows the same as a, at the same place: how some writers make letters bold. The distance is
// below what anyone sees as two letters.
func repeats(a, b glyph) bool {
	return a.text == b.text && math.Abs(a.x-b.x)+math.Abs(a.y-b.y) < 0.1*a.size
}

// alignScripts puts superscripts, subscripts and other letters that are raised or lowered on the line that they were
// shown in: a chain of runs that begin where the one before ends. Its baseline is that of its widest run. The order
// of showing is needed, so it runs before runs are sorted into lines.
func alignScripts(runs []run) {
	for start := 0; start < len(runs); {
		widest, end := start, start+1
		for end < len(runs) && runs[end].follows(&runs[end-1]) &&
			// The first run is what the chain is compared with: a staircase of small steps would
			// drift away otherwise.
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

// follows reports whether the run begins about where r ends. In the chain, gaps may be those of words, but not those of
// columns.
func (r *run) follows(before *run) bool {
	em := max(r.size, before.size)
	gap := r.u0 - before.u1
	return gap > -overlap*em && gap < chainGap*em && math.Abs(r.v-before.v) < scriptReach*em
}

// fragmentsOf puts runs in lines by their baselines, and divides lines at wide gaps. The text of a line may have been
// shown in any order; from here on only places count.
func fragmentsOf(runs []run) []fragment {
	alignScripts(runs)
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.line, b.line) })
	var fragments []fragment
	for len(runs) > 0 {
		n := 1
		// Compared with the first of the line, so that lines do not grow into each other step by
		// step.
		for n < len(runs) && runs[n].line-runs[0].line < baselineDrift*max(runs[0].size, runs[n].size) {
			n++
		}
		fragments = appendLine(fragments, runs[:n])
		runs = runs[n:]
	}
	return fragments
}

// appendLine adds the fragments of a line.
func appendLine(fragments []fragment, line []run) []fragment {
	// Stable sorts keep the order of showing for what is at the same place.
	slices.SortStableFunc(line, func(a, b run) int { return cmp.Compare(a.u0, b.u0) })
	// Bold by repetition again, where the whole word was shown twice.
	line = slices.CompactFunc(line, run.repeated)
	start := 0
	for i := range line {
		// Measured from what reaches furthest right so far, not from the last run, which may lie
		// within another.
		if i+1 < len(line) && line[i+1].u0-rightmost(line[start:i+1]) < fragmentGap*max(line[i].size, line[i+1].size) {
			continue
		}
		// The third index bounds the capacity: appending to a fragment must not overwrite its
		// neighbour.
		fragments = append(fragments, newFragment(line[start:i+1:i+1]))
		start = i + 1
	}
	return fragments
}

// rightmost returns where runs end. Looking at the last few keeps long lines linear.
func rightmost(runs []run) float64 {
	const recent = 8 // runs before the last that may reach over it
	end := math.Inf(-1)
	for _, r := range runs[max(0, len(runs)-recent):] {
		end = max(end, r.u1)
	}
	return end
}

// newFragment returns the fragment of runs, which are in order.
func newFragment(runs []run) fragment {
	// line, not v: a fragment that begins with a superscript stands on its line.
	f := fragment{runs: runs, u0: runs[0].u0, u1: runs[0].u1, v: runs[0].line}
	for _, r := range runs {
		f.u1 = max(f.u1, r.u1)
		f.size = max(f.size, r.size)
	}
	joinTracked(runs)
	return f
}

// repeated reports whether b shows the same as r at nearly the same place. The texts have to be the same in all glyphs,
// and nearly in place.
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
