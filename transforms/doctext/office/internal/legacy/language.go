package legacy

import "github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"

// primary masks the language of an LCID without its country.
const primary = 0x3FF

// pages6 maps the language of a document ([MS-LCID], without the country) to the code page of Word 6 and 95. Their text
// has no other sign of its encoding.
var pages6 = map[int]int{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949, 0x15: 1250,
	0x18: 1250, 0x19: 1251, 0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256, 0x22: 1251, 0x23: 1251,
	0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x28: 1251, 0x29: 1256, 0x2A: codepage.Vietnamese, 0x2C: 1254,
	0x2F: 1251, 0x3F: 1251, 0x40: 1251, 0x43: 1254, 0x44: 1251, 0x50: 1251, 0x59: 1256, 0x63: 1256,
}

// scripts6 has the languages whose script depends on the country: Chinese of Taiwan, Hong Kong and Macau; Serbian,
// Bosnian, Azerbaijani and Uzbek in Cyrillic.
var scripts6 = map[int]int{
	0x404: 950, 0xC04: 950, 0x1404: 950, 0xC1A: 1251, 0x1C1A: 1251, 0x201A: 1251, 0x281A: 1251, 0x301A: 1251, 0x82C: 1251,
	0x843: 1251,
}

// page6 returns the code page of a document of Word 6 or 95.
func page6(b []byte) int {
	language := u16(b, 6)
	if page, ok := scripts6[language]; ok {
		return page
	}
	if page, ok := pages6[language&primary]; ok {
		return page
	}
	return codepage.Western
}
