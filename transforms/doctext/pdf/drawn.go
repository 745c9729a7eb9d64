package pdf

import (
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// The page as drawn: where its pictures are, and which of its shapes may be letters. Pictures are not decoded.

const (
	// gridSide squared is the number of cells that a page is divided into, to add up the pictures on it.
	gridSide = 16
	// largePicture is the share of a page that a picture must have to hide the text below it.
	largePicture = 0.5
	// smallPicture is the share below which a picture does not count: logos are on each page.
	smallPicture = 1.0 / 64
	// maxShapes bounds the shapes of a page, and of one path.
	maxShapes = 4096
	// These are heights of letters, in points, and how many times wider than high a letter may be.
	lowestLetter, highestLetter, widestLetter = 2.0, 40.0, 3.0
	// inRow is the smallest number of shapes on one baseline that are letters, sameRow the largest difference.
	inRow, sameRow = 6, 0.6
	// marginShare is the part of a page's height at its top and bottom in which stamps and numbers stand.
	marginShare = 0.09
	// Solids are at least this part of the page wide, and less than this part high. Those of a page are bounded, and a
	// solid has not more fragments of text in it than a caption.
	wideSolid, highSolid, maxSolids, maxWithin = 0.2, 0.7, 256, 3
)

// drawn is what a page shows besides text, and counts of its glyphs.
type drawn struct {
	grid   [gridSide]uint16 // cells with pictures, a bit each
	shapes []float32        // lower edges of filled shapes as large as letters
	solids []rect           // boxes of large drawings
	rules  rules
	marks  doctext.PageMarks
}

// rect is a box; its sides are in order.
type rect struct{ x0, y0, x1, y1 float64 }

// outline is the path under construction, in user space: the boxes of its parts.
type outline struct {
	parts []rect
}

// begin starts another part of the path.
func (o *outline) begin(x, y float64) {
	if len(o.parts) < maxShapes {
		o.parts = append(o.parts, rect{x, y, x, y})
	}
}

// to adds a point to the open part.
func (o *outline) to(x, y float64) {
	if n := len(o.parts); n > 0 {
		p := &o.parts[n-1]
		p.x0, p.y0, p.x1, p.y1 = min(p.x0, x), min(p.y0, y), max(p.x1, x), max(p.y1, y)
	}
}

// pathOperator executes an operator that makes or paints a path (section 8.5). It ignores others.
func (s *stream) pathOperator(op string, args []object.Token) {
	switch op {
	case "m":
		s.path.begin(number(args, 1), number(args, 0))
	case "l", "c", "v", "y":
		s.path.to(number(args, 1), number(args, 0))
	case "re":
		x, y := number(args, 3), number(args, 2)
		s.path.begin(x, y)
		s.path.to(x+number(args, 1), y+number(args, 0))
	case "f", "F", "f*", "B", "B*", "b", "b*":
		s.paint(true)
		s.path.parts = s.path.parts[:0]
	case "S", "s":
		s.paint(false)
		s.path.parts = s.path.parts[:0]
	case "n":
		s.path.parts = s.path.parts[:0]
	}
}

// paint notes the parts of a path that are wide, and those of a filled one that have the size of letters.
func (s *stream) paint(fills bool) {
	if s.off > 0 {
		return
	}
	for _, p := range s.path.parts {
		b := s.onPage(p)
		width, height := b.x1-b.x0, b.y1-b.y0
		s.solid(b)
		s.drawn.rules.add(b)
		if fills && height >= lowestLetter && height <= highestLetter && width <= widestLetter*height && width > 0 &&
			b.x1 >= 0 && b.y1 >= 0 && b.x0 <= s.width && b.y0 <= s.height && len(s.drawn.shapes) < maxShapes {
			s.drawn.shapes = append(s.drawn.shapes, float32(b.y1))
			s.placed++ // a form of letters is executed each time
		}
	}
}

// solid notes the box of a picture or of a shape, if it is wide and not the whole page.
func (s *stream) solid(b rect) {
	if width := b.x1 - b.x0; width >= wideSolid*s.width && width < 2*s.width && b.y1-b.y0 < highSolid*s.height &&
		len(s.drawn.solids) < maxSolids {
		s.drawn.solids = append(s.drawn.solids, b)
	}
}

// appendSolids adds the solids that lie across a strip to the fragments of a page. A box around text is not a solid.
func appendSolids(fragments []fragment, solids []rect, strips []strip) []fragment {
	if len(strips) == 0 {
		return fragments
	}
	n := len(fragments)
	for _, b := range solids {
		within := 0
		for i := range fragments[:n] {
			if f := &fragments[i]; f.v > b.y0 && f.v < b.y1 && f.u0 < b.x1 && f.u1 > b.x0 {
				within++
			}
		}
		across := func(s strip) bool { return b.x0 < s.lo && b.x1 > s.hi }
		if within <= maxWithin && slices.ContainsFunc(strips, across) {
			fragments = append(fragments, fragment{u0: b.x0, u1: b.x1, v: b.y1, height: b.y1 - b.y0, size: fragments[0].size})
		}
	}
	return fragments
}

// texts returns the fragments that are text.
func texts(fragments []fragment) []fragment {
	if !slices.ContainsFunc(fragments, func(f fragment) bool { return f.isSolid() }) {
		return fragments
	}
	return slices.DeleteFunc(slices.Clone(fragments), func(f fragment) bool { return f.isSolid() })
}

// onPage returns the box around b, which is in user space, on the page.
func (s *stream) onPage(b rect) rect {
	x0, y0, x1, y1 := s.ctm.box([4]float64{b.x0, b.y0, b.x1, b.y1})
	return rect{x0, y0, x1, y1}
}

// picture notes a picture, which fills the unit square of user space (section 8.9.5.1). It hides the glyphs below it
// unless it is transparent in places.
func (s *stream) picture(opaque bool) {
	b := s.onPage(rect{0, 0, 1, 1})
	if s.off > 0 || math.IsNaN(b.x0+b.y0+b.x1+b.y1) || s.width <= 0 || s.height <= 0 {
		return
	}
	columns := cells(b.x0/s.width, b.x1/s.width)
	rows := cells(b.y0/s.height, b.y1/s.height)
	share := (min(b.x1, s.width) - max(b.x0, 0)) * (min(b.y1, s.height) - max(b.y0, 0)) / (s.width * s.height)
	if b.x1 <= 0 || b.y1 <= 0 || share < smallPicture {
		return
	}
	s.placed++ // the form around it is executed each time
	s.solid(b)
	for i := range s.drawn.grid {
		if rows&(1<<i) != 0 {
			s.drawn.grid[i] |= columns
		}
	}
	if m := &s.drawn.marks; opaque && share >= largePicture {
		m.Hidden += m.Glyphs
		m.Glyphs, m.Inner = 0, 0
	}
}

// cells returns the bits of the cells of one axis whose middle is in a range, which is in shares of the page.
func cells(lo, hi float64) (bits uint16) {
	for i := range gridSide {
		if middle := (float64(i) + 0.5) / gridSide; middle >= lo && middle <= hi {
			bits |= 1 << i
		}
	}
	return bits
}

// isOpaque reports whether a picture hides everything below it: it has no mask.
func (s *stream) isOpaque(d object.Dict) bool {
	mask, _ := s.file.Resolve(d["ImageMask"]).(bool)
	return !mask && d["SMask"] == nil && d["Mask"] == nil
}

// count counts a glyph that is on the page. Parameter known is false if nothing gives its text.
func (s *stream) count(g *glyph, known bool) {
	m := &s.drawn.marks
	const invisible, clips = 3, 7 // rendering modes (table 104)
	switch {
	case s.mode == invisible || s.mode == clips:
		m.Hidden++
	default:
		m.Glyphs++
		if g.y > marginShare*s.height && g.y < (1-marginShare)*s.height {
			m.Inner++
		}
	}
	if !known {
		m.Unknown++
	}
}

// summary returns the marks of the page.
func (d *drawn) summary() doctext.PageMarks {
	m := d.marks
	covered := 0
	for _, row := range d.grid {
		for ; row != 0; row &= row - 1 {
			covered++
		}
	}
	m.Picture = covered * 100 / (gridSide * gridSide)
	m.Shapes = shapesInRows(d.shapes)
	return m
}

// shapesInRows returns how many shapes form rows, as letters do.
func shapesInRows(bottoms []float32) (n int) {
	slices.Sort(bottoms)
	for start := 0; start < len(bottoms); {
		end := start + 1
		for end < len(bottoms) && bottoms[end]-bottoms[start] < sameRow {
			end++
		}
		if end-start >= inRow {
			n += end - start
		}
		start = end
	}
	return n
}
