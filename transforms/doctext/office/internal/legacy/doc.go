package legacy

import (
	"unicode/utf16"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// Flags in the beginning of the stream ([MS-DOC], section 2.5.2). isComplex only matters before Word
// 97, which always has a piece table; table1 says which of two streams holds the tables.
const (
	isComplex   = 0x0004
	isEncrypted = 0x0100
	table1      = 0x0200
)

// word97 is the version from which on text may be Unicode: Word 6 and 95 write 101 to 104, Word 97
// and later 193.
const word97 = 106

// pages6 are the code pages of Word 6 and 95, by the language of the document (LCID, [MS-LCID]):
// Chinese, Japanese, Korean, the Cyrillic and Central European languages, Greek, Turkish, Hebrew,
// Arabic. Their text has no other sign of its encoding.
var pages6 = map[int]int{
	0x404: 950, 0x804: 936, 0x411: 932, 0x412: 949, 0x419: 1251, 0x422: 1251, 0x402: 1251, 0x405: 1250, 0x40E: 1250,
	0x415: 1250, 0x418: 1250, 0x41A: 1250, 0x41B: 1250, 0x424: 1250, 0x408: 1253, 0x41F: 1254, 0x40D: 1255, 0x401: 1256,
}

// word reads a text document: the pieces that its text is stored in are put together, and then divided into the body,
// footnotes, headers and so on, which follow each other. The information block (FIB, section 2.5.1) begins the
// stream: 0 its magic number, 2 the version, 6 the language, 10 the flags. The places of its other fields are fixed
// for each of the two generations, and given here as offsets.
func (r *reader) word(b []byte) {
	flags := u16(b, 10)
	version := u16(b, 2)
	// 0xA5EC is Word 97 and later, 0xA5DC Word 6 and 95.
	if len(b) < 512 || u16(b, 0) != 0xA5EC && u16(b, 0) != 0xA5DC {
		r.damaged("the stream with the text is none")
		return
	}
	if flags&isEncrypted != 0 {
		r.encrypted()
		return
	}
	// UTF-16 units as Word counts them: the lengths of the parts are in that unit, and hold only
	// before decoding.
	var all []uint16
	lengths := 0x4C // where the lengths of the parts stand: body, footnotes, headers, macros, comments, endnotes, boxes
	switch {
	case version >= word97:
		name := "0Table"
		if flags&table1 != 0 {
			name = "1Table"
		}
		// fcClx and lcbClx: place and length of the piece table in the table stream.
		all = pieces(cut(r.f.Stream(name), u32(b, 0x1A2), u32(b, 0x1A2)+u32(b, 0x1A6)), b, 0)
	// Word 6 and 95, saved quickly ("fast save"): there is a piece table, in the same stream.
	case flags&isComplex != 0:
		lengths, all = 0x34, pieces(cut(b, u32(b, 0x160), u32(b, 0x160)+u32(b, 0x164)), b, page6(b))
	// Word 6 and 95 as saved whole: the text is one run from fcMin to fcMac.
	default:
		lengths, all = 0x34, narrow(cut(b, u32(b, 0x18), u32(b, 0x1C)), page6(b))
	}
	if len(all) == 0 {
		r.damaged("the table of the text's pieces is missing")
		return
	}
	r.stories(all, b[lengths:])
}

func page6(b []byte) int {
	if page, ok := pages6[u16(b, 6)]; ok {
		return page
	}
	return codepage.Western
}

// pieces puts the text together. table is the Clx: properties, and then the piece table (section
// 2.9.38). page is 0 when each piece says itself whether it is of 8 or 16 bits.
//
// A piece table of n pieces holds n+1 positions in the text (4 bytes each, ascending) and after them
// n descriptors of 8 bytes, of which bytes 2 to 5 say where in the stream the piece begins.
func pieces(table, b []byte, page int) []uint16 {
	// Prc entries (type 1) carry formatting; each advances by at least 3 bytes, and cut ends the loop
	// at the table's end.
	for u8(table, 0) == 1 {
		table = cut(table, 3+u16(table, 1), len(table))
	}
	// Type 2, a length of 32 bits, then the table.
	plc := cut(table, 5, 5+u32(table, 1))
	// With fewer than 4 bytes n is 0 or negative, and the loop does not run.
	n := (len(plc) - 4) / 12
	var all []uint16
	for i := range n {
		length := u32(plc, 4*i+4) - u32(plc, 4*i)
		at := u32(plc, 4*(n+1)+8*i+2)
		// A hostile table may name the same megabytes ten thousand times: the text of a sound one
		// fits into the stream.
		if length <= 0 || len(all)+length > 2*len(b) { // pieces do not overlap
			continue
		}
		switch {
		case page != 0:
			all = append(all, narrow(cut(b, at, at+length), page)...)
		// Bit 30: 8 bits per character, and the place counts 16-bit units (FcCompressed, section
		// 2.9.73).
		case at&0x40000000 != 0:
			at = at &^ 0x40000000 / 2
			all = append(all, narrow(cut(b, at, at+length), codepage.Western)...)
		default:
			wide := cut(b, at, at+2*length)
			// The units are copied as they are: surrogates are put together when a whole run is
			// decoded.
			for k := 0; k+1 < len(wide); k += 2 {
				all = append(all, uint16(u16(wide, k)))
			}
		}
	}
	return all
}

// narrow decodes characters of 8 bits, some at a time, since each takes 16 bytes on the way. A
// character of two bytes that lies across such a step is lost: one in 64 KiB of text of Word 6 in
// East Asian languages.
func narrow(b []byte, page int) []uint16 {
	const step = 64 << 10
	out := make([]uint16, 0, len(b))
	for len(b) > 0 {
		n := min(step, len(b))
		out = append(out, utf16.Encode([]rune(codepage.Decode(page, b[:n])))...)
		b = b[n:]
	}
	return out
}

// stories adds the parts of the text. Headers and footers follow each other for each section: what
// was there is not said again.
//
// The eight lengths are, in the order in which the parts stand: body, footnotes, headers, macros,
// comments, endnotes, text boxes, text boxes of headers (FibRgLw97, section 2.5.4).
func (r *reader) stories(all []uint16, lengths []byte) {
	for i := range 8 {
		// Lengths are the file's claim: negative or too large ones take what there is.
		n := min(max(u32(lengths, 4*i), 0), len(all))
		part := all[:n]
		all = all[n:]
		switch i {
		case 3: // macros
		case 2:
			r.once(part)
		default:
			r.story(part)
		}
	}
	// A few units may be left in a sound document: the last paragraph mark is in no part.
	if len(all) > 64 { // the lengths are wrong
		r.doc.Add(doctext.KindDamaged, "the text is longer than it says")
		r.story(all)
	}
}

// once adds a part without the paragraphs that it has said before. Compared paragraph by paragraph, since the first
// page of a section often has one line of its own more.
func (r *reader) once(part []uint16) {
	said := map[string]bool{}
	for start := 0; start < len(part); {
		end := start
		for end < len(part) && part[end] != '\r' {
			end++
		}
		end = min(end+1, len(part))
		if line := string(utf16.Decode(part[start:end])); !said[line] {
			said[line] = true
			r.story(part[start:end])
		}
		start = end
	}
}

// Characters that mean something else ([MS-DOC], section 2.4.1 and the special characters of 2.8.35).
const (
	cellMark       = 0x07
	lineBreak      = 0x0B
	pageBreak      = 0x0C
	columnBreak    = 0x0E
	fieldBegin     = 0x13
	fieldSeparator = 0x14
	fieldEnd       = 0x15
	fixedHyphen    = 0x1E
)

// story adds one part. A field has a code, which is left out, and a result. Text is taken in runs
// between control characters: everything below a space, except for tabs, means something.
func (r *reader) story(part []uint16) {
	// inCode counts the open fields that still are in their code: a field within the code of another
	// stays hidden although it has a result of its own.
	var fields []bool // of the open fields: is this its result?
	inCode := 0
	start := 0
	// One step after the end, so that the last run is written by the same lines.
	for i := 0; i <= len(part) && !r.out.Full(); i++ {
		if i < len(part) && (part[i] >= ' ' || part[i] == '\t') {
			continue
		}
		if inCode == 0 && i > start {
			r.out.Add(string(utf16.Decode(part[start:i])))
		}
		if start = i + 1; i == len(part) {
			break
		}
		switch part[i] {
		case fieldBegin:
			fields = append(fields, false)
			inCode++
		case fieldSeparator:
			// A second separator of a field has no meaning, and must not count twice.
			if n := len(fields) - 1; n >= 0 && !fields[n] {
				fields[n] = true
				inCode--
			}
		case fieldEnd:
			// Ends without a beginning are ignored, so that inCode never falls below zero and hides
			// nothing for good.
			if n := len(fields) - 1; n >= 0 {
				if !fields[n] {
					inCode--
				}
				fields = fields[:n]
			}
		default:
			if inCode == 0 {
				// A mark right after the mark of a cell ends the row.
				r.mark(part[i], i > 0 && part[i-1] == cellMark)
			}
		}
	}
	r.out.Paragraph()
}

// mark does what divides text. Two marks of cells, one after the other, end a row.
func (r *reader) mark(c uint16, behindCell bool) {
	switch c {
	case '\r', pageBreak, columnBreak:
		r.out.Paragraph()
	case lineBreak:
		r.out.Line()
	case cellMark:
		if behindCell {
			r.out.EndRow()
		} else {
			r.out.EndCell()
		}
	case fixedHyphen:
		r.out.Add("\u2011")
	}
}
