package font

import (
	"strings"
	"sync"
)

// cffEncoding returns the glyph names of codes by the encoding in a CFF program (Adobe Technical Note 5176). From a
// damaged or CID-keyed program it returns the names that it finds. It does not know expert encodings and charsets. A
// program is a header, four INDEX structures (names, Top DICTs, strings, subroutines) and tables at the offsets in the
// Top DICT. Only the first font counts: PDF allows no more.
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
	// Only the number of glyphs is needed.
	chars, _ := cffIndex(b, top[opCharStrings])
	sids := cffCharset(b, top[opCharset], len(chars))
	// A glyph's name is given by a string number (SID); glyphs after the charset have no name.
	name := func(gid int) string {
		if gid >= len(sids) {
			return ""
		}
		return cffString(strs, sids[gid])
	}
	names := map[byte]string{}
	// 0 and 1 are the predefined encodings Standard and Expert; others are offsets.
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

// cffString returns a string by its number (appendix A): first the standard strings, then the font's own.
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

// latinNames are the strings 150 to 228. Later ones are for expert fonts.
const latinNames = `onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar
degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright Aacute Acircumflex
Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave
Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis
Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute
icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis
ugrave yacute ydieresis zcaron`

// cffStandard returns the standard strings: .notdef, the glyphs of StandardEncoding in order, and latinNames.
var cffStandard = sync.OnceValue(func() []string {
	names := []string{".notdef"}
	for code := range 256 {
		if name := standardName(byte(code)); name != "" {
			names = append(names, name)
		}
	}
	return append(names, strings.Fields(latinNames)...)
})
