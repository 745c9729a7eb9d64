package query

import (
	"fmt"
	"strings"
)

// Plan lists where the parts of a query were executed. Executing code adds the steps in order; commands print them.
type Plan []Step

// Step is one part of a plan.
type Step struct {
	By   string // what executed it: "index", "manifest", "row groups", "pages", "rows"
	Expr Expr   // the part of the filter; nil for a step without one
	Note string // the result: "3 of 24 files"
}

// Add appends a step.
func (p *Plan) Add(by string, e Expr, format string, args ...any) {
	*p = append(*p, Step{by, e, fmt.Sprintf(format, args...)})
}

// String returns a line for each step: what executed it, its test, its result.
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
