package legacy

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// chunks is a record with those that continue it. A string may go on in the next, which then begins with a byte that
// tells anew whether its characters have 8 or 16 bits ([MS-XLS], section 2.5.293).
type chunks struct {
	b    []byte
	more [][]byte
}

// take returns the next n bytes, across records; fewer at the end.
func (c *chunks) take(n int) []byte {
	if n <= len(c.b) {
		b := c.b[:n]
		c.b = c.b[n:]
		return b
	}
	b := append([]byte(nil), c.b...)
	for c.next() && len(b) < n {
		m := min(n-len(b), len(c.b))
		b = append(b, c.b[:m]...)
		c.b = c.b[m:]
	}
	return b
}

// next goes to the next record when this one is read.
func (c *chunks) next() bool {
	for len(c.b) == 0 && len(c.more) > 0 {
		c.b, c.more = c.more[0], c.more[1:]
	}
	return len(c.b) > 0
}

// rich reads a string of the table: length, flags, formatting behind the characters.
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

func (c *chunks) characters(n int, wide bool) string {
	var out strings.Builder
	for n > 0 {
		size, page := 1, 28591
		if wide {
			size, page = 2, 1200
		}
		m := min(n, len(c.b)/size)
		out.WriteString(codepage.Decode(page, c.b[:m*size]))
		c.b = c.b[m*size:]
		if n -= m; n == 0 {
			break
		}
		if c.b = nil; !c.next() {
			break
		}
		wide = c.b[0]&1 != 0
		c.b = c.b[1:]
	}
	return out.String()
}

func (c *chunks) skip(n int) {
	for n > 0 && c.next() {
		m := min(n, len(c.b))
		c.b = c.b[m:]
		n -= m
	}
}
