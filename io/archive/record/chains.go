package record

import (
	"bytes"
	"io"
	"math"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// minChain is the minimum length of a chain of uncompressed records, in bytes, unless it leads to the file's end or to
// a compressed member. Shorter chains may be the stored data of a member. A stored block of deflate has 65,535 bytes at
// most, and the next block's head breaks the chain. After the last record comes the member's checksum.
const minChain = 80 << 10

// maxFar bounds how many records of a piece are looked at that lie after it.
const maxFar = 64

// chains follows uncompressed records from head to head, from places in one piece of the file on.
type chains struct {
	r      *Reader
	g      Grammar
	b      []byte // the piece
	from   int64  // where it stands
	far    int    // how many more looks after it
	least  int64  // how far a chain leads at least, besides minChain
	broken map[int64]bool
}

// stands reports whether a chain of records begins at at that is not part of a member.
func (c *chains) stands(at int64) bool {
	var seen []int64
	pos, enough := at, max(at+minChain, c.least)
	if known := c.r.stood[c.g]; known.from == at { // not followed anew for each block before it
		pos = max(pos, known.to)
	}
	for {
		if pos >= enough {
			c.r.stood[c.g] = bare{at, pos}
			return true
		}
		if c.broken[pos] { // a chain from farther ahead came through here and was too short
			return false
		}
		seen = append(seen, pos)
		next, open, ok := c.skip(pos)
		if ok && !open {
			next = math.MaxInt64
		}
		if !ok {
			for _, pos := range seen {
				c.broken[pos] = true
			}
			return false
		}
		pos = next
	}
}

// skip returns the offset after the record at pos and the bytes that close it. If another head is there, open is true.
// At the file's end or at a compressed member, it is false. If no archive continues like this, ok is false.
func (c *chains) skip(pos int64) (next int64, open, ok bool) {
	var h Head
	size := c.g.Parse(&h, bytes.Clone(c.look(pos)), true) // which may change it
	if size == 0 || h.Length < 0 || h.Length > c.r.whole.Size-pos-int64(size) {
		return 0, false, false
	}
	end := pos + int64(size) + h.Length
	b := c.look(end)
	separator := c.g.Separator(b)
	rest := b[separator:]
	next = end + int64(separator)
	switch {
	case separator == 0:
		return 0, false, false
	case len(rest) == 0:
		return next, false, next >= c.r.whole.Size
	case member.Sniff(rest) != member.Plain:
		return next, false, true
	}
	return next, true, c.g.Match(rest, true)
}

// look returns the bytes at pos that a look at a head needs, or nothing after too many looks.
func (c *chains) look(pos int64) []byte {
	if i := pos - c.from; i+probe <= int64(len(c.b)) || c.from+int64(len(c.b)) >= c.r.whole.Size {
		return c.b[min(i, int64(len(c.b))):min(i+probe, int64(len(c.b)))]
	}
	if c.far--; c.far < 0 {
		return nil
	}
	b := make([]byte, min(probe, c.r.whole.Size-pos))
	n, err := c.r.src.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil
	}
	return b[:n]
}
