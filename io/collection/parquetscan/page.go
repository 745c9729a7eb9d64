package parquetscan

import (
	"fmt"
	"hash/crc32"
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
			// CRC-32 of the bytes behind the header, as they are in the file; the field is a signed
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

// check tells whether the sizes are such as pages have.
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

// page is a decoded data page. It lasts until the next one is read.
type page struct {
	first    int     // row of the row group that begins in it first
	rows     int     // that begin in it
	rep, def []uint8 // of each entry; nil where all are 0, or the column's own
	entries  int
	index    []uint32 // of its values in the dictionary; nil when it has none
	values   values   // otherwise
}

// decode reads a page of a column, of which b is what the file has behind its header.
func (r *reader) decode(h *header, b []byte) error {
	if h.checked && crc32.ChecksumIEEE(b) != h.crc {
		return fmt.Errorf("%w: a page has another checksum", ErrFormat)
	}
	p, l := &r.page, r.chunk.leaf
	p.entries = int(h.entries)
	// The buffers stay with the reader from page to page.
	p.rep, p.def, p.index = p.rep[:0], p.def[:0], p.index[:0]
	var err error
	// Version 2 leaves levels uncompressed, so that rows can be counted without decompressing; version 1
	// compresses all.
	if h.kind == pageDataV2 {
		b, err = r.levelsV2(h, b)
	} else {
		b, err = r.levelsV1(h, b)
	}
	if err != nil {
		return err
	}
	// Without lists each entry is a row, null or not.
	p.rows = p.entries
	if l.rep > 0 {
		p.rows = count(p.rep, 0)
	}
	// Pages are passed over by h.rows: were it not true, all rows behind would be numbered wrongly.
	if h.rows >= 0 && int64(p.rows) != h.rows {
		return fmt.Errorf("%w: a page of other rows than it says", ErrFormat)
	}
	// How many values there are: entries that are not null. The page itself does not say.
	n := p.entries
	if l.def > 0 {
		n = count(p.def, l.def)
	}
	// Two names of the same: PLAIN_DICTIONARY is what version 1 of the format called it.
	r.indexed = h.encoding == encodingDictionary || h.encoding == encodingPlainDictionary
	if !r.indexed {
		return p.values.decode(l, h.encoding, n, b)
	}
	// Reading may have begun in the middle of the chunk, by the index, and passed the dictionary over.
	if err := r.loadDictionary(); err != nil {
		return err
	}
	p.index, err = appendIndexes(p.index, n, r.dict.n, b)
	return err
}

// count is how many of the levels are x.
func count(levels []uint8, x uint8) (n int) {
	for _, l := range levels {
		if l == x {
			n++
		}
	}
	return n
}

// levelsV2 reads the levels, which stand uncompressed before the values, and returns the values.
func (r *reader) levelsV2(h *header, b []byte) ([]byte, error) {
	// Repetition levels stand first in both versions.
	rep, def := b[:h.repBytes], b[h.repBytes:h.repBytes+h.defBytes]
	if err := r.levels(rep, def); err != nil {
		return nil, err
	}
	b = b[h.repBytes+h.defBytes:]
	if !h.packed {
		return b, nil
	}
	size := int(h.plain - h.repBytes - h.defBytes)
	// All values are null: some writers leave nothing, and an empty frame need not be there.
	if size == 0 {
		return nil, nil
	}
	var err error
	r.plain, err = decompress(r.plain, b, r.chunk.codec, size)
	return r.plain, err
}

// levelsV1 decompresses the page, and reads the levels, which have their length before them.
func (r *reader) levelsV1(h *header, b []byte) ([]byte, error) {
	var err error
	if b, err = decompress(r.plain, b, r.chunk.codec, int(h.plain)); err != nil {
		return nil, err
	}
	// Without a compression b is the reader's window, which must not become the buffer for pages.
	if r.chunk.codec != codecNone {
		r.plain = b
	}
	var rep, def []byte
	// Levels that can only be 0 are not written.
	if r.chunk.leaf.rep > 0 {
		if rep, b, err = sizedPart(b); err != nil {
			return nil, err
		}
	}
	if r.chunk.leaf.def > 0 {
		if def, b, err = sizedPart(b); err != nil {
			return nil, err
		}
	}
	return b, r.levels(rep, def)
}

// sizedPart divides b behind the part whose length, in four bytes, it begins with.
func sizedPart(b []byte) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errShort("levels")
	}
	n := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
	if b = b[4:]; n > uint64(len(b)) {
		return nil, nil, errShort("levels")
	}
	return b[:n], b[n:], nil
}

// levels decodes the levels of the page.
func (r *reader) levels(rep, def []byte) (err error) {
	p, l := &r.page, r.chunk.leaf
	if l.rep > 0 {
		if p.rep, err = appendLevels(p.rep, p.entries, bitWidth(l.rep), rep); err != nil {
			return err
		}
	}
	if l.def > 0 {
		p.def, err = appendLevels(p.def, p.entries, bitWidth(l.def), def)
	}
	return err
}
