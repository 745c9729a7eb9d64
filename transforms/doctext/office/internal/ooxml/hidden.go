package ooxml

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// maxStyleDepth bounds how far the chain of base styles is followed.
const maxStyleDepth = 10

// ranks are the built-in styles of titles, whose names are the same in all languages (part 1, section 17.7.4.9).
var ranks = map[string]int{"title": flow.Title, "heading 1": flow.First}

// hidingStyles finds the styles that hide their text (vanish, part 1, section 17.3.2.41), and those of titles.
func (r *reader) hidingStyles(part string) {
	hides, base := map[string]bool{}, map[string]string{}
	r.ranks = map[string]int{}
	said := map[string]bool{} // styles that say whether they hide
	style := ""
	r.walk(part, func(s *xmlscan.Scanner) {
		switch {
		case s.Kind != xmlscan.Start:
		case s.Name == "style":
			style = s.Attr("styleId")
		case len(base) == maxStyles || style == "":
		case s.Name == "name" && s.Parent() == "style":
			if rank := ranks[strings.ToLower(s.Attr("val"))]; rank > 0 && len(r.ranks) < maxStyles {
				r.ranks[style] = rank
			}
		case s.Name == "basedOn":
			base[style] = s.Attr("val")
		case s.Name == "vanish" && s.Parent() == "rPr":
			said[style], hides[style] = true, isOn(s)
		}
	})
	r.hides = map[string]bool{}
	// First come the styles that set the property, then those that may inherit it.
	for _, list := range []map[string]bool{said, keysOf(base)} {
		for id := range list {
			from := id
			// In a damaged file styles may be based on each other in a circle; the depth ends it.
			for depth := 0; depth < maxStyleDepth && !said[from]; depth++ {
				from = base[from]
			}
			if hides[from] {
				r.hides[id] = true
			}
		}
	}
}

func keysOf(m map[string]string) map[string]bool {
	keys := make(map[string]bool, len(m))
	for k := range m {
		keys[k] = true
	}
	return keys
}

// isOn reads a property that is on if it has no value (ST_OnOff).
func isOn(s *xmlscan.Scanner) bool {
	value := s.Attr("val")
	return value == "" || isTrue(value)
}

// isHidden reports whether the token belongs to a run or paragraph with hidden text. Properties come first in both;
// isHidden reads them to their end.
func (r *reader) isHidden(s *xmlscan.Scanner) bool {
	if r.hidden > 0 {
		if s.Kind == xmlscan.End && s.Depth() < r.hidden {
			r.hidden = 0
		}
		// The end of a hidden paragraph is ignored. Package flow writes only one divider anyway.
		return true
	}
	if s.Kind != xmlscan.Start || s.Name != "rPr" && s.Name != "pPr" {
		return false
	}
	parent := s.Parent()
	if parent != "r" && parent != "p" || parent == "p" && s.Name == "rPr" {
		return false
	}
	depth := s.Depth()
	hides := false
	if parent == "r" {
		r.raised = baseline(s.Attr("baseline")) // of DrawingML
	}
	// This is Skip with a look at the skipped elements. The style of a paragraph counts, its mark does not.
	for s.Depth() >= depth && s.Next() {
		if s.Kind != xmlscan.Start {
			continue
		}
		switch {
		case s.Name == parent+"Style":
			hides = r.hides[s.Attr("val")]
			if rank := r.ranks[s.Attr("val")]; rank > 0 && parent == "p" {
				r.out.Heading(rank)
			}
		case s.Name == "vanish" && parent == "r" && s.Depth() == depth+1:
			hides = isOn(s)
		case s.Name == "vertAlign" && parent == "r" && s.Depth() == depth+1:
			r.raised = verticals[s.Attr("val")]
		}
	}
	if hides {
		// This is the depth of the parent, which is hidden up to its end.
		r.hidden = depth - 1
	}
	return true
}

// verticals are the values of ST_VerticalAlignRun (part 1, section 22.9.2.17).
var verticals = map[string]flow.Raised{"superscript": flow.Super, "subscript": flow.Sub}

// baseline reads by how much DrawingML raises text, in thousandths of a percent.
func baseline(value string) flow.Raised {
	switch {
	case value == "" || value == "0" || value == "0%":
		return flow.Level
	case value[0] == '-':
		return flow.Sub
	}
	return flow.Super
}
