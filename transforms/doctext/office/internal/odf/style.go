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
}

// readStyles reads the automatic styles of a document up to the end of their element.
func (r *reader) readStyles(s *xmlscan.Scanner) {
	name := ""
	for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
		switch {
		case s.Kind != xmlscan.Start:
		case s.Name == "style":
			name = s.Attr("name")
		case s.Name == "text-properties" && s.Parent() == "style" && len(r.styles) < maxStyles:
			if st := (style{position(s.Attr("text-position")), s.Attr("display") == "none"}); st != (style{}) {
				if r.styles == nil {
					r.styles = map[string]style{}
				}
				r.styles[name] = st
			}
		}
	}
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
