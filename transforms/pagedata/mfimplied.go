package pagedata

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// implied adds name, photo and url that the root's element implies (microformats2 parsing, "parsing for implied
// properties").
func (r *reader) implied(i int, f *format) {
	has := func(name string) bool {
		return slices.ContainsFunc(f.it.Props, func(p Prop) bool { return p.Name == name })
	}
	seen := func(kinds string) bool { return bytes.ContainsAny(f.kinds, kinds) }
	if !has("name") && !seen("peh") {
		r.add(f.it, "name", r.impliedName(i), r.langOf(i))
	}
	if seen("uh") {
		return
	}
	if !has("photo") {
		if k, attr := r.impliedLink(i, []attrOf{{page.TagImg, "src"}, {page.TagObject, "data"}}); attr != "" {
			r.add(f.it, "photo", r.absolute(r.attr(k, attr)), "")
		}
	}
	if !has("url") {
		if k, attr := r.impliedLink(i, []attrOf{{page.TagA, "href"}, {page.TagArea, "href"}}); attr != "" {
			r.add(f.it, "url", r.absolute(r.attr(k, attr)), "")
		}
	}
}

// nameAttrs hold the name that an element implies.
var nameAttrs = []attrOf{{page.TagImg, "alt"}, {page.TagArea, "alt"}, {page.TagAbbr, "title"}}

// impliedName is the alternative text of the element, of its only child or of that one's only child, or else its text.
func (r *reader) impliedName(i int) string {
	at := i
	for range 3 {
		if v, _ := r.firstAttr(at, nameAttrs); v != "" {
			return v
		}
		k, only := r.onlyChild(at)
		if !only {
			break
		}
		at = k
	}
	return r.named(i)
}

// named is the text of element i with the alternative texts of images, but not their sources.
func (r *reader) named(i int) string {
	return r.texts(i, func(t *longText, k int) {
		switch r.p.Nodes[k].Tag {
		case page.TagImg:
			v, _ := r.attrTo(k, "alt")
			t.add(" " + v + " ")
		case page.TagBr, page.TagP:
			t.add("\n")
		}
	})
}

// onlyChild returns the only element in element i, unless it is the root of an item.
func (r *reader) onlyChild(i int) (child int, ok bool) {
	count := 0
	for k := range r.children(i) {
		if child = k; count > 0 {
			return 0, false
		}
		count++
	}
	return child, count == 1 && !r.isRoot(child)
}

func (r *reader) isRoot(i int) bool {
	value, _ := r.p.RawAttr(i, "class")
	for class := range strings.FieldsSeq(string(value)) {
		if roots[class] {
			return true
		}
	}
	return false
}

// impliedLink finds the element with the implied link: i itself, or its only child of one of the kinds, or such a
// grandchild.
func (r *reader) impliedLink(i int, kinds []attrOf) (node int, attr string) {
	for _, a := range kinds {
		if r.p.Nodes[i].Tag == a.tag {
			if _, ok := r.p.Attr(i, a.name); ok {
				return i, a.name
			}
		}
	}
	if k, attr := r.linkChild(i, kinds); attr != "" {
		return k, attr
	}
	if k, only := r.onlyChild(i); only {
		return r.linkChild(k, kinds)
	}
	return 0, ""
}

// linkChild returns the child of i that is the only one of its kind and no root.
func (r *reader) linkChild(i int, kinds []attrOf) (node int, attr string) {
	for _, a := range kinds {
		found, count := 0, 0
		for k := range r.children(i) {
			if r.p.Nodes[k].Tag == a.tag {
				found, count = k, count+1
			}
		}
		if count == 1 && !r.isRoot(found) {
			if _, ok := r.p.Attr(found, a.name); ok {
				return found, a.name
			}
			return 0, ""
		}
	}
	return 0, ""
}
