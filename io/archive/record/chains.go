package record

import (
	"bytes"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// minChain is the minimum length of a chain of uncompressed records, in bytes, unless it leads to the file's end or to
// a compressed member. Shorter chains may be the stored data of a member. A stored block of deflate has 65,535 bytes at
// most, and the next block's head breaks the chain. After the last record comes the member's checksum.
const minChain = 80 << 10

// maxFar bounds how often bytes after a piece are read, farStep at a time. Small records may follow it by so many that
// their chain is long enough.
const (
	maxFar  = 64
	farStep = 2 * probe
)

// chains follows uncompressed records from head to head, from places in one piece of the file on.
type chains struct {
	r      *Reader
	g      Grammar
	b      []byte // the piece
	from   int64  // where it stands
	far    int    // how often bytes after it may still be read
	behind []byte // the last of them
	at     int64  // where these stand
	least  int64  // how far a chain leads at least, besides minChain
	broken map[int64]bool
}

// stands reports whether a chain of records begins at at that is not part of a member.
func (c *chains) stands(at int64) bool {
	var seen []int64
	pos, enough := at, max(at+minChain, c.least)
	if known := c.r.stood[c.g]; known.from == at { // not followed again for each block before it
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
			if ok = c.leadsOn(next); ok {
				return true
			}
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

// leadsOn reports whether the file's end, or the compressed members at next, are as far as a chain has to lead.
func (c *chains) leadsOn(next int64) bool {
	return next >= min(c.least, c.r.whole.Size) || c.r.w.src.LeadsAcross(next, c.least)
}

// look returns the bytes at pos that a look at a head needs, or nothing after too many readings.
func (c *chains) look(pos int64) []byte {
	if i := pos - c.from; i+probe <= int64(len(c.b)) || c.from+int64(len(c.b)) >= c.r.whole.Size {
		return c.b[min(i, int64(len(c.b))):min(i+probe, int64(len(c.b)))]
	}
	size := min(probe, c.r.whole.Size-pos)
	if i := pos - c.at; i >= 0 && i+size <= int64(len(c.behind)) {
		return c.behind[i : i+size]
	}
	if c.far--; c.far < 0 {
		return nil
	}
	b := make([]byte, min(farStep, c.r.whole.Size-pos))
	n, err := c.r.src.ReadAt(b, pos)
	if err != nil && err != io.EOF {
		return nil
	}
	c.behind, c.at = b[:n], pos
	return b[:min(n, probe)]
}
