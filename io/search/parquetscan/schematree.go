package parquetscan

import "strings"

// tree makes nodes of elements.
type tree struct {
	file *File
	d    *decoder
	list []element // those that are left
}

// maxSchemaDepth is how deep columns may be in each other; levels are bytes.
const maxSchemaDepth = 32

func (t *tree) node(above string, def, rep uint8, depth int) *node {
	if len(t.list) == 0 || depth > maxSchemaDepth {
		t.d.fail("a schema that does not add up")
		return nil
	}
	e := t.list[0]
	// Depth first: after a group stand its children, as many as it says, each with all of its own.
	t.list = t.list[1:]
	n := &node{name: e.name, repetition: e.repetition, def: def, rep: rep, above: def}
	// A level reports whether it is there, so that only what can be missing has one. Levels stay below
	// maxSchemaDepth.
	if e.repetition != required {
		n.def++
	}
	if e.repetition == repeated {
		n.rep++
	}
	path := strings.TrimPrefix(above+"."+e.name, ".")
	if depth == 0 {
		path = "" // the root's name means nothing
	}
	// Writers leave num_children out of leaves, or write 0.
	if e.children <= 0 && depth > 0 {
		// Leaves are numbered depth first, which is the order of the columns in each row group.
		n.leaf = &leaf{n, len(t.file.leaves), path, e.kind, int(e.length), e.unit}
		if e.kind < kindBoolean || e.kind > kindFixed || e.kind == kindFixed && (e.length <= 0 || e.length > 1<<16) {
			t.d.fail("a column of an unknown type")
		}
		t.file.leaves = append(t.file.leaves, n.leaf)
		return n
	}
	// However many it says: the list ends first, and that is a failure.
	for range e.children {
		inner := t.node(path, n.def, n.rep, depth+1)
		if t.d.err != nil {
			return nil
		}
		n.inner = append(n.inner, inner)
	}
	return n
}

// child is the column of that name in n, nil when there is none.
func (n *node) child(name string) *node {
	for _, c := range n.inner {
		if c.name == name {
			return c
		}
	}
	return nil
}

// element is what a list holds: the list's only column is repeated, and holds the element, or is it itself
// (LogicalTypes.md of github.com/apache/parquet-format, "Lists"). nil when n is not a list.
func (n *node) element() *node {
	if n.repetition == repeated {
		return n // without a group around: the oldest form
	}
	if len(n.inner) != 1 || n.inner[0].repetition != repeated {
		return nil
	}
	// Three levels, as the format has it now; otherwise the repeated field is itself the element.
	if list := n.inner[0]; len(list.inner) == 1 {
		return list.inner[0]
	}
	return n.inner[0]
}
