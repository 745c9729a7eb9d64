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
	// Queries over a whole collection narrow by these columns; bounds of others, such as texts, exclude almost no file.
	{"surt", kindBytes, noTime},
	{"url", kindBytes, noTime},
	{"host", kindBytes, noTime},
	{"timestamp", kindInt64, micros},
	{"status", kindInt64, noTime},
	{"mime_detected", kindBytes, noTime},
	{"language", kindBytes, noTime},
	{"source_id", kindBytes, noTime},
}

// outlines is a file with only these columns and no rows. Filters are prepared for it, and evaluated on outlines of
// files as on row groups.
var outlines = func() *File {
	f := &File{root: &node{}}
	for i, c := range outlined {
		// Optional in any case: a file may have rows without a value, which its outline must not exclude.
		n := &node{name: c.name, repetition: optional, def: 1}
		n.leaf = &leaf{node: n, index: i, path: c.name, kind: c.kind, unit: c.unit}
		f.root.inner, f.leaves = append(f.root.inner, n), append(f.leaves, n.leaf)
	}
	return f
}()

// Outline are the bounds of some columns of a file. It shows whether the file needs to be opened.
type Outline struct {
	Rows   int64              `json:"rows"`
	Bounds map[string]Between `json:"bounds,omitempty"`
}

// Between are the smallest and greatest values of a column, as plain Parquet values; both empty if it has no values. A
// column with unknown bounds has no Between.
type Between struct {
	Min []byte `json:"min,omitempty"`
	Max []byte `json:"max,omitempty"`
}

// Outline returns the outline of a file, from its footer alone.
func (f *File) Outline() (Outline, error) {
	o := Outline{Rows: f.rows, Bounds: map[string]Between{}}
	for i, c := range outlined {
		n := f.root.child(c.name)
		// A column of another form, such as milliseconds in earlier versions, has no bounds here: the file is always
		// opened.
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

// between returns the bounds of a column over all row groups.
func (f *File) between(l *leaf) (all Between, known bool, err error) {
	for i := range f.groups {
		c, err := f.chunk(&f.groups[i], l)
		if err != nil {
			return all, false, err
		}
		// Only nulls: the bounds do not change.
		if c.empty() {
			continue
		}
		// One row group without bounds makes those of the file unknown.
		if c.min == nil || l.kind == kindInt64 && len(c.min)+len(c.max) != 16 {
			return all, false, nil
		}
		// Max shows whether bounds exist: Min may be empty, and is then nil after JSON.
		if all.Max == nil || l.compare(c.min, all.Min) < 0 {
			// A copy, because c.min would keep the footer in memory.
			all.Min = bytes.Clone(c.min)
		}
		if all.Max == nil || l.compare(c.max, all.Max) > 0 {
			all.Max = bytes.Clone(c.max)
		}
	}
	return all, true, nil
}

// compare compares plain values of texts and 64-bit numbers.
func (l *leaf) compare(a, b []byte) int {
	if l.kind == kindInt64 {
		return cmp.Compare(int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b)))
	}
	return bytes.Compare(a, b)
}

// excludes reports whether no row of the file can match, by its outline. The filter must be prepared for outlines.
func (o Outline) excludes(b *filter) bool {
	// A row group made from the outline: excluded only needs chunks.
	s := &scan{f: outlines, chunks: map[*leaf]*chunk{}}
	for _, l := range outlines.leaves {
		// Without bounds and with unknown nulls, a chunk excludes nothing.
		c := &chunk{leaf: l, values: o.Rows, nulls: -1}
		if known, ok := o.Bounds[l.path]; ok && known.Max == nil {
			c.nulls = c.values
		} else if ok && (l.kind == kindBytes || len(known.Min)+len(known.Max) == 16) {
			c.min, c.max = known.Min, known.Max
		}
		if c.max != nil && c.min == nil {
			c.min = []byte{} // the empty text, which JSON omits
		}
		s.chunks[l] = c
	}
	// A filter with an error excludes no file, so that an opened file reports it.
	return b.err == nil && (o.Rows == 0 || b.root.excluded(s))
}
