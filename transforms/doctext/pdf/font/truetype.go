package font

import "bytes"

// trueType holds the tables of an embedded TrueType or OpenType program. Codes map to glyphs and glyphs to texts, in
// separate tables, since a subset may have lost either.
type trueType struct {
	texts  map[int]string // of glyphs, by a Unicode cmap or by their names
	symbol map[int]int    // glyphs of codes, by the cmap for symbols
	mac    map[int]int    // glyphs of codes, by the Macintosh cmap
}

// isSFNT reports whether a program consists of SFNT tables. It checks the versions of TrueType, of Apple's, and of
// OpenType with CFF outlines. Collections (ttcf) are not embedded.
func isSFNT(b []byte) bool {
	for _, magic := range []string{"\x00\x01\x00\x00", "true", "OTTO"} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return true
		}
	}
	return false
}

// parseTrueType reads the tables cmap and post (ISO/IEC 14496-22).
func parseTrueType(b []byte) *trueType {
	t := &trueType{texts: map[int]string{}}
	// Version 2.0 is the only one with names.
	if table := sfntTable(b, "post"); u32(table, 0) == 0x20000 {
		t.names(table)
	}
	cmap := sfntTable(b, "cmap")
	// Subtables are bounded: a sound font has up to five, but a hostile one could name the same table 65,535 times. So
	// are the codes in all of them, since segments and groups may overlap.
	left := maxCodes
	for i := range min(u16(cmap, 2), 64) {
		platform, encoding, at := u16(cmap, 4+8*i), u16(cmap, 6+8*i), u32(cmap, 8+8*i)
		if at >= len(cmap) {
			continue
		}
		glyphs := subtable(cmap[at:], &left)
		// 3/0 is Microsoft's "symbol", 3/1 and 3/10 its Unicode, 1 the Macintosh, 0 Unicode itself.
		switch {
		case platform == 3 && encoding == 0:
			t.symbol = glyphs
		case platform == 1:
			t.mac = glyphs
		case platform == 0 || platform == 3 && (encoding == 1 || encoding == 10):
			t.unicode(glyphs)
		}
	}
	return t
}

// unicode sets the texts of glyphs. If several characters share a glyph, the lowest is taken. So the result does not
// depend on the order of a map. Lower characters are also the more usual ones (space before no-break space). Names
// from the post table are overwritten.
func (t *trueType) unicode(glyphs map[int]int) {
	lowest := map[int]int{}
	for code, gid := range glyphs {
		if have, ok := lowest[gid]; code >= ' ' && (!ok || code < have) {
			lowest[gid] = code
		}
	}
	for gid, code := range lowest {
		t.texts[gid] = string(rune(code))
	}
}

// code returns the text of a code of a simple font (section 9.6.5.4). Symbol fonts may have their codes in the private
// area or unchanged.
func (t *trueType) code(code int) string {
	const private = 0xf000 // where symbol fonts have their codes
	for _, gid := range []int{t.symbol[private+code], t.symbol[code], t.mac[code]} {
		if text := t.texts[gid]; gid != 0 && text != "" {
			return text
		}
	}
	return ""
}

// names sets the texts of glyphs from their names, in a post table of format 2. Names come after the table of indexes,
// as strings with a length byte. Indexes below 258 mean the glyphs of Macintosh fonts, which are ignored.
func (t *trueType) names(post []byte) {
	const head, standard = 34, 258
	n := u16(post, 32)
	var names []string
	// A length beyond the table is cut, and ends the loop.
	for at := head + 2*n; at < len(post) && len(names) < maxCIDs; {
		end := min(at+1+int(post[at]), len(post))
		names = append(names, string(post[at+1:end]))
		at = end
	}
	// n comes from the table; u16 reads 0 after its end, which is a standard glyph.
	for gid := range n {
		if i := u16(post, head+2*gid) - standard; i >= 0 && i < len(names) {
			if text := nameText(names[i]); text != "" {
				t.texts[gid] = text
			}
		}
	}
}

// sfntTable returns a table of the program, or nil if it is missing. The sum off+n does not overflow, as both have 32
// bits.
func sfntTable(b []byte, tag string) []byte {
	for i := range min(u16(b, 4), 64) {
		at := 12 + 16*i
		if at+16 > len(b) {
			return nil
		}
		if off, n := u32(b, at+8), u32(b, at+12); string(b[at:at+4]) == tag && off <= len(b) {
			return b[off:min(off+n, len(b))]
		}
	}
	return nil
}

// maxCodes limits the codes that are read from a program. A sound one has 65,536 at most in each subtable.
const maxCodes = 8 * maxCIDs

// subtable returns the glyphs of a cmap subtable's codes, and subtracts the codes from left. Format 0 is bytes, 4
// segments of the BMP, 6 a range, 12 groups of all planes. Other formats are obsolete or useless here.
func subtable(b []byte, left *int) map[int]int {
	glyphs := map[int]int{}
	switch u16(b, 0) {
	case 0:
		for code := 0; code < 256 && 6+code < len(b); code++ {
			glyphs[code] = int(b[6+code])
		}
	case 4:
		format4(b, glyphs, left)
	case 6:
		// The conditions end at the table's end, whatever the counts.
		first := u16(b, 6)
		for i := 0; i < u16(b, 8) && 12+2*i <= len(b); i++ {
			glyphs[first+i] = u16(b, 10+2*i)
		}
	case 12:
		for i := 0; i < u32(b, 12) && 28+12*i <= len(b); i++ {
			lo, hi, gid := u32(b, 16+12*i), u32(b, 20+12*i), u32(b, 24+12*i)
			// A group may claim four billion codes: maxCIDs glyphs end it.
			for code := lo; code <= hi && len(glyphs) < maxCIDs && *left > 0; code++ {
				*left--
				glyphs[code] = gid + code - lo
			}
		}
	}
	return glyphs
}

// format4 reads segments of codes of two bytes. Four arrays follow each other: ends, a reserved word, starts, deltas,
// offsets (ISO/IEC 14496-22, cmap).
func format4(b []byte, glyphs map[int]int, left *int) {
	n := u16(b, 6) / 2
	ends, starts, deltas, offsets := 14, 16+2*n, 16+4*n, 16+6*n
	for i := range n {
		lo, hi := u16(b, starts+2*i), u16(b, ends+2*i)
		delta, offset := u16(b, deltas+2*i), u16(b, offsets+2*i)
		// 0xFFFF belongs to the closing segment and is not a code.
		for code := lo; code <= hi && code < 0xffff && len(glyphs) < maxCIDs && *left > 0; code++ {
			*left--
			gid := code
			// The offset counts from its own position.
			if offset != 0 {
				if gid = u16(b, offsets+2*i+offset+2*(code-lo)); gid == 0 {
					continue
				}
			}
			glyphs[code] = (gid + delta) & 0xffff
		}
	}
}
