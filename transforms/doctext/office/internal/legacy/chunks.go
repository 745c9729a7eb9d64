package legacy

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// chunks is a record with the records that continue it. A string may continue in the next record. That record then
// begins with a byte that gives the width of its characters, 8 or 16 bits ([MS-XLS], section 2.5.293). Field b is the
// rest of the current record, more are the records after it. Both share memory with the file and are only read.
type chunks struct {
	b    []byte
	more [][]byte
}

// take returns the next n bytes, across records, or fewer at the end.
func (c *chunks) take(n int) []byte {
	// Most strings are within one record, and then nothing is copied.
	if n <= len(c.b) {
		b := c.b[:n]
		c.b = c.b[n:]
		return b
	}
	// Bytes must not be appended to c.b: it is a part of the file, whose next bytes append would overwrite.
	b := append([]byte(nil), c.b...)
	for c.next() && len(b) < n {
		m := min(n-len(b), len(c.b))
		b = append(b, c.b[:m]...)
		c.b = c.b[m:]
	}
	return b
}

// next goes to the next record at the end of this one. It skips empty continuations.
func (c *chunks) next() bool {
	for len(c.b) == 0 && len(c.more) > 0 {
		c.b, c.more = c.more[0], c.more[1:]
	}
	return len(c.b) > 0
}

// rich reads a string of the table (XLUnicodeRichExtendedString, [MS-XLS] section 2.5.293). First come the number of
// characters in 16 bits and the flags. Then come the counts of formatting runs (4 bytes each, flag 8) and of phonetic
// data (flag 4). The characters, runs and data follow. Only the characters are text.
func (c *chunks) rich() string {
	if !c.next() {
		return ""
	}
	head := c.take(3)
	n, flags := u16(head, 0), u8(head, 2)
	runs, extra := 0, 0
	if flags&8 != 0 {
		runs = u16(c.take(2), 0)
	}
	if flags&4 != 0 {
		extra = u32(c.take(4), 0)
	}
	text := c.characters(n, flags&1 != 0)
	c.skip(4*runs + extra)
	return text
}

// wideOrNot reads n characters after a byte that gives their width, 8 or 16 bits.
func (c *chunks) wideOrNot(n int) string { return c.characters(n, u8(c.take(1), 0)&1 != 0) }

// characters reads n characters, which begin in c.b and may continue in c.more. They are UTF-16 units, stored in 8 or
// 16 bits each. A flag says which; it is repeated at the beginning of each continuation and may change there.
func (c *chunks) characters(n int, wide bool) string {
	var out strings.Builder
	for n > 0 {
		size, page := 1, 28591
		if wide {
			size, page = 2, 1200
		}
		// Only whole characters of this record are read. A split character is dropped.
		m := min(n, len(c.b)/size)
		out.WriteString(codepage.Decode(page, c.b[:m*size]))
		c.b = c.b[m*size:]
		if n -= m; n == 0 {
			break
		}
		if c.b = nil; !c.next() {
			break
		}
		// The first byte of a continuation is the flag again; only its lowest bit has a meaning.
		wide = c.b[0]&1 != 0
		c.b = c.b[1:]
	}
	return out.String()
}

// skip skips n bytes, across records. Parameter n comes from the file and may be 4 GB; the loop ends at the last
// record.
func (c *chunks) skip(n int) {
	for n > 0 && c.next() {
		m := min(n, len(c.b))
		c.b = c.b[m:]
		n -= m
	}
}
