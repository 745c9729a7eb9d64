package inflate

// precodeOrder is the order of the lengths of the code for code lengths (RFC 1951 section 3.2.7).
var precodeOrder = [maxPrecode]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// maxRepeat is the maximum number of bits of a code length or its repetition: a code, and a count.
const maxRepeat = precodeBits + 7

// The types of blocks (RFC 1951 section 3.2.3).
const (
	blockStored = iota
	blockFixed
	blockDynamic
)

// header reads a block's header. If src does not hold all of it, it returns false and uses nothing.
func (d *Decoder) header(c *cursor) (whole bool, err error) {
	// A copy: the cursor advances only when the whole header is there. Otherwise the next call starts again with more
	// input.
	h := *c
	h.fill()
	if h.n < 3 {
		return false, nil
	}
	d.final = h.take(1) != 0
	next := inCodes
	switch h.take(2) {
	case blockStored:
		next = inStored
		whole, err = d.storedHeader(&h)
	case blockFixed:
		d.fixed, whole = true, true
	case blockDynamic:
		d.fixed = false
		whole, err = d.dynamicHeader(&h)
	default:
		err = errBlockType
	}
	if whole {
		*c = h
		d.state = next
	}
	return whole, err
}

// storedHeader reads the length of a stored block, and leaves no bits in the cursor.
func (d *Decoder) storedHeader(h *cursor) (whole bool, err error) {
	// A stored block begins at a byte's border.
	h.skip(h.n & 7)
	if h.n < 32 {
		return false, nil
	}
	length, complement := h.take(16), h.take(16)
	// The complement is a check: of random bytes one in 65,536 passes.
	if length^complement != 0xffff {
		return false, errStored
	}
	// The bits that were read ahead go back, since bytes are now copied from src.
	h.giveBack()
	d.length = int(length)
	return true, nil
}

// dynamicHeader reads the codes of a block and makes their tables (RFC 1951 section 3.2.7).
func (d *Decoder) dynamicHeader(h *cursor) (whole bool, err error) {
	if h.n < 14 {
		return false, nil
	}
	litlen, dist, precode := int(h.take(5))+257, int(h.take(5))+1, int(h.take(4))+4
	// The last two symbols of each code are reserved, so a count that reaches them is wrong.
	if litlen > maxLitlen-2 || dist > maxDist-2 {
		return false, errCount
	}
	var lengths [maxPrecode]uint8
	for i := range precode {
		if h.n < 3 {
			h.fill()
		}
		if h.n < 3 {
			return false, nil
		}
		lengths[precodeOrder[i]] = uint8(h.take(3))
	}
	if !build(d.precode[:], precodeBits, lengths[:], precodeSymbols[:]) {
		return false, errLengths
	}
	// Both codes are in one list: a repetition may reach from one into the other.
	if whole, err := d.codeLengths(h, d.lengths[:litlen+dist]); err != nil || !whole {
		return false, err
	}
	if !build(d.dynamic.litlen[:], litlenBits, d.lengths[:litlen], litlenSymbols[:]) ||
		!build(d.dynamic.dist[:], distBits, d.lengths[litlen:litlen+dist], distSymbols[:]) {
		return false, errLengths
	}
	return true, nil
}

// codeLengths reads the lengths of a block's two codes.
func (d *Decoder) codeLengths(h *cursor, lengths []uint8) (whole bool, err error) {
	for i := 0; i < len(lengths); {
		if h.n < maxRepeat {
			h.fill()
		}
		e := d.precode[h.bits&(1<<precodeBits-1)]
		switch {
		// There are fewer bits than the code has, so the table's entry may be wrong and is ignored.
		case e.codeSize() > h.n:
			return false, nil
		case e&special != 0:
			return false, errSymbol
		// The first length has no predecessor to repeat.
		case e&previous != 0 && i == 0:
			return false, errRepeat
		case e.size() > h.n:
			return false, nil
		}
		v, n := uint8(0), 1
		switch {
		case e&literal != 0:
			v = e.literal()
		case e&previous != 0:
			v = lengths[i-1]
			fallthrough
		default:
			n = e.value(h.bits)
		}
		// Repetitions must end with the list.
		if n > len(lengths)-i {
			return false, errRepeat
		}
		for j := range n {
			lengths[i+j] = v
		}
		i += n
		h.skip(e.size())
	}
	return true, nil
}
