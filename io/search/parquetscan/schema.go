package parquetscan

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

// The repetitions of columns.
const (
	required = iota
	optional
	repeated
)

// node is a column: a group or a leaf.
type node struct {
	name       string
	repetition int64
	def, rep   uint8 // levels at which it exists
	above      uint8 // definition level at which its parent exists
	inner      []*node
	leaf       *leaf // nil for a group
}

// leaf is a column with values.
type leaf struct {
	*node
	// Chunks of a row group are in the order of the leaves.
	index  int    // among the leaves
	path   string // of names, including those of lists
	kind   int64
	length int  // bytes of a value of kindFixed
	unit   unit // of a moment
}

// unit is the unit of moments.
type unit uint8

const (
	noTime unit = iota
	millis
	micros
	nanos
)

// parseSchema parses the list of elements, which is the tree in depth-first order.
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
	// The root has no repetition by the format; whatever a writer states must not add a level.
	list[0].repetition = required
	t := tree{file: f, d: d, list: list}
	f.root = t.node("", 0, 0, 0)
	if d.err == nil && len(t.list) > 0 {
		d.fail("columns outside of the schema's root")
	}
}

// find returns the leaf at a path of JSON names, which omit the groups inside lists, or nil if there is no such leaf.
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
