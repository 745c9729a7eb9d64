package object

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"
)

// unflate undoes deflate (RFC 1950). It ignores the two bytes of the header, which many writers get wrong. A checksum
// may be left out.
func unflate(b []byte, parms Dict, limit int) ([]byte, bool) {
	// Some writers add a line end before the data.
	for len(b) > 0 && (b[0] == '\n' || b[0] == '\r') {
		b = b[1:]
	}
	if len(b) < 2 {
		return nil, false
	}
	out, rest, err := inflate(b[2:], limit)
	broken := err != nil || len(out) < limit && len(rest) >= adler32.Size &&
		binary.BigEndian.Uint32(rest) != adler32.Checksum(out)
	// Without a zlib header, the data may be raw deflate, which has no checksum.
	if len(out) == 0 && (b[0]&0x0f != 8 || (int(b[0])<<8|int(b[1]))%31 != 0) {
		out, _, err = inflate(b, limit)
		broken = err != nil
	}
	return unpredict(out, parms), broken
}

// inflate undoes raw deflate (RFC 1951), and returns the bytes after it, too. LimitReader bounds the output, and so
// the memory. Damage ends it, and the output so far counts.
func inflate(b []byte, limit int) (out, rest []byte, err error) {
	var buf bytes.Buffer
	in := bytes.NewReader(b)
	_, err = io.Copy(&buf, io.LimitReader(flate.NewReader(in), int64(limit)))
	return buf.Bytes(), b[len(b)-in.Len():], err
}

// unhex undoes hexadecimal digits (section 7.4.2).
func unhex(b []byte, _ Dict, limit int) ([]byte, bool) {
	s := NewScanner(b)
	// White space and all characters but digits are skipped; ">" ends the data.
	out := s.hex()
	return out[:min(len(out), limit)], false
}

// un85 undoes base 85 (section 7.4.3).
func un85(b []byte, _ Dict, limit int) ([]byte, bool) {
	out := make([]byte, 0, len(b)/5*4+4)
	var v uint32
	n := 0
	// Adobe's own encoder writes "<~" before the data, which PDF leaves out.
	for _, c := range bytes.TrimPrefix(b, []byte("<~")) {
		switch {
		case c == '~' || len(out) >= limit:
			return tail85(out, v, n), false
		// "z" is short for four zero bytes, and occurs only between groups.
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		// Other characters are white space or damage. Variable v may overflow with digits above "s8W-!", which is
		// damage too.
		case c >= '!' && c <= 'u':
			v = v*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
				v, n = 0, 0
			}
		}
	}
	return tail85(out, v, n), false
}

// tail85 ends base 85 with an incomplete group of n digits, which gives n-1 bytes. Missing digits count as the
// highest, so that truncation gives the right bytes.
func tail85(out []byte, v uint32, n int) []byte {
	for i := n; i < 5; i++ {
		v = v*85 + 84
	}
	for i := 0; i < n-1; i++ {
		out = append(out, byte(v>>(24-8*i)))
	}
	return out
}

// unrun undoes run lengths (section 7.4.5). After a length below 128 come that many bytes plus one. After one above
// 128 comes a byte that is repeated 257 minus the length times. Length 128 ends the data. Each step adds at most 128
// bytes, so out exceeds the limit by less than that.
func unrun(b []byte, _ Dict, limit int) ([]byte, bool) {
	var out []byte
	for len(b) > 1 && len(out) < limit {
		n := int(b[0])
		switch {
		case n == 128:
			return out, false
		case n < 128:
			n = min(n+1, len(b)-1)
			out = append(out, b[1:1+n]...)
			b = b[1+n:]
		default:
			out = append(out, bytes.Repeat(b[1:2], 257-n)...)
			b = b[2:]
		}
	}
	return out, false
}
