package parquetscan

import (
	"fmt"
)

// The types of pages.
const (
	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// header is a PageHeader.
type header struct {
	kind              int64
	plain, compressed int64 // bytes
	crc               uint32
	checked           bool // whether there is a crc
	entries           int64
	// A row never goes on in the next page there, so that this many rows begin and end in the page.
	rows               int64 // of version 2, else -1
	encoding           int64
	defBytes, repBytes int64 // of version 2
	packed             bool  // whether the values of a page of version 2 are compressed
}

// parseHeader reads the header of a page and tells how long it is.
func parseHeader(b []byte) (h header, size int, err error) {
	// packed is true unless it is said otherwise: the format's default of is_compressed.
	h = header{kind: -1, rows: -1, packed: true}
	d := decoder{b: b}
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind = d.int()
		case id == 2 && kind == thriftI32:
			h.plain = d.int()
		case id == 3 && kind == thriftI32:
			h.compressed = d.int()
		case id == 4 && kind == thriftI32:
			// CRC-32 of the bytes after the header, as they are in the file; the field is a signed
			// number.
			h.crc, h.checked = uint32(d.int()), true
		case (id == 5 || id == 7) && kind == thriftStruct: // DataPageHeader, DictionaryPageHeader
			h.parseData(&d)
		// Statistics of the page are left alone: those in the column index are asked before a page is
		// read.
		case id == 8 && kind == thriftStruct:
			h.parseDataV2(&d)
		default:
			return false
		}
		return true
	})
	return h, d.at, d.err
}

func (h *header) parseData(d *decoder) {
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.entries = d.int()
		case id == 2 && kind == thriftI32:
			h.encoding = d.int()
		default:
			return false
		}
		return true
	})
}

func (h *header) parseDataV2(d *decoder) {
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.entries = d.int()
		case id == 3 && kind == thriftI32:
			h.rows = d.int()
		case id == 4 && kind == thriftI32:
			h.encoding = d.int()
		case id == 5 && kind == thriftI32:
			h.defBytes = d.int()
		case id == 6 && kind == thriftI32:
			h.repBytes = d.int()
		case id == 7 && (kind == thriftTrue || kind == thriftFalse):
			h.packed = kind == thriftTrue
		default:
			return false
		}
		return true
	})
}

// check reports whether the sizes are such as pages have.
func (h *header) check(rows int) error {
	levels := h.defBytes + h.repBytes
	switch {
	// A run of nulls takes a few bits however long it is, so that bytes alone bound nothing: rows do, and
	// elements of lists by maxPerByte.
	case h.kind != pageDictionary && h.entries > int64(rows)+maxPerByte*h.compressed:
		return fmt.Errorf("%w: a page of %d entries", ErrFormat, h.entries)
	case h.plain < 0 || h.plain > maxPage, h.compressed < 0 || h.compressed > maxPage,
		h.entries < 0 || h.entries > maxEntries, h.rows > h.entries,
		// levelsV2 cuts the page by these two without asking again.
		h.defBytes < 0 || h.repBytes < 0 || levels > h.compressed || levels > h.plain:
		return fmt.Errorf("%w: a page of odd sizes", ErrFormat)
	}
	return nil
}
