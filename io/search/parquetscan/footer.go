package parquetscan

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Limits on what a file may ask for. What is beyond is ErrFormat: no file of ours comes near.
const (
	maxFooter    = 256 << 20 // bytes; ours have some 20 KiB a row group
	maxColumns   = 10_000    // of the schema, groups included
	maxGroups    = 1 << 20
	maxGroupRows = 1 << 27   // a bit each is 16 MiB
	maxPage      = 256 << 20 // bytes of a page, compressed or not; DuckDB goes to 100 MB
	maxEntries   = 1 << 24   // values of a page, nulls included
	maxPerByte   = 1 << 10   // entries of lists that a byte of a page may make
)

// magic is at both ends of a file.
const magic = "PAR1"

// tail is how much of a file's end is read at once: most footers whole.
const tail = 64 << 10

// group is a row group. Where its columns are described, and not what is said there, is kept of the footer: a query
// asks for few of a hundred columns, and reading what is said of all takes longer than the query.
type group struct {
	first int64 // row of the file
	rows  int
	// Of 32 bits, since a footer has at most maxFooter bytes: with a hundred columns and many groups this
	// is most of what is kept.
	columns []int32 // by leaf: where in the footer its ColumnChunk begins
}

// readFooter reads the end of a file of size bytes.
func readFooter(r io.ReaderAt, size int64) ([]byte, error) {
	// The least: both magics and the length of the footer.
	if size < int64(2*len(magic)+4) {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, size)
	}
	// Two reads at most: the end with, mostly, the whole footer, and else the footer again.
	b := make([]byte, min(tail, size))
	if err := readAt(r, b, size-int64(len(b))); err != nil {
		return nil, err
	}
	end := b[len(b)-8:]
	// An encrypted footer ends with PARE, and is refused here as well.
	if string(end[4:]) != magic {
		return nil, fmt.Errorf("%w: it does not end with %s", ErrFormat, magic)
	}
	length := int64(binary.LittleEndian.Uint32(end))
	if length > maxFooter || length > size-int64(2*len(magic)+4) {
		return nil, fmt.Errorf("%w: a footer of %d bytes", ErrFormat, length)
	}
	// The tail is kept as it is, and what precedes the footer in it with it: at most 64 KiB.
	if have := int64(len(b)) - 8; length <= have {
		return b[have-length : have], nil
	}
	b = make([]byte, length)
	return b, readAt(r, b, size-8-length)
}

// readAt fills b. A file that ends before is ErrFormat: it is shorter than it was said to be.
func readAt(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF || err == nil:
		return fmt.Errorf("%w: %w", ErrFormat, io.ErrUnexpectedEOF)
	}
	return err
}

// parseFooter reads a FileMetaData (parquet.thrift of github.com/apache/parquet-format).
func (f *File) parseFooter() error {
	d := decoder{b: f.footer}
	var rows int64
	d.fields(func(id int, kind byte) bool {
		switch {
		// The schema comes before the row groups in every writer's order, field 2 before 4, and once; parseGroup
		// needs f.leaves, and a group that was counted by other leaves would be read beyond its columns.
		case f.root != nil && id == 2, f.root == nil && id == 4:
			d.fail("the schema does not stand before the row groups")
			return false
		case id == 2 && kind == thriftList:
			f.parseSchema(&d)
		case id == 3 && kind == thriftI64:
			rows = d.int()
		case id == 4 && kind == thriftList:
			d.structs(func(int) { f.parseGroup(&d) })
		default:
			return false
		}
		return true
	})
	switch {
	case d.err != nil:
	case f.root == nil:
		d.fail("no schema")
	case rows != f.rows:
		d.fail("row groups with other rows than the file")
	}
	return d.err
}

// parseGroup reads a RowGroup, and finds its columns.
func (f *File) parseGroup(d *decoder) {
	g := group{first: f.rows, columns: make([]int32, 0, len(f.leaves))}
	rows := int64(-1)
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftList:
			d.structs(func(int) {
				if len(g.columns) == len(f.leaves) {
					d.fail("more columns than the schema has")
					return
				}
				// Where it begins is noted and what it says is skipped.
				g.columns = append(g.columns, int32(d.at))
				d.skip(thriftStruct, false, 0)
			})
		case id == 3 && kind == thriftI64:
			// The number of rows is declared after the columns.
			rows = d.int()
		default:
			return false
		}
		return true
	})
	switch {
	case d.err != nil:
		return
	case rows < 0 || rows > maxGroupRows || len(f.groups) >= maxGroups || f.rows+rows > f.size:
		// A document has some hundred bytes. Rows without any would be made as long as they are asked for.
		d.fail("too many rows")
	case len(g.columns) != len(f.leaves):
		d.fail("fewer columns than the schema has")
	}
	g.rows = int(rows)
	f.rows += rows
	// Groups without rows are left out, so that each group has a first row of its own.
	if rows > 0 {
		f.groups = append(f.groups, g)
	}
}

// chunk is a column of a row group, as its ColumnChunk and ColumnMetaData describe it.
type chunk struct {
	leaf        *leaf
	rows        int
	codec       int64
	values      int64  // nulls included
	nulls       int64  // -1 when that is not known
	start, end  int64  // of its pages, in the file
	data        int64  // where the first data page begins
	min, max    []byte // as plain values; nil when they are not known
	onlyDict    bool   // all its values are in the dictionary
	bloom       int64  // 0: none
	offsetIndex section
	columnIndex section
}

// section is a piece of the file.
type section struct{ off, n int64 }

// chunk reads what the footer says of a column of a row group.
func (f *File) chunk(g *group, l *leaf) (*chunk, error) {
	c := &chunk{leaf: l, rows: g.rows, nulls: -1}
	// parseGroup has skipped over this very place, so that it is inside of the footer and well formed as
	// Thrift.
	d := decoder{b: f.footer, at: int(g.columns[l.index])}
	var size, dictionary int64
	elsewhere := false
	d.fields(func(id int, kind byte) bool {
		switch {
		// A chunk may be in another file by the format; nobody writes that, and following it would open
		// files that the data names.
		case id == 1: // file_path
			elsewhere = true
			return false
		case id == 3 && kind == thriftStruct:
			size, dictionary = c.parse(&d)
		case id == 4:
			c.offsetIndex.off = d.int()
		case id == 5:
			c.offsetIndex.n = d.int()
		case id == 6:
			c.columnIndex.off = d.int()
		case id == 7:
			c.columnIndex.n = d.int()
		default:
			return false
		}
		return true
	})
	if d.err != nil {
		return nil, d.err
	}
	// The dictionary is before the data. Some writers note its offset as 0 when there is none, others
	// leave it out.
	c.start = c.data
	if dictionary > 0 && dictionary < c.data {
		c.start = dictionary
	}
	c.end = c.start + size
	if elsewhere || c.start < int64(len(magic)) || size < 0 || size > f.size || c.end > f.size {
		return nil, fmt.Errorf("%w: column %s is not in the file", ErrFormat, l.path)
	}
	return c, nil
}

// parse reads a ColumnMetaData.
func (c *chunk) parse(d *decoder) (size, dictionary int64) {
	// -1 is not a type, so that metadata without one is refused.
	kind := int64(-1)
	d.fields(func(id int, of byte) bool {
		switch {
		case id == 1 && of == thriftI32:
			kind = d.int()
		case id == 4 && of == thriftI32:
			c.codec = d.int()
		case id == 5 && of == thriftI64:
			c.values = d.int()
		case id == 7 && of == thriftI64:
			size = d.int()
		case id == 9 && of == thriftI64:
			c.data = d.int()
		case id == 11 && of == thriftI64:
			dictionary = d.int()
		case id == 12 && of == thriftStruct:
			c.parseStatistics(d)
		case id == 13 && of == thriftList:
			c.parseEncodings(d)
		case id == 14 && of == thriftI64:
			c.bloom = d.int()
		default:
			return false
		}
		return true
	})
	if d.err == nil && kind != int64(c.leaf.kind) {
		d.fail("a column of another type than the schema says")
	}
	return size, dictionary
}

// parseStatistics reads the bounds. The older fields 1 and 2 are left alone: their order is not known.
func (c *chunk) parseStatistics(d *decoder) {
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 3 && kind == thriftI64:
			c.nulls = d.int()
		case id == 5 && kind == thriftBinary:
			c.max = d.bytes()
		case id == 6 && kind == thriftBinary:
			c.min = d.bytes()
		default:
			return false
		}
		return true
	})
	// One bound alone is not used.
	if c.min == nil || c.max == nil {
		c.min, c.max = nil, nil
	}
}

// empty reports whether there are no values.
// In a list an entry that is null at a lower level is not a row without values: there nulls do not tell.
func (c *chunk) empty() bool { return c.nulls == c.values && c.leaf.rep == 0 }

// parseEncodings reads how many pages are of which type and encoding.
func (c *chunk) parseEncodings(d *decoder) {
	// encoding_stats is a promise about all pages. Without the list onlyDict stays false, and each page is
	// asked.
	c.onlyDict = true
	d.structs(func(int) {
		var page, encoding int64
		d.fields(func(id int, kind byte) bool {
			switch {
			case id == 1 && kind == thriftI32:
				page = d.int()
			case id == 2 && kind == thriftI32:
				encoding = d.int()
			default:
				return false
			}
			return true
		})
		if page != pageDictionary && encoding != encodingDictionary && encoding != encodingPlainDictionary {
			c.onlyDict = false
		}
	})
}
