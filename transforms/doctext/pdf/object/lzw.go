package object

// Codes of LZW (section 7.4.4): 256 empties the table, 257 ends the data, those above are made on the way.
const (
	lzwReset = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwCodes = 4096
)

// unlzw undoes LZW. Codes have 9 to 12 bits, most significant first. The table holds no strings but where in out each
// string stands, and how long it is: 4,096 entries need no memory of their own.
func unlzw(b []byte, parms Dict, limit int) []byte {
	// Whether codes grow one code early, which is the default and a bug that became the standard
	// (table 8).
	early := 1
	if v, ok := parms["EarlyChange"].(int); ok && v == 0 {
		early = 0
	}
	// A code stands for bytes that were put out before: those of the code that it was made after, and the next one.
	var start, length [lzwCodes]int
	var out []byte
	var bits uint32
	have, width, next := 0, 9, lzwFirst
	for _, c := range b {
		// bits collects at least width bits; older ones are shifted out at the top, where the mask
		// below does not look.
		bits = bits<<8 | uint32(c)
		if have += 8; have < width {
			continue
		}
		have -= width
		code := int(bits>>have) & (1<<width - 1)
		// A code that was not made yet is damage. What is out so far counts.
		if code == lzwEnd || code >= next || len(out) >= limit {
			break
		}
		if code == lzwReset {
			width, next = 9, lzwFirst
			continue
		}
		// from is where this code's bytes will stand.
		from := len(out)
		if code < lzwReset {
			out = append(out, byte(code))
		} else {
			for i := range length[code] {
				out = append(out, out[start[code]+i]) // byte by byte: the last may be the first that is put out here
			}
		}
		// The new entry is this code's bytes and the next byte, which is not out yet: it lies right
		// after, so the length is known.
		if next < lzwCodes {
			start[next], length[next] = from, len(out)-from+1
			next++
		}
		width = lzwWidth(next - 1 + early)
	}
	return unpredict(out[:min(len(out), limit)], parms)
}

// lzwWidth returns how many bits the next code has when the table holds codes below n.
func lzwWidth(n int) int {
	switch {
	case n < 512:
		return 9
	case n < 1024:
		return 10
	case n < 2048:
		return 11
	}
	return 12
}
