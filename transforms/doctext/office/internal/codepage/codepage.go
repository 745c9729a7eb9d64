// Package codepage decodes text in the code pages of Windows, DOS and the Macintosh. Office formats name code pages by
// number.
package codepage

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// Western is the Windows code page of Western Europe, used for unknown pages.
const Western = 1252

// Vietnamese is the Windows code page of Vietnamese, whose letters may take two bytes: the letter and its tone.
const Vietnamese = 1258

// pages maps the numbers that Windows uses to encodings (CodePage records of BIFF, \ansicpg of RTF, property 1 of OLE
// property sets). Numbers from 10000 on are code pages of the Macintosh; BIFF names Mac Roman 32768. Number 28591 is
// ISO 8859-1, read as its superset Windows-1252 as in browsers (WHATWG Encoding, section 4.2).
var pages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874, 932: japanese.ShiftJIS,
	936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5, 1200: utf16, 1250: charmap.Windows1250,
	1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	1361: korean.EUCKR, 10000: charmap.Macintosh, 10001: japanese.ShiftJIS, 10007: charmap.MacintoshCyrillic,
	20866: charmap.KOI8R, 28591: charmap.Windows1252, 32768: charmap.Macintosh, 65001: unicode.UTF8,
}

// utf16 decodes UTF-16 little-endian, without a byte order mark. These strings are inside files with a fixed byte
// order.
var utf16 = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)

// Decode returns b as UTF-8, decoded from the code page with that number. Unknown pages are read as Western.
func Decode(page int, b []byte) string {
	// All pages but UTF-16 agree with ASCII. Most strings are ASCII, and then no decoder is made.
	if ascii(b) && page != 1200 {
		return string(b)
	}
	e, ok := pages[page]
	if !ok {
		e = pages[Western]
	}
	text, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return "" // not reached: decoders replace undecodable bytes by U+FFFD
	}
	if page == Vietnamese { // its tones are characters of their own
		text = norm.NFC.Bytes(text)
	}
	return string(text)
}

// UTF16 returns little-endian UTF-16 as UTF-8.
func UTF16(b []byte) string { return Decode(1200, b) }

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
