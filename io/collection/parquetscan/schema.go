package parquetscan

import "strings"

// The physical types of Parquet.
const (
	kindBoolean = iota
	kindInt32
	kindInt64
	kindInt96
	kindFloat
	kindDouble
	kindBytes
	kindFixed
)

// The repetitions of Parquet's columns.
const (
	required = iota
	optional
	repeated
)

// node is a column: a group of others, or a leaf.
type node struct {
	name       string
	repetition int64
	def, rep   uint8 // levels at which it is there
	above      uint8 // definition level at which the one above it is there
	inner      []*node
	leaf       *leaf // nil for a group
}

// leaf is a column with values.
type leaf struct {
	*node
	// Chunks of a row group stand in the order of the leaves.
	index  int    // among the leaves
	path   string // of names, those of lists included
	kind   int64
	length int  // bytes of a value of kindFixed
	unit   unit // of a moment
}

// unit is what a moment is counted in.
type unit uint8

// The units of moments.
const (
	noTime unit = iota
	millis
	micros
	nanos
)

// element is a SchemaElement.
type element struct {
	name             string
	kind, repetition int64
	length           int64
	children         int64
	unit             unit
}

// parseSchema reads the list of elements, which is the tree in depth-first order.
func (f *File) parseSchema(d *decoder) {
	var list []element
	d.structs(func(i int) {
		if i >= maxColumns {
			d.fail("too many columns")
			return
		}
		list = append(list, parseElement(d))
	})
	if d.err != nil {
		return
	}
	if len(list) == 0 {
		d.fail("no schema")
		return
	}
	// The root has no repetition by the format, and what a writer puts there must not add a level.
	list[0].repetition = required
	t := tree{file: f, d: d, list: list}
	f.root = t.node("", 0, 0, 0)
	if d.err == nil && len(t.list) > 0 {
		d.fail("columns outside of the schema's root")
	}
}

// parseElement reads a SchemaElement.
func parseElement(d *decoder) element {
	e := element{kind: -1}
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			e.kind = d.int()
		case id == 2 && kind == thriftI32:
			e.length = d.int()
		case id == 3 && kind == thriftI32:
			e.repetition = d.int()
		case id == 4 && kind == thriftBinary:
			e.name = string(d.bytes())
		case id == 5 && kind == thriftI32:
			e.children = d.int()
		case id == 6 && kind == thriftI32: // ConvertedType
			switch d.int() {
			// TIMESTAMP_MILLIS and TIMESTAMP_MICROS, which older writers have alone. The logical type
			// stands behind in the file, and so has the last word.
			case 9:
				e.unit = millis
			case 10:
				e.unit = micros
			}
		case id == 10 && kind == thriftStruct: // LogicalType
			e.parseLogical(d)
		default:
			return false
		}
		return true
	})
	return e
}

// parseLogical reads the unit of a TIMESTAMP, the union's field 8, whose field 2 is a union of units.
func (e *element) parseLogical(d *decoder) {
	d.fields(func(id int, kind byte) bool {
		if id != 8 || kind != thriftStruct {
			return false
		}
		d.fields(func(id int, kind byte) bool {
			if id != 2 || kind != thriftStruct {
				return false
			}
			d.fields(func(id int, _ byte) bool {
				if id >= 1 && id <= 3 {
					// The union's fields 1 to 3 are millis, micros and nanos, in the order of our
					// constants.
					e.unit = unit(id)
				}
				return false
			})
			return true
		})
		return true
	})
}

// tree makes nodes of elements.
type tree struct {
	file *File
	d    *decoder
	list []element // those that are left
}

// maxSchemaDepth is how deep columns may stand in each other; levels are bytes.
const maxSchemaDepth = 32

func (t *tree) node(above string, def, rep uint8, depth int) *node {
	if len(t.list) == 0 || depth > maxSchemaDepth {
		t.d.fail("a schema that does not add up")
		return nil
	}
	e := t.list[0]
	// Depth first: behind a group stand its children, as many as it says, each with all of its own.
	t.list = t.list[1:]
	n := &node{name: e.name, repetition: e.repetition, def: def, rep: rep, above: def}
	// A level says whether it is there, so that only what can be missing has one. Levels stay below
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
// (LogicalTypes.md of github.com/apache/parquet-format, "Lists"). nil when n is no list.
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

// find is the leaf of a path of JSON names, which say nothing of the groups that Parquet puts into lists. nil when
// there is none: the column is missing, or no leaf.
func (n *node) find(names []string) *leaf {
	if e := n.element(); e != nil && n.leaf == nil && e != n {
		return e.find(names)
	}
	if len(names) == 0 {
		return n.leaf
	}
	if c := n.child(names[0]); c != nil {
		return c.find(names[1:])
	}
	return nil
}
