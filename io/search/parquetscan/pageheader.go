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

type header struct {
	kind              int64
	plain, compressed int64 // bytes
	crc               uint32
	checked           bool // there is a crc
	entries           int64
	// In version 2 pages end with rows, so this is the number of complete rows.
	rows               int64 // in version 2, otherwise -1
	encoding           int64
	defBytes, repBytes int64 // in version 2
	packed             bool  // the values of a page of version 2 are compressed
}

// parseHeader parses the header of a page and returns its length.
func parseHeader(b []byte) (h header, size int, err error) {
	// is_compressed is true by default.
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
			// CRC-32 of the stored bytes after the header; the field is signed.
			h.crc, h.checked = uint32(d.int()), true
		case (id == 5 || id == 7) && kind == thriftStruct: // DataPageHeader, DictionaryPageHeader
			h.parseData(&d)
		// Statistics of the page are ignored: those of the column index are used before a page is read.
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

// check reports whether the sizes are plausible.
func (h *header) check(rows int) error {
	levels := h.defBytes + h.repBytes
	switch {
	// A run of nulls takes few bits, so entries are limited by rows and, in lists, by maxPerByte.
	case h.kind != pageDictionary && h.entries > int64(rows)+maxPerByte*h.compressed:
		return fmt.Errorf("%w: a page of %d entries", ErrFormat, h.entries)
	case h.plain < 0 || h.plain > maxPage, h.compressed < 0 || h.compressed > maxPage,
		h.entries < 0 || h.entries > maxEntries, h.rows > h.entries,
		// levelsV2 cuts the page by these without further checks.
		h.defBytes < 0 || h.repBytes < 0 || levels > h.compressed || levels > h.plain:
		return fmt.Errorf("%w: a page of odd sizes", ErrFormat)
	}
	return nil
}
