package ooxml

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// presentation reads slides in their order; with each its notes and comments, and the text of its layout and master
// where it is the first that has them.
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

// slides are the parts that the presentation lists or, where its list is lost, that are named like slides.
func (r *reader) slides(main string) []string {
	var names []string
	r.walk(main, func(s *xmlscan.Scanner) {
		if s.Kind == xmlscan.Start && s.Name == "sldId" {
			// <p:sldId id="256" r:id="rId2"/>: only the qualified one refers to a part. once also
			// drops slides that are listed twice.
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

// numbered are the parts whose names are a prefix and a number, in the order of the numbers. Numbers and not names
// are ordered: slide10 comes after slide2.
func (r *reader) numbered(prefix string) []string {
	number := func(name string) int {
		digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimSuffix(name, path.Ext(name))), prefix)
		// "slide1.xml.rels" lies in a folder of its own; other extensions are not parts of ours.
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
	// Stable, since "slide1" and "slide01" may both be there.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return names
}

func (r *reader) slide(part string) {
	r.textPart(part)
	// once makes the text of a layout or master appear with the first slide that uses it.
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

// Placeholders of layouts and masters hold prompts ("Click to edit"), those of notes beside the notes themselves a
// picture of the slide, its number, the date.
func anyPlaceholder(string) bool { return true }

// notesPlaceholder tells which placeholders of notes are left out. No type at all is the body's, the default
// (CT_Placeholder, section 19.3.1.36).
func notesPlaceholder(kind string) bool { return kind != "body" && kind != "" }

// frame adds the text of a part except for that of placeholders of the kinds to be left out.
func (r *reader) frame(part string, leaveOut func(kind string) bool) {
	r.walk(part, func(s *xmlscan.Scanner) {
		if s.Kind == xmlscan.Start && s.Name == "ph" && leaveOut(s.Attr("type")) {
			// The placeholder's mark is before the text of its shape, so the rest of the shape
			// can be skipped when it is met.
			skipShape(s)
			return
		}
		r.text(part, s)
	})
	r.out.Paragraph()
	r.drawings(part)
}

// skipShape goes to the End of the shape that the element just started is in. The end of the scan ends the loop
// too, when the shape is not closed.
func skipShape(s *xmlscan.Scanner) {
	for s.Next() {
		if s.Kind == xmlscan.End && (s.Name == "sp" || s.Name == "pic" || s.Name == "graphicFrame") {
			return
		}
	}
}

// comments adds remarks on a slide: their text is in an element of its own, or in paragraphs as on slides.
func (r *reader) comments(part string) {
	r.walk(part, func(s *xmlscan.Scanner) {
		// In old comments <p:text> holds plain text; text reads the paragraphs of the newer ones, and
		// finds none in the old.
		if s.Kind == xmlscan.Text && s.Parent() == "text" {
			r.out.AddBytes(s.Text)
		}
		if s.Kind == xmlscan.End && s.Name == "cm" {
			r.out.Paragraph()
		}
		r.text(part, s)
	})
	r.out.Paragraph()
}
