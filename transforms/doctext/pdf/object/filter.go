package object

// maxFilters bounds the filters of one stream.
const maxFilters = 8

// filter turns encoded bytes into plain ones, at most limit. What is damaged ends early, with what precedes it.
// No filter writes to b, which may be a part of the file; predictors work on what was just put out.
type filter func(b []byte, parms Dict, limit int) []byte

// filters are those that text can stand after (table 6), with their abbreviations (table 92). Those of images are not
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
