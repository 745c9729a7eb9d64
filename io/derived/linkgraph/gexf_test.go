package linkgraph

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule is the rule of GEXF 1.3 (https://gexf.net/schema.html) for an element: its children in order, and its
// attributes. A star after a child stands for any number, and after an attribute for one that may be left out.
type rule struct{ children, attributes []string }

var gexfRules = map[string]rule{
	"gexf":       {[]string{"graph"}, []string{"xmlns", "version"}},
	"graph":      {[]string{"attributes*", "nodes", "edges"}, []string{"defaultedgetype"}},
	"attributes": {[]string{"attribute*"}, []string{"class"}},
	"attribute":  {nil, []string{"id", "title", "type"}},
	"nodes":      {[]string{"node*"}, nil},
	"node":       {[]string{"attvalues*"}, []string{"id", "label"}},
	"edges":      {[]string{"edge*"}, nil},
	"edge":       {[]string{"attvalues*"}, []string{"id", "source", "target", "weight"}},
	"attvalues":  {[]string{"attvalue*"}, nil},
	"attvalue":   {nil, []string{"for", "value"}},
}

// element is any element of XML.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e *element) get(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// check compares an element and those in it with the rules.
func (e *element) check(t *testing.T) {
	t.Helper()
	name := e.XMLName.Local
	r, known := gexfRules[name]
	if !known || e.XMLName.Space != "http://gexf.net/1.3" {
		t.Fatalf("the element %v is not of GEXF", e.XMLName)
	}
	var attributes []string
	for _, a := range e.Attrs {
		attributes = append(attributes, a.Name.Local)
	}
	if !slices.Equal(attributes, r.attributes) {
		t.Fatalf("%s has the attributes %q, want %q", name, attributes, r.attributes)
	}
	i := 0
	for _, child := range r.children {
		one := child[len(child)-1] != '*'
		if !one {
			child = child[:len(child)-1]
		}
		n := 0
		for ; i < len(e.Children) && e.Children[i].XMLName.Local == child; i, n = i+1, n+1 {
			e.Children[i].check(t)
		}
		if one && n != 1 || child == "attvalues" && n > 1 {
			t.Fatalf("%s has %d of %s", name, n, child)
		}
	}
	if i != len(e.Children) || strings.TrimSpace(e.Text) != "" {
		t.Fatalf("%s has other children than %q, in this order, or the text %q", name, r.children, e.Text)
	}
}

// checkValues checks the values of nodes or edges against the declared types, and returns the ids.
func checkValues(t *testing.T, list []element, types map[string]string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for _, e := range list {
		if ids[e.get("id")] {
			t.Errorf("the id %s is there twice", e.get("id"))
		}
		ids[e.get("id")] = true
		for _, values := range e.Children {
			for _, v := range values.Children {
				kind, value := types[v.get("for")], v.get("value")
				var err error
				switch kind {
				case "double":
					_, err = strconv.ParseFloat(value, 64)
				case "long", "integer":
					_, err = strconv.ParseInt(value, 10, 64)
				case "string":
				default:
					err = fmt.Errorf("attribute %q is not declared", v.get("for"))
				}
				if err != nil {
					t.Errorf("%s %s: %v", e.XMLName.Local, e.get("id"), err)
				}
			}
		}
	}
	return ids
}

// TestGraph_gexfSchema: the file follows the schema for all names of hosts.
func TestGraph_gexfSchema(t *testing.T) {
	for name, hosts := range map[string][]string{
		"empty": nil, "plain": {"a.example", "b.example", "127.0.0.1"},
		"hostile": {"a\"><node>", "b&amp;c", "d\x00e\x1b\ufffe", "\xff\xfe", "<!--", "]]>", "é.example", "'", " ", "\u202e"},
	} {
		for _, described := range []bool{false, true} {
			b := NewBuilder(Options{TempDir: t.TempDir()})
			for i, to := range hosts {
				if err := b.Count(hosts[0], to, 2000*(i%2), int64(i)); err != nil {
					t.Fatal(err)
				}
				if described {
					b.Describe(to, Host{Pages: int64(i), First: 2000 * (i % 2), Last: 2000 * (i % 2), Language: "fr"})
				}
			}
			g, err := b.Hosts()
			if err != nil {
				t.Fatal(err)
			}
			var data bytes.Buffer
			if err := g.WriteAs(&data, FormatGEXF); err != nil {
				t.Fatal(err)
			}
			var root element
			if err := xml.Unmarshal(data.Bytes(), &root); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			root.check(t)
			graph := root.Children[0]
			types := map[string]map[string]string{"node": {}, "edge": {}}
			for _, list := range graph.Children[:len(graph.Children)-2] {
				for _, a := range list.Children {
					types[list.get("class")][a.get("id")] = a.get("type")
				}
			}
			if graph.get("defaultedgetype") != "directed" || len(types) != 2 {
				t.Errorf("%s: %s, attributes of %d classes", name, graph.get("defaultedgetype"), len(types))
			}
			nodes := checkValues(t, graph.Children[len(graph.Children)-2].Children, types["node"])
			edges := graph.Children[len(graph.Children)-1].Children
			if n := len(checkValues(t, edges, types["edge"])); len(nodes) != g.Vertices || n != g.Counts.Edges {
				t.Errorf("%s: %d nodes and %d edges, want %d and %d", name, len(nodes), n, g.Vertices, g.Counts.Edges)
			}
			for _, e := range edges {
				if w, err := strconv.ParseFloat(e.get("weight"), 64); err != nil || w < 0 || !nodes[e.get("source")] ||
					!nodes[e.get("target")] {
					t.Errorf("%s: the edge %v", name, e.Attrs)
				}
			}
		}
	}
}
