package pdf

import (
	"math"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// annotation shows the appearance of an annotation (section 12.5.5), unless it is hidden. Annotations are on the page
// but not in its content: values of form fields, notes, stamps.
func (c *canvas) annotation(d object.Dict, base matrix) {
	// These are bits 2 and 6 of F (table 167). Pop-ups show the text of another annotation in a window of the viewer.
	const hidden, noView = 1 << 1, 1 << 5
	flags := c.file.Int(d["F"], 0)
	if flags&(hidden|noView) != 0 || c.file.Name(d["Subtype"]) == "Popup" || c.isHidden(d["OC"]) {
		return
	}
	appearance := c.file.Resolve(c.file.Dict(d["AP"])["N"])
	// A check box has an appearance for each of its states; AS names the current one.
	if states, ok := appearance.(object.Dict); ok {
		appearance = c.file.Resolve(states[c.file.Name(d["AS"])])
	}
	rect := c.file.Array(d["Rect"])
	if len(rect) != 4 {
		return
	}
	form, ok := appearance.(*object.Stream)
	if !ok {
		c.value(d, c.numbers(rect), base)
		return
	}
	// The form's box, transformed by its matrix, is moved and scaled to the annotation's rectangle.
	m := c.formMatrix(form.Dict)
	box := c.file.Array(form.Dict["BBox"])
	if len(box) != 4 {
		return
	}
	bx0, by0, bx1, by1 := m.box(c.numbers(box))
	rx0, ry0, rx1, ry1 := identity.box(c.numbers(rect))
	sx, sy := scale(bx1-bx0, rx1-rx0), scale(by1-by0, ry1-ry0)
	fit := matrix{sx, 0, 0, sy, rx0 - bx0*sx, ry0 - by0*sy}
	// The page's resources are not passed, since an appearance has its own.
	c.form(form, nil, fit.then(base), 0)
}

// value shows the value of a text or choice field without an appearance, like viewers (section 12.7.4.3).
func (c *canvas) value(d object.Dict, rect [4]float64, base matrix) {
	// Viewers choose a size if none is given. Only the distance to neighbours depends on it.
	const password, usual = 1 << 13, 10
	if c.file.Name(d["Subtype"]) != "Widget" {
		return
	}
	// Fields form a tree, and inherit V, FT and Ff (table 226).
	inherited := func(key object.Name) object.Object {
		field := d
		// maxParents also ends a circle of parents.
		for range maxParents {
			if v := c.file.Resolve(field[key]); v != nil {
				return v
			}
			field = c.file.Dict(field["Parent"])
		}
		return nil
	}
	value, isText := inherited("V").(object.String)
	// Values of button fields are names of states, those of signatures a dictionary: neither is text. Bit 14 marks
	// passwords.
	if kind := inherited("FT"); kind != object.Name("Tx") && kind != object.Name("Ch") || !isText ||
		c.file.Int(inherited("Ff"), 0)&password != 0 {
		return
	}
	// The whole value becomes one glyph at the lower left of the field, as wide as the field.
	g := glyph{text: clean(textString(value)), size: usual}
	g.x, g.y = base.point(rect[0], rect[1])
	g.dx, g.dy = base[0]*(rect[2]-rect[0]), base[1]*(rect[2]-rect[0])
	g.direction, _ = directionOf(base[0], base[1])
	c.add(g)
}

// scale returns the factor that scales length from to length to. A form with an empty box cannot be scaled, and keeps
// its size. NaN comes from infinite numbers.
func scale(from, to float64) float64 {
	if s := to / from; from != 0 && !math.IsNaN(s) {
		return s
	}
	return 1
}

// numbers returns the first four numbers of a. Callers check that there are four.
func (c *canvas) numbers(a object.Array) (n [4]float64) {
	for i := range n {
		n[i] = c.file.Number(a[i], 0)
	}
	return n
}
