package inflate

import "math/bits"

// code is a prefix code, defined by its lengths (RFC 1951 section 3.2.2).
type code struct {
	count  [maxCodeBits + 1]int // number of codes of each length
	sorted [maxLitlen]entry     // the meanings of the codes, in the order of the codes, after those without a code
}

// build fills the table of the code with those lengths, or returns false if there is none. Codes must be complete. Like
// compress/flate it accepts two others: a code without codes, and one with a single code of one bit. Their unused bits
// are an error only if they occur.
func build(table []entry, tableBits int, lengths []uint8, symbols []entry) bool {
	var c code
	for _, l := range lengths {
		c.count[l&maxCodeBits]++
	}
	space := 1 // for codes of a length, given the shorter ones
	for _, n := range c.count[1:] {
		space = space<<1 - n
		if space < 0 {
			return false
		}
	}
	c.sort(lengths, symbols)
	if space > 0 {
		return c.fillIncomplete(table[:1<<tableBits], len(lengths))
	}
	c.fill(table, tableBits)
	return true
}

func (c *code) sort(lengths []uint8, symbols []entry) {
	var next [maxCodeBits + 1]int
	for l := range maxCodeBits {
		next[l+1] = next[l] + c.count[l]
	}
	for i, l := range lengths {
		at := &next[l&maxCodeBits]
		c.sorted[*at] = symbols[i]
		*at++
	}
}

// fillIncomplete fills the table of a code without codes or with one of one bit, and returns false for all others.
func (c *code) fillIncomplete(table []entry, symbols int) bool {
	even, odd := invalid, invalid
	switch {
	case c.count[0] == symbols:
	case c.count[0] == symbols-1 && c.count[1] == 1:
		even, odd = c.sorted[c.count[0]]+oneBit, invalid+oneBit
	default:
		return false
	}
	for i := 0; i < len(table); i += 2 {
		table[i], table[i+1] = even, odd
	}
	return true
}

// fill fills the table of a complete code. Streams have the first bit of a code lowest. So an entry belongs wherever
// the low bits of the index are the reversed code. The table is filled for one length after the other, and doubled in
// between.
func (c *code) fill(table []entry, tableBits int) {
	next, code := c.count[0], 0
	for l := 1; l <= tableBits; l++ {
		if half := 1 << (l - 1); code > 0 {
			copy(table[half:2*half], table[:half])
		}
		code <<= 1
		for _, e := range c.sorted[next : next+c.count[l]] {
			table[reverse(code, l)] = e + entry(l)*oneBit
			code++
		}
		next += c.count[l]
	}
	c.fillSubtables(table, tableBits, next, code)
}

// fillSubtables adds the codes longer than the table's bits, from c.sorted[next] on. code is the end of the shorter
// ones.
func (c *code) fillSubtables(table []entry, tableBits, next, code int) {
	prefix, start, end, size := -1, 0, 1<<tableBits, 0
	for l := tableBits + 1; l <= maxCodeBits; l++ {
		code <<= 1
		for n := c.count[l]; n > 0; n-- {
			at := reverse(code, l)
			if p := at & (1<<tableBits - 1); p != prefix {
				prefix, start, size = p, end, c.subtableBits(tableBits, l, n)
				end = start + 1<<size
				table[prefix] = special | subtable | entry(start)<<valueShift | entry(size)
			}
			e := c.sorted[next] + entry(l)*oneBit
			for i := start + at>>tableBits; i < end; i += 1 << (l - tableBits) {
				table[i] = e
			}
			code++
			next++
		}
	}
}

// subtableBits returns the number of bits of a subtable. Its first code has l bits, and n codes of that length are
// left. The codes fill the subtable.
func (c *code) subtableBits(tableBits, l, n int) int {
	for n < 1<<(l-tableBits) {
		l++
		n = n<<1 + c.count[l]
	}
	return l - tableBits
}

// reverse returns the lowest n bits of code in reverse order.
func reverse(code, n int) int {
	return int(bits.Reverse16(uint16(code)) >> (16 - n))
}
