package parquetscan

import "strings"

// tree makes nodes from elements.
type tree struct {
	file *File
	d    *decoder
	list []element // remaining elements
}

// maxSchemaDepth limits the nesting of columns; levels are bytes.
const maxSchemaDepth = 32

func (t *tree) node(above string, def, rep uint8, depth int) *node {
	if len(t.list) == 0 || depth > maxSchemaDepth {
		t.d.fail("a schema that does not add up")
		return nil
	}
	e := t.list[0]
	// Depth first: a group's children follow it.
	t.list = t.list[1:]
	n := &node{name: e.name, repetition: e.repetition, def: def, rep: rep, above: def}
	// Only columns that may be missing have a level. Levels stay below maxSchemaDepth.
	if e.repetition != required {
		n.def++
	}
	if e.repetition == repeated {
		n.rep++
	}
	path := strings.TrimPrefix(above+"."+e.name, ".")
	if depth == 0 {
		path = "" // the root's name has no meaning
	}
	// Writers omit num_children of leaves, or write 0.
	if e.children <= 0 && depth > 0 {
		// Numbered depth first, which is the order of columns in row groups.
		n.leaf = &leaf{n, len(t.file.leaves), path, e.kind, int(e.length), e.unit}
		if e.kind < kindBoolean || e.kind > kindFixed || e.kind == kindFixed && (e.length <= 0 || e.length > 1<<16) {
			t.d.fail("a column of an unknown type")
		}
		t.file.leaves = append(t.file.leaves, n.leaf)
		return n
	}
	// A false number of children fails at the end of the list.
	for range e.children {
		inner := t.node(path, n.def, n.rep, depth+1)
		if t.d.err != nil {
			return nil
		}
		n.inner = append(n.inner, inner)
	}
	return n
}

// child returns the column of this name in n, or nil.
func (n *node) child(name string) *node {
	for _, c := range n.inner {
		if c.name == name {
			return c
		}
	}
	return nil
}

// element returns the element of a list, or nil if n is not a list. The list's only column is repeated, and contains
// the element or is it (LogicalTypes.md of github.com/apache/parquet-format, "Lists").
func (n *node) element() *node {
	if n.repetition == repeated {
		return n // without a group around it: the oldest form
	}
	if len(n.inner) != 1 || n.inner[0].repetition != repeated {
		return nil
	}
	// Three levels, as in today's format; otherwise the repeated field is the element.
	if list := n.inner[0]; len(list.inner) == 1 {
		return list.inner[0]
	}
	return n.inner[0]
}
