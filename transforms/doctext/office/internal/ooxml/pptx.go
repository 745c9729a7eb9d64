package ooxml

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// presentation reads slides in order, each with its notes and comments. The text of a layout or master comes with the
// first slide that uses it.
func (r *reader) presentation(main string) {
	for i, slide := range r.slides(main) {
		if r.limitPages(i) {
			break
		}
		if i > 0 {
			r.out.Page()
		}
		r.doc.Pages++
		r.slide(slide)
	}
}

// slides returns the parts that the presentation lists. If the list is lost, it returns the parts named like slides.
func (r *reader) slides(main string) []string {
	var names []string
	r.walk(main, func(s *xmlscan.Scanner) {
		if s.Kind == xmlscan.Start && s.Name == "sldId" {
			// In <p:sldId id="256" r:id="rId2"/> only the qualified id refers to a part. Method once also drops slides
			// that are listed twice.
			if name := r.target(main, s.QualifiedAttr("id")); r.once(name) {
				names = append(names, name)
			}
		}
	})
	if len(names) > 0 {
		return names
	}
	return r.numbered("ppt/slides/slide")
}

// numbered returns the parts whose names are a prefix and a number, in the order of the numbers: slide10 comes after
// slide2.
func (r *reader) numbered(prefix string) []string {
	number := func(name string) int {
		digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimSuffix(name, path.Ext(name))), prefix)
		// Only names that end in ".xml" count, such as "slide1.xml".
		if n, err := strconv.Atoi(digits); ok && err == nil && strings.HasSuffix(name, ".xml") {
			return n
		}
		return -1
	}
	var names []string
	for _, name := range r.a.Names() {
		if number(name) >= 0 {
			names = append(names, name)
		}
	}
	// The sort is stable, since both "slide1" and "slide01" may exist.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return names
}

func (r *reader) slide(part string) {
	r.textPart(part)
	// With once, the text of a layout or master comes with the first slide that uses it.
	for _, layout := range r.targets(part, "slideLayout") {
		if r.once(layout) {
			r.frame(layout, anyPlaceholder)
		}
		for _, master := range r.targets(layout, "slideMaster") {
			if r.once(master) {
				r.frame(master, anyPlaceholder)
			}
		}
	}
	for _, notes := range r.targets(part, "notesSlide") {
		if r.once(notes) {
			r.frame(notes, notesPlaceholder)
		}
	}
	for _, comments := range r.targets(part, "comments") {
		if r.once(comments) {
			r.comments(comments)
		}
	}
}

// anyPlaceholder leaves out all placeholders. Those of layouts and masters hold prompts ("Click to edit").
func anyPlaceholder(string) bool { return true }

// notesPlaceholder leaves out the placeholders of notes except the body: the picture of the slide, its number, the
// date. A placeholder without a type is a body (CT_Placeholder, section 19.3.1.36).
func notesPlaceholder(kind string) bool { return kind != "body" && kind != "" }

// frame adds the text of a part, without the placeholders that leaveOut selects.
func (r *reader) frame(part string, leaveOut func(kind string) bool) {
	r.walk(part, func(s *xmlscan.Scanner) {
		if s.Kind == xmlscan.Start && s.Name == "ph" && leaveOut(s.Attr("type")) {
			// The placeholder's mark comes before the text of its shape, so the rest of the shape can be skipped.
			skipShape(s)
			return
		}
		r.text(part, s)
	})
	r.out.Paragraph()
	r.drawings(part)
}

// skipShape goes to the End of the shape around the current element. For an unclosed shape that is the end of the
// scan.
func skipShape(s *xmlscan.Scanner) {
	for s.Next() {
		if s.Kind == xmlscan.End && (s.Name == "sp" || s.Name == "pic" || s.Name == "graphicFrame") {
			return
		}
	}
}

// comments adds the comments on a slide or sheet. Their text is in an element of its own, or in paragraphs.
func (r *reader) comments(part string) {
	r.walk(part, func(s *xmlscan.Scanner) { r.comment(part, s) })
	r.out.Paragraph()
}

// comment adds what the scanner is at in a part of comments.
func (r *reader) comment(part string, s *xmlscan.Scanner) {
	// In old comments <p:text> holds plain text. Method text reads the paragraphs of newer comments.
	if s.Kind == xmlscan.Text && s.Parent() == "text" {
		r.out.AddBytes(s.Text)
	}
	if s.Kind == xmlscan.End && (s.Name == "cm" || s.Name == "threadedComment") {
		r.out.Paragraph()
	}
	r.text(part, s)
}
