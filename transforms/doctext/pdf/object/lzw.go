package object

// Codes of LZW (section 7.4.4): 256 empties the table, 257 ends the data, higher ones are made during decoding.
const (
	lzwReset = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwCodes = 4096
)

// unlzw undoes LZW. Codes have 9 to 12 bits, most significant first. The table holds the position of each string in
// out and its length, so its 4,096 entries need no further memory.
func unlzw(b []byte, parms Dict, limit int) ([]byte, bool) {
	// early is 1 if codes grow one code early. That is the default, a bug that became the standard (table 8).
	early := 1
	if v, ok := parms["EarlyChange"].(int); ok && v == 0 {
		early = 0
	}
	// A code means bytes already in the output: those of the code after which it was made, and the next one.
	var start, length [lzwCodes]int
	var out []byte
	var bits uint32
	have, width, next := 0, 9, lzwFirst
	broken := false
	for _, c := range b {
		// bits collects at least width bits. Older ones are shifted out at the top, where the mask below ignores them.
		bits = bits<<8 | uint32(c)
		if have += 8; have < width {
			continue
		}
		have -= width
		code := int(bits>>have) & (1<<width - 1)
		// A code not made yet is damage. The output so far counts.
		if broken = code >= next && code != lzwEnd; broken || code == lzwEnd || len(out) >= limit {
			break
		}
		if code == lzwReset {
			width, next = 9, lzwFirst
			continue
		}
		// from is the position of this code's bytes.
		from := len(out)
		if code < lzwReset {
			out = append(out, byte(code))
		} else {
			for i := range length[code] {
				out = append(out, out[start[code]+i]) // byte by byte, since the last byte may be the first one written here
			}
		}
		// The new entry is this code's bytes and the next byte. That byte is not written yet, but will come right
		// after, so the length is known.
		if next < lzwCodes {
			start[next], length[next] = from, len(out)-from+1
			next++
		}
		width = lzwWidth(next - 1 + early)
	}
	return unpredict(out[:min(len(out), limit)], parms), broken
}

// lzwWidth returns the number of bits of the next code if the table holds codes below n.
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
