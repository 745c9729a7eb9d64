package pdf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// page is a page with its inherited entries (table 31). Resources, the boxes and the rotation are inherited down the
// page tree.
type page struct {
	dict      object.Dict
	resources object.Dict
	box       object.Array // the media box
	crop      object.Array
	rotate    int
	num       int // number of its object, or 0
}

// pages returns the pages of the page tree. If it is damaged, the pages that it has lost come after them.
func (r *reader) pages() []page {
	w := walk{reader: r, seen: map[int]bool{}}
	root := r.file.Dict(r.file.Trailer["Root"])
	w.node(root["Pages"], page{}, 0)
	// Count is only compared; allocations must not depend on it.
	count := r.file.Int(r.file.Dict(root["Pages"])["Count"], 0)
	// Either there is no page, or there are fewer than stated because nodes were missing. A wrong Count alone is not
	// damage.
	if len(w.pages) == 0 || len(w.pages) < count && len(w.pages) < r.options.MaxPages && w.lost {
		r.file.Repair("damaged page tree")
		// The repaired file may have a sound tree. Walking it again is cheaper than searching for single pages.
		if len(w.pages) == 0 {
			w = walk{reader: r, seen: map[int]bool{}}
			w.node(r.file.Dict(r.file.Trailer["Root"])["Pages"], page{}, 0)
		}
		w.orphans()
		// Lost content will be searched too.
		r.incomplete = len(w.pages) == 0 || len(w.pages) < count || count == 0
	}
	if w.cut {
		r.doc.Add(doctext.KindLimit, fmt.Sprintf("pages after %d are left out", r.options.MaxPages))
	}
	return w.pages
}

// walk walks through the page tree.
type walk struct {
	*reader
	pages []page
	seen  map[int]bool
	lost  bool // a node is missing
	cut   bool // there are more pages than allowed
}

// node adds the pages at or below o (section 7.7.3). Field seen ends cycles. Direct objects cannot be part of a cycle,
// and the depth bounds them.
func (w *walk) node(o object.Object, inherited page, depth int) {
	ref, isRef := o.(object.Ref)
	if isRef && w.seen[ref.Num] || depth > w.options.MaxDepth || w.cut {
		return
	}
	if isRef {
		w.seen[ref.Num] = true
	}
	d := w.file.Dict(o)
	// A node without Type is a page if it has no Kids.
	kids, isNode := w.file.Resolve(d["Kids"]).(object.Array)
	if d == nil || !isNode && w.file.Name(d["Type"]) == "Pages" {
		w.lost = true
		return
	}
	p := w.inherit(d, inherited)
	if !isNode {
		// One page more than allowed ends the whole walk.
		if w.cut = len(w.pages) >= w.options.MaxPages; !w.cut {
			p.num = ref.Num
			w.pages = append(w.pages, p)
		}
		return
	}
	for _, kid := range kids {
		w.node(kid, p, depth+1)
	}
}

// inherit returns the page of d, with missing entries from above.
func (w *walk) inherit(d object.Dict, above page) page {
	// Entries of the wrong type count as missing.
	p := page{dict: d, resources: above.resources, box: above.box, crop: above.crop, rotate: above.rotate}
	if v := w.file.Dict(d["Resources"]); v != nil {
		p.resources = v
	}
	if v := w.file.Array(d["MediaBox"]); len(v) == 4 {
		p.box = v
	}
	if v := w.file.Array(d["CropBox"]); len(v) == 4 {
		p.crop = v
	}
	p.rotate = w.file.Int(d["Rotate"], p.rotate)
	return p
}

// orphans adds the pages that no node leads to. Their parents may still exist and have their resources.
func (w *walk) orphans() {
	for ref, o := range w.file.All() {
		d, ok := o.(object.Dict)
		// seen holds the nodes of the tree, including pages.
		if !ok || w.seen[ref.Num] || w.file.Name(d["Type"]) != "Page" {
			continue
		}
		if w.cut = len(w.pages) >= w.options.MaxPages; w.cut {
			return
		}
		above := page{}
		// Going up from the page, the nearest entry counts.
		for parent, n := w.file.Dict(d["Parent"]), 0; parent != nil && n < maxParents; n++ {
			up := w.inherit(parent, page{})
			if above.resources == nil {
				above.resources = up.resources
			}
			if above.box == nil {
				above.box = up.box
			}
			if above.crop == nil {
				above.crop = up.crop
			}
			parent = w.file.Dict(parent["Parent"])
		}
		p := w.inherit(d, above)
		p.num = ref.Num
		w.pages = append(w.pages, p)
	}
}

// maxParents bounds the way up from a page that the tree has lost.
const maxParents = 8

// matrix returns the matrix from the page's space to that of the page as shown, and the width and height there. The
// origin there is the upper left corner and y grows downwards. So rotation is handled once, and all later steps see
// the page as a reader does.
func (r *reader) matrix(p page) (m matrix, width, height float64) {
	x0, y0, x1, y1 := r.visibleBox(p)
	width, height = x1-x0, y1-y0
	// Rotate is a multiple of 90 and may be negative; other values are rounded towards 0.
	switch ((p.rotate%360 + 360) % 360) / 90 {
	case 1:
		return matrix{0, 1, 1, 0, -y0, -x0}, height, width
	case 2:
		return matrix{-1, 0, 0, 1, x1, -y0}, width, height
	case 3:
		return matrix{0, -1, -1, 0, y1, x1}, height, width
	}
	return matrix{1, 0, 0, -1, -x0, y1}, width, height
}

// visibleBox returns the corners of the part of a page that is shown: the media box, cut by the crop box (section
// 14.11.2).
func (r *reader) visibleBox(p page) (x0, y0, x1, y1 float64) {
	corners := func(a object.Array, x0, y0, x1, y1 float64) (float64, float64, float64, float64) {
		if len(a) == 4 {
			x0, y0 = r.file.Number(a[0], x0), r.file.Number(a[1], y0)
			x1, y1 = r.file.Number(a[2], x1), r.file.Number(a[3], y1)
		}
		// Any two opposite corners may be given (section 7.9.5).
		return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
	}
	// The default is US Letter.
	x0, y0, x1, y1 = corners(p.box, 0, 0, 612, 792)
	a0, b0, a1, b1 := corners(p.crop, x0, y0, x1, y1)
	a0, b0, a1, b1 = max(a0, x0), max(b0, y0), min(a1, x1), min(b1, y1)
	if a0 < a1 && b0 < b1 {
		return a0, b0, a1, b1
	}
	return x0, y0, x1, y1 // such a crop box is damaged
}

// readPage adds the text of a page to text. All pages share one buffer of glyphs, which grows to the size of the
// densest page.
func (r *reader) readPage(text *strings.Builder, p page) {
	base, width, height := r.matrix(p)
	c := &canvas{reader: r, width: width, height: height, glyphs: r.glyphs[:0], structure: r.pageTags(p)}
	c.run(r.contents(p.dict["Contents"]), p.resources, base, 0)
	// Annotations are on top of the content, and come after it.
	for _, o := range r.file.Array(p.dict["Annots"]) {
		if !r.spend(streamCost) {
			break
		}
		c.annotation(r.file.Dict(o), base)
	}
	w := writer{text: text, limit: r.options.MaxText, marks: &r.marks, rules: &c.drawn.rules}
	if c.structure != nil {
		w.elements, w.structure = r.tags.elements, c.structure
	}
	w.layout(c.glyphs, &c.drawn)
	r.glyphs = c.glyphs
	r.doc.PageMarks = append(r.doc.PageMarks, c.drawn.summary())
}

// contents returns the content streams of a page, joined. They are one stream, divided at any token (section 7.8.2),
// hence the line end between them.
func (r *reader) contents(o object.Object) []byte {
	if r.content <= 0 {
		return nil // it would not be executed
	}
	if s := r.file.Stream(o); s != nil {
		r.use(o)
		return r.file.Decode(s)
	}
	var parts [][]byte
	size := int64(0)
	for _, part := range r.file.Array(o) {
		// Content decoded here would not be executed anyway.
		if !r.spend(streamCost) || size > r.content {
			break
		}
		r.use(part)
		if s := r.file.Stream(part); s != nil {
			b := r.file.Decode(s)
			parts = append(parts, b)
			size += int64(len(b))
		}
	}
	return bytes.Join(parts, []byte("\n"))
}

// use notes that a page has the stream o, so that readLost leaves it out.
func (r *reader) use(o object.Object) {
	if ref, ok := o.(object.Ref); ok {
		r.used[ref.Num] = true
	}
}
