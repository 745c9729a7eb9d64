package linkgraph

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"
)

// escaped escapes text for XML, because hosts from pages may be anything.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// put writes a piece of XML. Errors stay with the writer, so checking the last one suffices.
func put(w *bufio.Writer, format string, values ...any) error {
	_, err := fmt.Fprintf(w, format, values...)
	return err
}

// graphML writes the graph for NetworkX, igraph and yEd (http://graphml.graphdrawing.org/).
func (g *graph) graphML(w *bufio.Writer) error {
	_ = put(w, `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="name" for="node" attr.name="name" attr.type="string"/>
`)
	nodes, edges := g.vertexAttributes(), g.edgeAttributes()
	for _, a := range nodes {
		_ = put(w, `<key id="%s" for="node" attr.name="%[1]s" attr.type="%s"/>`+"\n", a.name, a.kind)
	}
	_ = put(w, `<key id="links" for="edge" attr.name="links" attr.type="long"/>`+"\n")
	for _, a := range edges {
		_ = put(w, `<key id="edge_%s" for="edge" attr.name="%[1]s" attr.type="%s"/>`+"\n", a.name, a.kind)
	}
	_ = put(w, `<graph edgedefault="directed">`+"\n")
	for i, name := range g.names {
		_ = put(w, `<node id="n%d"><data key="name">%s</data>`, i, escaped(reversed(name)))
		data(w, "", nodes, i)
		_ = put(w, "</node>\n")
	}
	for i, e := range g.edges {
		_ = put(w, `<edge source="n%d" target="n%d"><data key="links">%d</data>`, e.From, e.To, g.links[i])
		data(w, "edge_", edges, i)
		_ = put(w, "</edge>\n")
	}
	return put(w, "</graph>\n</graphml>\n")
}

// data writes the values of a vertex or an edge.
func data(w *bufio.Writer, prefix string, list []attribute, i int) {
	for _, a := range list {
		if v := a.of(i); v != "" {
			_ = put(w, `<data key="%s%s">%s</data>`, prefix, a.name, escaped(v))
		}
	}
}

// gexf writes the graph for Gephi (https://gexf.net/, 1.3).
func (g *graph) gexf(w *bufio.Writer) error {
	_ = put(w, `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<graph defaultedgetype="directed">
`)
	nodes, edges := g.vertexAttributes(), g.edgeAttributes()
	declare(w, "node", nodes)
	declare(w, "edge", edges)
	_ = put(w, "<nodes>\n")
	for i, name := range g.names {
		_ = put(w, `<node id="%d" label="%s">`, i, escaped(reversed(name)))
		attvalues(w, nodes, i)
		_ = put(w, "</node>\n")
	}
	_ = put(w, "</nodes>\n<edges>\n")
	for i, e := range g.edges {
		_ = put(w, `<edge id="%d" source="%d" target="%d" weight="%d">`, i, e.From, e.To, g.links[i])
		attvalues(w, edges, i)
		_ = put(w, "</edge>\n")
	}
	return put(w, "</edges>\n</graph>\n</gexf>\n")
}

// declare writes the types of attributes. GEXF calls an int integer.
func declare(w *bufio.Writer, class string, list []attribute) {
	_ = put(w, `<attributes class="%s">`, class)
	for i, a := range list {
		kind := a.kind
		if kind == "int" {
			kind = "integer"
		}
		_ = put(w, `<attribute id="%d" title="%s" type="%s"/>`, i, a.name, kind)
	}
	_ = put(w, "</attributes>\n")
}

// attvalues writes the values of a vertex or an edge. The schema wants no empty list.
func attvalues(w *bufio.Writer, list []attribute, i int) {
	begun := false
	for k, a := range list {
		v := a.of(i)
		if v == "" {
			continue
		}
		if !begun {
			_ = put(w, "<attvalues>")
			begun = true
		}
		_ = put(w, `<attvalue for="%d" value="%s"/>`, k, escaped(v))
	}
	if begun {
		_ = put(w, "</attvalues>")
	}
}
