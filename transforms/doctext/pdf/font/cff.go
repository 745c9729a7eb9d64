package font

// Operators of a Top DICT (table 9); those of two bytes begin with 12.
const (
	opCharset     = 15
	opEncoding    = 16
	opCharStrings = 17
	opROS         = 12<<8 | 30
)

// cffIndex returns the objects of the INDEX at a position, and its end.
func cffIndex(b []byte, at int) ([][]byte, int) {
	n := u16(b, at)
	// Parameter at comes from the font and may be anything. An empty INDEX is only a count.
	if n == 0 || at+3 > len(b) || at < 0 {
		return nil, at + 2
	}
	// Offsets have 1 to 4 bytes and count from the byte before the data, hence base.
	size := int(b[at+2])
	if size < 1 || size > 4 {
		return nil, len(b)
	}
	offset := func(i int) int {
		// Bytes after the end count as missing. The offset is then too small, and stops the loop below.
		v := 0
		for j := range size {
			if k := at + 3 + i*size + j; k < len(b) {
				v = v<<8 | int(b[k])
			}
		}
		return v
	}
	base := at + 2 + (n+1)*size
	var list [][]byte
	for i := range n {
		// Offsets ascend; the first that does not ends the INDEX.
		lo, hi := base+offset(i), base+offset(i+1)
		if lo > hi || hi > len(b) {
			break
		}
		list = append(list, b[lo:hi])
	}
	return list, base + offset(n)
}

// cffDict returns the last operand of each operator if it is an integer. Operands come before their operator (section
// 4). Real numbers and lists are not needed.
func cffDict(b []byte) map[int]int {
	d := map[int]int{}
	// Every step reads at least a byte, so the loop ends. Functions u16 and u32 return 0 after the end.
	last := 0
	for i := 0; i < len(b); i++ {
		switch c := int(b[i]); {
		case c == 12:
			i++
			if i < len(b) {
				d[12<<8|int(b[i])] = last
			}
		case c <= 21:
			d[c] = last
		case c == 28:
			last = u16(b, i+1)
			i += 2
		case c == 29:
			last = u32(b, i+1)
			i += 4
		case c == 30: // a real number, in nibbles up to one with value 15
			for i++; i < len(b) && b[i]&0xf != 0xf && b[i]>>4 != 0xf; i++ {
			}
		// One byte holds -107 to 107, two bytes up to 1131 either way.
		case c >= 32 && c <= 246:
			last = c - 139
		case c >= 247 && c <= 250 && i+1 < len(b):
			i++
			last = (c-247)*256 + int(b[i]) + 108
		case c >= 251 && c <= 254 && i+1 < len(b):
			i++
			last = -(c-251)*256 - int(b[i]) - 108
		}
	}
	return d
}
