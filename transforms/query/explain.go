package query

import (
	"fmt"
	"strings"
)

// Plan tells where the parts of a query were done. Who executes one adds the steps in their order; commands print it.
type Plan []Step

// Step is one part.
type Step struct {
	By   string // what did it: "index", "manifest", "row groups", "pages", "rows"
	Expr Expr   // what of the filter; nil for a step that tests none
	Note string // what came of it: "3 of 24 files"
}

// Add appends a step.
func (p *Plan) Add(by string, e Expr, format string, args ...any) {
	*p = append(*p, Step{by, e, fmt.Sprintf(format, args...)})
}

// String is a line for each step: what did it, what it tested, what came of it.
func (p Plan) String() string {
	width := 0
	for _, s := range p {
		width = max(width, len(s.By))
	}
	var b strings.Builder
	for _, s := range p {
		fmt.Fprintf(&b, "%-*s", width, s.By)
		if s.Expr != nil {
			b.WriteString("  " + s.Expr.String())
		}
		if s.Note != "" {
			b.WriteString("  (" + s.Note + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
