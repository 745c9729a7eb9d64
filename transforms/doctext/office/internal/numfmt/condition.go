package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// condition is [>=1000] of a section. The zero value means that the section has none.
type condition struct {
	op    string
	limit float64
}

// parseCondition reads a condition at the beginning of code, and returns its length, or 0 if there is none.
func parseCondition(code string) (c condition, n int) {
	end := strings.IndexByte(code, ']')
	if code[0] != '[' || end < 0 {
		return condition{}, 0
	}
	in := code[1:end]
	number := strings.TrimLeft(in, "<>=")
	limit, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch c.op = in[:len(in)-len(number)]; c.op {
	case "<", "<=", ">", ">=", "=", "<>":
		if err == nil && !math.IsNaN(limit) {
			c.limit = limit
			return c, end + 1
		}
	}
	return condition{}, 0
}

func (c condition) holds(v float64) bool {
	switch c.op {
	case "<":
		return v < c.limit
	case "<=":
		return v <= c.limit
	case ">":
		return v > c.limit
	case ">=":
		return v >= c.limit
	case "=":
		return v == c.limit
	default:
		return v != c.limit
	}
}

// choose returns the section for v, or nil for General, and whether a minus must be written. A section for negative
// values alone has its own minus.
func (f *Format) choose(v float64) (s *section, minus bool) {
	n := len(f.sections)
	if n == 0 {
		return nil, v < 0
	}
	conditional := false
	for i := range f.sections {
		conditional = conditional || f.sections[i].condition.op != ""
	}
	switch {
	case conditional:
		return f.chooseByCondition(v)
	case v < 0 && n > 1:
		return &f.sections[1], false
	case v == 0 && n > 2:
		return &f.sections[2], false
	}
	return &f.sections[0], v < 0
}

// chooseByCondition returns the first section with a condition that v meets. The last section takes the rest if it has
// no condition. Other sections without one have that of their place: positive, then negative.
func (f *Format) chooseByCondition(v float64) (s *section, minus bool) {
	last := len(f.sections) - 1
	positive := true // no section before has values below 0
	for i := range f.sections {
		s, c := &f.sections[i], f.sections[i].condition
		if c.op == "" && i < last {
			c = []condition{{">", 0}, {"<", 0}}[i]
		}
		if c.op != "" && !c.holds(v) {
			positive = positive && c.limit == 0 && c.op == ">="
			continue
		}
		// Formats such as [<=-1000]-0 write the minus themselves.
		negative := c.op == "<" && c.limit == 0 || c.op == "" && i > 0 && positive
		return s, v < 0 && !negative && !strings.ContainsAny(s.prefix, "-(")
	}
	return nil, v < 0
}
