package linkgraph

import "strconv"

// attribute is a value of vertices or edges in files for other programs.
type attribute struct {
	name, kind string                     // kind: double, long, integer or string, as in GEXF and in GraphML
	of         func(i int) (value string) // "" if there is none
}

// vertexAttributes returns the attributes of vertices. Those of captures are only in graphs that have descriptions.
func (g *graph) vertexAttributes() []attribute {
	list := []attribute{
		{"pagerank", "double", func(i int) string { return number(g.rank[i]) }},
		{"harmonic", "double", func(i int) string { return number(g.harmonic[i]) }},
	}
	if g.about == nil {
		return list
	}
	return append(list,
		attribute{"pages", "long", func(i int) string { return strconv.FormatInt(g.about[i].Pages, 10) }},
		attribute{"captures", "long", func(i int) string { return strconv.FormatInt(g.about[i].Captures, 10) }},
		attribute{"first_year", "int", func(i int) string { return year(g.about[i].First) }},
		attribute{"last_year", "int", func(i int) string { return year(g.about[i].Last) }},
		attribute{"language", "string", func(i int) string { return g.about[i].Language }},
	)
}

// edgeAttributes returns the attributes of edges, apart from the number of links.
func (g *graph) edgeAttributes() []attribute {
	return []attribute{
		{"first_year", "int", func(i int) string { return year(g.years[i][0]) }},
		{"last_year", "int", func(i int) string { return year(g.years[i][1]) }},
	}
}

// year formats a year, or returns "" if it is unknown.
func year(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
