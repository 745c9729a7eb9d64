package parquetscan

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// outlined are the columns whose bounds choose files.
var outlined = []struct {
	name string
	kind int64
	unit unit
}{
	// The columns that queries over a whole collection narrow by; bounds of others, as of texts, exclude
	// next to no file.
	{"surt", kindBytes, noTime},
	{"url", kindBytes, noTime},
	{"host", kindBytes, noTime},
	{"timestamp", kindInt64, micros},
	{"status", kindInt64, noTime},
	{"mime_detected", kindBytes, noTime},
	{"language", kindBytes, noTime},
	{"source_id", kindBytes, noTime},
}

// outlines is a file that has these columns alone and no rows: filters are made ready for it, and asked of the outlines
// of files as they are of row groups.
var outlines = func() *File {
	f := &File{root: &node{}}
	for i, c := range outlined {
		// Optional, whatever the shards have: a file may have rows without a value, and its outline must
		// not exclude them.
		n := &node{name: c.name, repetition: optional, def: 1}
		n.leaf = &leaf{node: n, index: i, path: c.name, kind: c.kind, unit: c.unit}
		f.root.inner, f.leaves = append(f.root.inner, n), append(f.leaves, n.leaf)
	}
	return f
}()

// Outline is what is kept of a file to tell that it need not be opened: the bounds of some columns.
type Outline struct {
	Rows   int64              `json:"rows"`
	Bounds map[string]Between `json:"bounds,omitempty"`
}

// Between are the least and the greatest of a column's values, as Parquet writes plain values; both empty when it has
// none. A column whose bounds are not known has no Between.
type Between struct {
	Min []byte `json:"min,omitempty"`
	Max []byte `json:"max,omitempty"`
}

// Outline makes the outline of a file, of its footer alone.
func (f *File) Outline() (Outline, error) {
	o := Outline{Rows: f.rows, Bounds: map[string]Between{}}
	for i, c := range outlined {
		n := f.root.child(c.name)
		// A file with a column of another form, as milliseconds of earlier versions, has no bounds here:
		// it is always opened.
		if n == nil || n.leaf == nil || n.leaf.kind != c.kind || n.leaf.unit != c.unit || n.rep > 0 {
			continue
		}
		b, known, err := f.between(n.leaf)
		if err != nil {
			return o, err
		}
		if known {
			o.Bounds[outlined[i].name] = b
		}
	}
	return o, nil
}

// between joins the bounds of a column over all row groups.
func (f *File) between(l *leaf) (all Between, known bool, err error) {
	for i := range f.groups {
		c, err := f.chunk(&f.groups[i], l)
		if err != nil {
			return all, false, err
		}
		// Nothing but nulls: it neither widens the bounds nor makes them unknown.
		if c.empty() {
			continue
		}
		// One row group without bounds leaves the file without any: its rows may be anything.
		if c.min == nil || l.kind == kindInt64 && len(c.min)+len(c.max) != 16 {
			return all, false, nil
		}
		// Max reports whether there are bounds yet: Min may be the empty text, and nil after it was read
		// from JSON.
		if all.Max == nil || l.compare(c.min, all.Min) < 0 {
			// c.min is a part of the footer, which an outline must not keep in memory.
			all.Min = bytes.Clone(c.min)
		}
		if all.Max == nil || l.compare(c.max, all.Max) > 0 {
			all.Max = bytes.Clone(c.max)
		}
	}
	return all, true, nil
}

// compare compares plain values of texts and of numbers of 64 bits.
func (l *leaf) compare(a, b []byte) int {
	if l.kind == kindInt64 {
		return cmp.Compare(int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b)))
	}
	return bytes.Compare(a, b)
}

// excludes reports whether the outline says that the filter, which is one for outlines, takes no row of the file.
func (o Outline) excludes(b *filter) bool {
	// A row group that is made up of what is known of the file: excluded asks for nothing but chunks.
	s := &scan{f: outlines, chunks: map[*leaf]*chunk{}}
	for _, l := range outlines.leaves {
		// Without bounds and with nulls not known a chunk excludes nothing.
		c := &chunk{leaf: l, values: o.Rows, nulls: -1}
		if known, ok := o.Bounds[l.path]; ok && known.Max == nil {
			c.nulls = c.values
		} else if ok && (l.kind == kindBytes || len(known.Min)+len(known.Max) == 16) {
			c.min, c.max = known.Min, known.Max
		}
		if c.max != nil && c.min == nil {
			c.min = []byte{} // the empty text, which JSON leaves out
		}
		s.chunks[l] = c
	}
	// A filter with a mistake excludes no file, so that the mistake is recognised by the file that is opened.
	return b.err == nil && (o.Rows == 0 || b.root.excluded(s))
}
