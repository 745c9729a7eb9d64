package odf

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// maxStyles bounds the automatic styles that are kept.
const maxStyles = 100_000

// style is what an automatic style does to text besides its looks.
type style struct {
	raised flow.Raised
	hidden bool
	title  bool // derived from the style of titles
}

// readStyles reads the automatic styles of a document up to the end of their element.
func (r *reader) readStyles(s *xmlscan.Scanner) {
	name := ""
	for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
		switch {
		case s.Kind != xmlscan.Start:
		case s.Name == "style":
			if name = s.Attr("name"); s.Attr("parent-style-name") == titleStyle {
				r.setStyle(name, style{title: true})
			}
		case s.Name == "text-properties" && s.Parent() == "style":
			r.setStyle(name, style{
				position(s.Attr("text-position")), s.Attr("display") == "none", r.styles[name].title,
			})
		}
	}
}

// setStyle keeps a style that has an effect.
func (r *reader) setStyle(name string, st style) {
	if st == (style{}) || len(r.styles) >= maxStyles {
		return
	}
	if r.styles == nil {
		r.styles = map[string]style{}
	}
	r.styles[name] = st
}

// titleStyle is the name of the style of titles in files in any language.
const titleStyle = "Title"

// rank returns the rank of a paragraph as the title, or 0. Titles of slides are marked by their frames.
func (r *reader) rank(s *xmlscan.Scanner) int {
	name := s.Attr("style-name")
	switch {
	case name == titleStyle || r.styles[name].title:
		return flow.Title
	case s.Name == "h" && count(s.Attr("outline-level"), 10) == 1:
		return flow.First
	}
	return 0
}

// position reads style:text-position (part 3, section 20.396): "super 58%", "-33% 58%".
func position(value string) flow.Raised {
	where, _, _ := strings.Cut(value, " ")
	switch {
	case where == "" || where == "0%":
		return flow.Level
	case where == "sub" || where[0] == '-':
		return flow.Sub
	}
	return flow.Super
}
