package parquetscan

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// page is a decoded data page. It is valid until the next one is read.
type page struct {
	first    int     // row of the row group that begins first in it
	rows     int     // that begin in it
	rep, def []uint8 // of each entry; nil if all are 0, or the column's maximum
	entries  int
	index    []uint32 // indexes into the dictionary; nil without one
	values   values   // otherwise
}

// decode decodes a page of a column from b, the bytes after its header.
func (r *reader) decode(h *header, b []byte) error {
	if h.checked && crc32.ChecksumIEEE(b) != h.crc {
		return fmt.Errorf("%w: a page has another checksum", ErrFormat)
	}
	p, l := &r.page, r.chunk.leaf
	p.entries = int(h.entries)
	// The buffers are reused from page to page.
	p.rep, p.def, p.index = p.rep[:0], p.def[:0], p.index[:0]
	var err error
	// Version 2 does not compress levels, so rows can be counted without decompressing; version 1 compresses
	// everything.
	if h.kind == pageDataV2 {
		if b, err = r.levelsV2(h, b); err == nil {
			if from, to, whole := r.needed(h); !whole {
				p.rows, r.indexed = p.entries, false
				return r.beginning(h, b, l.values(p), from, to)
			}
			b, err = r.valuesV2(h, b)
		}
	} else {
		b, err = r.levelsV1(h, b)
	}
	if err != nil {
		return err
	}
	// Outside lists each entry is a row.
	p.rows = p.entries
	if l.rep > 0 {
		p.rows = count(p.rep, 0)
	}
	// Pages are skipped by h.rows, so a wrong number would shift all later rows.
	if h.rows >= 0 && int64(p.rows) != h.rows {
		return fmt.Errorf("%w: a page of other rows than it says", ErrFormat)
	}
	// The number of entries that are not null, which the page does not state.
	n := l.values(p)
	// PLAIN_DICTIONARY is the older name of the same encoding.
	r.indexed = h.encoding == encodingDictionary || h.encoding == encodingPlainDictionary
	if !r.indexed {
		return p.values.decode(l, h.encoding, n, b)
	}
	// Reading may have begun within the chunk, after the dictionary.
	if err := r.loadDictionary(); err != nil {
		return err
	}
	p.index, err = appendIndexes(p.index, n, r.dict.n, b)
	return err
}

// values returns the number of values in a page of the column.
func (l *leaf) values(p *page) int {
	if l.def > 0 {
		return count(p.def, l.def)
	}
	return p.entries
}

// count returns how many levels are x.
func count(levels []uint8, x uint8) (n int) { return bytes.Count(levels, []byte{x}) }
