package legacy

import (
	"unicode/utf16"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// Flags in the beginning of the stream ([MS-DOC], section 2.5.2).
const (
	isComplex   = 0x0004
	isEncrypted = 0x0100
	table1      = 0x0200
)

// word97 is the version from which on text may be Unicode.
const word97 = 106

// pages6 are the code pages of Word 6 and 95, by the language of the document.
var pages6 = map[int]int{
	0x404: 950, 0x804: 936, 0x411: 932, 0x412: 949, 0x419: 1251, 0x422: 1251, 0x402: 1251, 0x405: 1250, 0x40E: 1250,
	0x415: 1250, 0x418: 1250, 0x41A: 1250, 0x41B: 1250, 0x424: 1250, 0x408: 1253, 0x41F: 1254, 0x40D: 1255, 0x401: 1256,
}

// word reads a text document: the pieces that its text is stored in are put together, and then divided into the body,
// footnotes, headers and so on, which follow each other.
func (r *reader) word(b []byte) {
	flags := u16(b, 10)
	version := u16(b, 2)
	if len(b) < 512 || u16(b, 0) != 0xA5EC && u16(b, 0) != 0xA5DC {
		r.damaged("the stream with the text is none")
		return
	}
	if flags&isEncrypted != 0 {
		r.encrypted()
		return
	}
	var all []uint16
	lengths := 0x4C // where the lengths of the parts stand: body, footnotes, headers, macros, comments, endnotes, boxes
	switch {
	case version >= word97:
		name := "0Table"
		if flags&table1 != 0 {
			name = "1Table"
		}
		all = pieces(cut(r.f.Stream(name), u32(b, 0x1A2), u32(b, 0x1A2)+u32(b, 0x1A6)), b, 0)
	case flags&isComplex != 0:
		lengths, all = 0x34, pieces(cut(b, u32(b, 0x160), u32(b, 0x160)+u32(b, 0x164)), b, page6(b))
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

// pieces puts the text together. table is the Clx: properties, and then the piece table (section 2.9.38). page is 0
// when each piece says itself whether it is of 8 or 16 bits.
func pieces(table, b []byte, page int) []uint16 {
	for u8(table, 0) == 1 {
		table = cut(table, 3+u16(table, 1), len(table))
	}
	plc := cut(table, 5, 5+u32(table, 1))
	n := (len(plc) - 4) / 12
	var all []uint16
	for i := range n {
		length := u32(plc, 4*i+4) - u32(plc, 4*i)
		at := u32(plc, 4*(n+1)+8*i+2)
		if length <= 0 || len(all)+length > 2*len(b) { // pieces do not overlap
			continue
		}
		switch {
		case page != 0:
			all = append(all, narrow(cut(b, at, at+length), page)...)
		case at&0x40000000 != 0:
			at = at &^ 0x40000000 / 2
			all = append(all, narrow(cut(b, at, at+length), codepage.Western)...)
		default:
			wide := cut(b, at, at+2*length)
			for k := 0; k+1 < len(wide); k += 2 {
				all = append(all, uint16(u16(wide, k)))
			}
		}
	}
	return all
}

// narrow decodes characters of 8 bits, some at a time, since each takes 16 bytes on the way.
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

// stories adds the parts of the text. Headers and footers follow each other for each section: what was there is not
// said again.
func (r *reader) stories(all []uint16, lengths []byte) {
	for i := range 8 {
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
	if len(all) > 64 { // the lengths are wrong
		r.doc.Add(doctext.KindDamaged, "the text is longer than it says")
		r.story(all)
	}
}

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

// story adds one part. A field has a code, which is left out, and a result.
func (r *reader) story(part []uint16) {
	var fields []bool // of the open fields: is this its result?
	inCode := 0
	start := 0
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
			if n := len(fields) - 1; n >= 0 && !fields[n] {
				fields[n] = true
				inCode--
			}
		case fieldEnd:
			if n := len(fields) - 1; n >= 0 {
				if !fields[n] {
					inCode--
				}
				fields = fields[:n]
			}
		default:
			if inCode == 0 {
				r.mark(part[i], i > 0 && part[i-1] == cellMark)
			}
		}
	}
	r.out.Paragraph()
}

// mark does what divides text. Two marks of cells, one behind the other, end a row.
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
