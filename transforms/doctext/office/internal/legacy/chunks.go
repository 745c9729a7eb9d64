package legacy

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// chunks is a record with those that continue it. A string may go on in the next, which then begins with a byte that
// tells again whether its characters have 8 or 16 bits ([MS-XLS], section 2.5.293). b is what is left of the current
// record and more the records after it; both are parts of the file and only read.
type chunks struct {
	b    []byte
	more [][]byte
}

// take returns the next n bytes, across records; fewer at the end.
func (c *chunks) take(n int) []byte {
	// The usual case, without a copy: most strings lie within one record.
	if n <= len(c.b) {
		b := c.b[:n]
		c.b = c.b[n:]
		return b
	}
	// b must not be appended to: it is a part of the file, whose next bytes append would overwrite.
	b := append([]byte(nil), c.b...)
	for c.next() && len(b) < n {
		m := min(n-len(b), len(c.b))
		b = append(b, c.b[:m]...)
		c.b = c.b[m:]
	}
	return b
}

// next goes to the next record when this one is read. Empty continuations are skipped, hence a loop.
func (c *chunks) next() bool {
	for len(c.b) == 0 && len(c.more) > 0 {
		c.b, c.more = c.more[0], c.more[1:]
	}
	return len(c.b) > 0
}

// rich reads a string of the table (XLUnicodeRichExtendedString, [MS-XLS] section 2.5.293): the
// number of characters in 16 bits, flags, the counts of formatting runs (4 bytes each, flag 8) and of
// phonetic data (flag 4), then the characters, the runs, the data. Only the characters are text.
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

// characters reads n characters, which begin in b and may go on in more. n counts UTF-16 units, as stored in 8 or 16
// bits each. The flag that says which is repeated at the beginning of each continuation, and may change there.
func (c *chunks) characters(n int, wide bool) string {
	var out strings.Builder
	for n > 0 {
		size, page := 1, 28591
		if wide {
			size, page = 2, 1200
		}
		// Only whole characters of this record: one that is torn apart is dropped with the record's
		// rest.
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

// skip passes over n bytes, across records. n comes from the file and may be 4 GB: the loop ends with the records,
// not with n.
func (c *chunks) skip(n int) {
	for n > 0 && c.next() {
		m := min(n, len(c.b))
		c.b = c.b[m:]
		n -= m
	}
}
