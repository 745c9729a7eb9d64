package object

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"
)

// maxFilters bounds the filters of one stream.
const maxFilters = 8

// filter turns encoded bytes into plain ones, at most limit. What is damaged ends early, with what stands before it.
// No filter writes to b, which may be a part of the file; predictors work on what was just put out.
type filter func(b []byte, parms Dict, limit int) []byte

// filters are those that text can stand behind (table 6), with their abbreviations (table 92). Those of images are not
// here.
var filters = map[Name]filter{
	"FlateDecode": unflate, "Fl": unflate,
	"LZWDecode": unlzw, "LZW": unlzw,
	"ASCII85Decode": un85, "A85": un85,
	"ASCIIHexDecode": unhex, "AHx": unhex,
	"RunLengthDecode": unrun, "RL": unrun,
}

// Decode returns what s holds, decrypted and with its filters undone: what can be had of it. It is nil for images, and
// where a password is needed. The caller must not change it.
func (f *File) Decode(s *Stream) []byte {
	if s.kept {
		return s.decoded
	}
	return f.undo(s, f.decryptStream(s))
}

// DecodeOften is Decode for streams that will be needed again: what it returns is kept, where it is small. Forms and
// content of lost pages are decoded once for looking and once for reading.
func (f *File) DecodeOften(s *Stream) []byte {
	b := f.Decode(s)
	// What does not fit any more is decoded again each time, and pays for that.
	if !s.kept && f.keep >= int64(len(b)) {
		f.keep -= int64(len(b))
		s.decoded, s.kept = b, true
	}
	return b
}

// decodePlain decodes a stream that is never encrypted.
func (f *File) decodePlain(s *Stream) []byte { return f.undo(s, s.raw) }

// undo undoes the filters of s.
func (f *File) undo(s *Stream, b []byte) []byte {
	names, parms := f.filtersOf(s.Dict)
	// What is read counts too, not only what comes out: an ASCIIHex stream of spaces makes no bytes,
	// but costs.
	f.inflate -= int64(len(b))
	if len(names) > maxFilters || f.inflate < 0 {
		f.Cut = f.Cut || f.inflate < 0
		return nil
	}
	// A chain of filters (deflate within deflate) multiplies: each has the bound of what is left.
	for i, name := range names {
		if name == "Crypt" {
			continue // decryptStream has seen to it
		}
		undo := filters[name]
		// A picture's filter (DCT, JPX, CCITT, JBIG2), or one that is not known.
		if undo == nil {
			return nil
		}
		limit := int(max(0, min(f.limits.MaxEntry, f.inflate)))
		// A stream that ends exactly at its limit is taken for cut: wrong in one case in millions,
		// and harmless.
		if b = undo(b, parms[i], limit); len(b) >= limit {
			f.Cut = true
		}
		f.inflate -= int64(len(b))
	}
	return b
}

// filtersOf returns the filters of a stream and the parameters of each.
func (f *File) filtersOf(d Dict) ([]Name, []Dict) {
	var names []Name
	// Inline images have the short names, and some writers put them into streams.
	switch v := f.Resolve(either(d, "Filter", "F")).(type) {
	case Name:
		names = []Name{v}
	case Array:
		for _, o := range v {
			names = append(names, f.Name(o))
		}
	}
	// Each filter has its parameters at the same place, or none.
	parms := make([]Dict, len(names))
	o := f.Resolve(either(d, "DecodeParms", "DP"))
	if list, ok := o.(Array); ok {
		for i := range min(len(list), len(parms)) {
			parms[i] = f.plainDict(list[i])
		}
		// One dictionary for one filter needs no array.
	} else if len(parms) > 0 {
		parms[0] = f.plainDict(o)
	}
	return names, parms
}

// plainDict returns a dictionary whose values are not references. Predictors and LZW look at them without a file at
// hand.
func (f *File) plainDict(o Object) Dict {
	d := Dict{}
	for k, v := range f.Dict(o) {
		d[k] = f.Resolve(v)
	}
	return d
}

// either is the entry under one of two keys. It is used for keys that have a long and a short form.
func either(d Dict, long, short Name) Object {
	if v := d[long]; v != nil {
		return v
	}
	if _, isFile := d[short].(String); isFile {
		return nil // of a stream, F names an external file
	}
	return d[short]
}

// unflate undoes deflate (RFC 1950). The two bytes of the header are not looked at, nor is the checksum: many writers
// get them wrong. What stands before damage is returned.
func unflate(b []byte, parms Dict, limit int) []byte {
	// Some writers put a line end too much before the data.
	for len(b) > 0 && (b[0] == '\n' || b[0] == '\r') {
		b = b[1:]
	}
	if len(b) < 2 {
		return nil
	}
	out := inflate(b[2:], limit)
	// No header of zlib: then the data may begin at once, as raw deflate.
	if len(out) == 0 && (b[0]&0x0f != 8 || (int(b[0])<<8|int(b[1]))%31 != 0) {
		out = inflate(b, limit)
	}
	return unpredict(out, parms)
}

// inflate undoes raw deflate (RFC 1951). LimitReader bounds what comes out, and so the memory.
func inflate(b []byte, limit int) []byte {
	var out bytes.Buffer
	r := flate.NewReader(bytes.NewReader(b))
	_, _ = io.Copy(&out, io.LimitReader(r, int64(limit))) // damage ends it: what stands before counts
	return out.Bytes()
}

// unhex undoes hexadecimal digits (section 7.4.2).
func unhex(b []byte, _ Dict, limit int) []byte {
	s := NewScanner(b)
	// White space, and everything that is no digit, is passed over; ">" ends.
	out := s.hex()
	return out[:min(len(out), limit)]
}

// un85 undoes base 85 (section 7.4.3).
func un85(b []byte, _ Dict, limit int) []byte {
	out := make([]byte, 0, len(b)/5*4+4)
	var v uint32
	n := 0
	// Adobe's own encoder writes "<~" before the data, which PDF leaves out.
	for _, c := range bytes.TrimPrefix(b, []byte("<~")) {
		switch {
		case c == '~' || len(out) >= limit:
			return tail85(out, v, n)
		// "z" is short for four zero bytes, and stands between groups only.
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		// Other characters are white space or damage. v may overflow with digits above "s8W-!":
		// damage, too.
		case c >= '!' && c <= 'u':
			v = v*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
				v, n = 0, 0
			}
		}
	}
	return tail85(out, v, n)
}

// tail85 ends base 85 with a group of n digits, too few. n digits give n-1 bytes; missing digits count as the
// highest, so that the cut bits come out right.
func tail85(out []byte, v uint32, n int) []byte {
	for i := n; i < 5; i++ {
		v = v*85 + 84
	}
	for i := 0; i < n-1; i++ {
		out = append(out, byte(v>>(24-8*i)))
	}
	return out
}

// unrun undoes run lengths (section 7.4.5). A length below 128 is followed by that many bytes and one more, one above
// by a byte that is repeated 257 less that often; 128 ends the data. Each step adds at most 128 bytes, so out exceeds
// the limit by less than that.
func unrun(b []byte, _ Dict, limit int) []byte {
	var out []byte
	for len(b) > 1 && len(out) < limit {
		n := int(b[0])
		switch {
		case n == 128:
			return out
		case n < 128:
			n = min(n+1, len(b)-1)
			out = append(out, b[1:1+n]...)
			b = b[1+n:]
		default:
			out = append(out, bytes.Repeat(b[1:2], 257-n)...)
			b = b[2:]
		}
	}
	return out
}
