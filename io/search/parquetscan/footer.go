package parquetscan

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Limits of a file. Beyond them it is ErrFormat; Gleaner's files are far below.
const (
	maxFooter    = 256 << 20 // bytes; Gleaner's have about 20 KiB a row group
	maxColumns   = 10_000    // of the schema, including groups
	maxGroups    = 1 << 20
	maxGroupRows = 1 << 27   // a bit each is 16 MiB
	maxPage      = 256 << 20 // bytes of a page, compressed or not; DuckDB makes up to 100 MB
	maxEntries   = 1 << 24   // values of a page, including nulls
	maxPerByte   = 1 << 10   // list entries for each byte of a page
)

// magic is at both ends of a file.
const magic = "PAR1"

// tail is how much of a file's end is read at once, which includes most footers.
const tail = 64 << 10

// group is a row group. It keeps the positions of its columns in the footer, not their descriptions. A query needs few
// of a hundred columns, and parsing all takes longer than the query.
type group struct {
	first int64 // row of the file
	rows  int
	// 32 bits suffice for maxFooter bytes, and this is most of the memory of an open file.
	columns []int32 // by leaf: start of its ColumnChunk in the footer
}

// readFooter returns the footer of a file of size bytes.
func readFooter(r io.ReaderAt, size int64) ([]byte, error) {
	// The minimum is both magics and the length.
	if size < int64(2*len(magic)+4) {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, size)
	}
	// Mostly the first read includes the whole footer; otherwise it is read again.
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
	// The whole tail stays in memory, at most 64 KiB.
	if have := int64(len(b)) - 8; length <= have {
		return b[have-length : have], nil
	}
	b = make([]byte, length)
	return b, readAt(r, b, size-8-length)
}

// readAt fills b. A file that ends before is ErrFormat, because it is shorter than stated.
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

// parseFooter parses a FileMetaData (parquet.thrift of github.com/apache/parquet-format).
func (f *File) parseFooter() error {
	d := decoder{b: f.footer}
	var rows int64
	d.fields(func(id int, kind byte) bool {
		switch {
		// The schema must come once, and before the row groups, as all writers do. Groups need f.leaves, and other
		// leaves would make later reads exceed a group's columns.
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

// parseGroup parses a RowGroup, and records the positions of its columns.
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
				// The position is recorded and the content skipped.
				g.columns = append(g.columns, int32(d.at))
				d.skip(thriftStruct, false, 0)
			})
		case id == 3 && kind == thriftI64:
			// The number of rows follows the columns.
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
		// A document has some hundred bytes. Otherwise a file could claim endless rows.
		d.fail("too many rows")
	case len(g.columns) != len(f.leaves):
		d.fail("fewer columns than the schema has")
	}
	g.rows = int(rows)
	f.rows += rows
	// Groups without rows are omitted, so that each has a first row of its own.
	if rows > 0 {
		f.groups = append(f.groups, g)
	}
}

// chunk is a column of a row group, from its ColumnChunk and ColumnMetaData.
type chunk struct {
	leaf        *leaf
	rows        int
	codec       int64
	values      int64  // including nulls
	nulls       int64  // -1 if unknown
	start, end  int64  // of its pages, in the file
	data        int64  // start of the first data page
	min, max    []byte // as plain values; nil if unknown
	onlyDict    bool   // all values are in the dictionary
	bloom       int64  // 0 if it does not exist
	offsetIndex section
	columnIndex section
}

// section is a range of bytes in the file.
type section struct{ off, n int64 }

// chunk parses the description of a column in a row group.
func (f *File) chunk(g *group, l *leaf) (*chunk, error) {
	c := &chunk{leaf: l, rows: g.rows, nulls: -1}
	// parseGroup has skipped this position, so it is inside the footer and valid Thrift.
	d := decoder{b: f.footer, at: int(g.columns[l.index])}
	var size, dictionary int64
	elsewhere := false
	d.fields(func(id int, kind byte) bool {
		switch {
		// The format allows chunks in other files. Nobody writes them, and data must not name files to open.
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
	// The dictionary precedes the data. Some writers state offset 0 if there is none, others omit it.
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

// parse parses a ColumnMetaData.
func (c *chunk) parse(d *decoder) (size, dictionary int64) {
	// -1 is not a type, so that metadata without a type is refused.
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

// parseStatistics parses the bounds. The older fields 1 and 2 are ignored, because their order is undefined.
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
	// A single bound is not used.
	if c.min == nil || c.max == nil {
		c.min, c.max = nil, nil
	}
}

// empty reports whether there are no values. In lists, a null at a lower level is not an empty row, so nulls do not
// show it.
func (c *chunk) empty() bool { return c.nulls == c.values && c.leaf.rep == 0 }

// parseEncodings parses the numbers of pages by type and encoding.
func (c *chunk) parseEncodings(d *decoder) {
	// encoding_stats covers all pages. Without it onlyDict stays false, and each page is examined.
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
