package parquetscan

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// page is a decoded data page. It lasts until the next one is read.
type page struct {
	first    int     // row of the row group that begins in it first
	rows     int     // that begin in it
	rep, def []uint8 // of each entry; nil where all are 0, or the column's own
	entries  int
	index    []uint32 // of its values in the dictionary; nil when it has none
	values   values   // otherwise
}

// decode reads a page of a column, of which b is what the file has after its header.
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
	// Without lists each entry is a row, null or not.
	p.rows = p.entries
	if l.rep > 0 {
		p.rows = count(p.rep, 0)
	}
	// Pages are passed over by h.rows: were it not true, all rows after would be numbered wrongly.
	if h.rows >= 0 && int64(p.rows) != h.rows {
		return fmt.Errorf("%w: a page of other rows than it says", ErrFormat)
	}
	// How many values there are: entries that are not null. The page itself does not say.
	n := l.values(p)
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

// values is how many values a page of the column has.
func (l *leaf) values(p *page) int {
	if l.def > 0 {
		return count(p.def, l.def)
	}
	return p.entries
}

// count is how many of the levels are x.
func count(levels []uint8, x uint8) (n int) { return bytes.Count(levels, []byte{x}) }
