package font

import (
	"strings"
	"sync"
)

// cffEncoding returns the glyph names of codes by the encoding in a CFF program (Adobe Technical Note 5176). Of damaged
// programs, and those of CIDs, it returns what there is. Expert encodings and charsets are not known. The program is
// a header, four INDEX structures (names, Top DICTs, strings, subroutines) and tables at the offsets that the Top
// DICT gives. Only the first font counts: PDF allows no more.
func cffEncoding(b []byte) map[byte]string {
	at := 0
	// The third byte is the size of the header.
	if len(b) > 2 {
		at = int(b[2])
	}
	_, at = cffIndex(b, at) // names
	tops, at := cffIndex(b, at)
	strs, _ := cffIndex(b, at)
	if len(tops) == 0 {
		return nil
	}
	top := cffDict(tops[0])
	if _, ok := top[opROS]; ok {
		return nil // glyphs have CIDs
	}
	// All that is needed of the glyphs is how many there are.
	chars, _ := cffIndex(b, top[opCharStrings])
	sids := cffCharset(b, top[opCharset], len(chars))
	// A glyph is named by a string's number (SID); glyphs beyond the charset have no name.
	name := func(gid int) string {
		if gid >= len(sids) {
			return ""
		}
		return cffString(strs, sids[gid])
	}
	names := map[byte]string{}
	// 0 and 1 are the predefined encodings, Standard and Expert; others are offsets.
	switch off := top[opEncoding]; off {
	case 0:
		for code := range 256 {
			names[byte(code)] = standardName(byte(code))
		}
	case 1:
	default:
		cffCodes(b, off, func(code byte, gid int) { names[code] = name(gid) })
	}
	return names
}

// Operators of a Top DICT (table 9); those of two bytes begin with 12.
const (
	opCharset     = 15
	opEncoding    = 16
	opCharStrings = 17
	opROS         = 12<<8 | 30
)

// cffIndex returns the objects of the INDEX at a place, and where it ends.
func cffIndex(b []byte, at int) ([][]byte, int) {
	n := u16(b, at)
	// at may be anything: it was read from the font. An empty INDEX is its count alone.
	if n == 0 || at+3 > len(b) || at < 0 {
		return nil, at + 2
	}
	// Offsets have 1 to 4 bytes and count from the byte before the data, hence base.
	size := int(b[at+2])
	if size < 1 || size > 4 {
		return nil, len(b)
	}
	offset := func(i int) int {
		// Bytes behind the end count as missing; the offset is then too small, and stops the loop
		// below.
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

// cffDict returns the last operand of each operator, where that is an integer. Operands come before their operator
// (section 4). Real numbers and lists are of no interest here.
func cffDict(b []byte) map[int]int {
	d := map[int]int{}
	// Every step reads at least a byte, so it ends. u16 and u32 read 0 behind the end.
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
		case c == 30: // a real number, in nibbles up to one that is 15
			for i++; i < len(b) && b[i]&0xf != 0xf && b[i]>>4 != 0xf; i++ {
			}
		// One byte: -107 to 107; two bytes: up to 1131 either way.
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

// cffCharset returns the string of each of n glyphs, by its number. Glyph 0 is .notdef and not in the table. n is the
// number of glyphs, which bounds the result.
func cffCharset(b []byte, at, n int) []int {
	sids := []int{0}
	// Offsets 0 to 2 are predefined charsets; 1 and 2 are expert ones, which are taken for ISOAdobe
	// as well.
	if at <= 2 || at >= len(b) {
		for len(sids) < n { // ISOAdobe
			sids = append(sids, len(sids))
		}
		return sids
	}
	format := b[at]
	at++
	// Format 0 lists every glyph, formats 1 and 2 ranges with how many follow.
	for len(sids) < n && at+2 <= len(b) {
		first, left := u16(b, at), 0
		at += 2
		switch {
		case format == 1 && at < len(b):
			left = int(b[at])
			at++
		case format == 2:
			left = u16(b, at)
			at += 2
		}
		for i := 0; i <= left && len(sids) < n; i++ {
			sids = append(sids, first+i)
		}
	}
	return sids
}

// cffCodes yields the codes of glyphs. Codes that are given besides are passed over. Format 0 lists a code for each
// glyph, format 1 ranges of codes. The high bit of the format says that more codes follow, for glyphs that have
// several.
func cffCodes(b []byte, at int, yield func(code byte, gid int)) {
	if at < 0 || at+1 >= len(b) {
		return
	}
	format, n := b[at]&0x7f, int(b[at+1])
	at += 2
	// Glyph 0 has no code.
	gid := 1
	for range n {
		if at+1 >= len(b) {
			return
		}
		left := 0
		first := int(b[at])
		at++
		if format == 1 {
			left = int(b[at])
			at++
		}
		for i := 0; i <= left; i++ {
			// first+i may exceed a byte in a damaged table; it wraps, and harms only that font.
			yield(byte(first+i), gid)
			gid++
		}
	}
}

// cffString returns a string by its number (appendix A): first those of all fonts, then the font's own.
func cffString(own [][]byte, sid int) string {
	const standard = 391
	switch {
	case sid >= standard && sid-standard < len(own):
		return string(own[sid-standard])
	case sid < len(cffStandard()):
		return cffStandard()[sid]
	}
	return ""
}

// latinNames are the strings from number 150 to 228. Those behind are of expert fonts.
const latinNames = `onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar
degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright Aacute Acircumflex
Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave
Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis
Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute
icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis
ugrave yacute ydieresis zcaron`

// cffStandard returns the strings that all fonts have: .notdef, the glyphs of StandardEncoding in its order, and
// latinNames.
var cffStandard = sync.OnceValue(func() []string {
	names := []string{".notdef"}
	for code := range 256 {
		if name := standardName(byte(code)); name != "" {
			names = append(names, name)
		}
	}
	return append(names, strings.Fields(latinNames)...)
})
