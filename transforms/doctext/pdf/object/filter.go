package object

// maxFilters bounds the filters of one stream.
const maxFilters = 8

// filter decodes bytes, up to limit. Damaged data yields the part before the damage, and broken is true if the filter
// notices. No filter writes to b, which may be a part of the file. Predictors work on the output.
type filter func(b []byte, parms Dict, limit int) (out []byte, broken bool)

// filters are the filters of streams other than images (table 6), with their abbreviations (table 92).
var filters = map[Name]filter{
	"FlateDecode": unflate, "Fl": unflate,
	"LZWDecode": unlzw, "LZW": unlzw,
	"ASCII85Decode": un85, "A85": un85,
	"ASCIIHexDecode": unhex, "AHx": unhex,
	"RunLengthDecode": unrun, "RL": unrun,
}

// Decode returns the content of s, decrypted and with its filters undone, as far as possible. The result is nil for
// images, and if a password is needed. Callers must not change it.
func (f *File) Decode(s *Stream) []byte {
	if s.kept {
		return s.decoded
	}
	return f.undo(s, f.decryptStream(s))
}

// DecodeOften is Decode for streams that are needed again: it caches small results. Forms and content of lost pages
// are decoded once for the search and once for reading.
func (f *File) DecodeOften(s *Stream) []byte {
	b := f.Decode(s)
	// Content that does not fit into the cache is decoded again each time, and counts each time.
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
	// Input counts too: an ASCIIHex stream of spaces has no output, but takes time.
	f.inflate -= int64(len(b))
	if len(names) > maxFilters || f.inflate < 0 {
		f.Cut = f.Cut || f.inflate < 0
		return nil
	}
	// A chain of filters (deflate within deflate) multiplies, so the rest of the budget bounds each.
	for i, name := range names {
		if name == "Crypt" {
			continue // done in decryptStream
		}
		undo := filters[name]
		// This is an image filter (DCT, JPX, CCITT, JBIG2), or an unknown one.
		if undo == nil {
			return nil
		}
		limit := int(max(0, min(f.limits.MaxEntry, f.inflate)))
		// A stream that ends exactly at its limit is taken for truncated. That is wrong in one case in millions, and
		// harmless.
		var broken bool
		if b, broken = undo(b, parms[i], limit); len(b) >= limit {
			f.Cut = true
		}
		f.Broken = f.Broken || broken
		f.inflate -= int64(len(b))
	}
	return b
}

// filtersOf returns the filters of a stream and the parameters of each.
func (f *File) filtersOf(d Dict) ([]Name, []Dict) {
	var names []Name
	// Inline images have the short names, and some writers use them in streams.
	switch v := f.Resolve(either(d, "Filter", "F")).(type) {
	case Name:
		names = []Name{v}
	case Array:
		for _, o := range v {
			names = append(names, f.Name(o))
		}
	}
	// Each filter has its parameters at the same index, or none.
	parms := make([]Dict, len(names))
	o := f.Resolve(either(d, "DecodeParms", "DP"))
	if list, ok := o.(Array); ok {
		for i := range min(len(list), len(parms)) {
			parms[i] = f.plainDict(list[i])
		}
		// The dictionary of a single filter needs no array.
	} else if len(parms) > 0 {
		parms[0] = f.plainDict(o)
	}
	return names, parms
}

// plainDict returns a dictionary without references. Predictors and LZW read it without a file.
func (f *File) plainDict(o Object) Dict {
	d := Dict{}
	for k, v := range f.Dict(o) {
		d[k] = f.Resolve(v)
	}
	return d
}

// either returns the entry under one of two keys, for keys that have a long and a short form.
func either(d Dict, long, short Name) Object {
	if v := d[long]; v != nil {
		return v
	}
	if _, isFile := d[short].(String); isFile {
		return nil // of a stream, F names an external file
	}
	return d[short]
}
