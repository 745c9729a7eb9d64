package legacy

import (
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// Flags at the beginning of the stream ([MS-DOC], section 2.5.2). Flag isComplex only matters before Word 97, which
// always has a piece table. Flag table1 says which of two streams holds the tables.
const (
	isComplex   = 0x0004
	isEncrypted = 0x0100
	table1      = 0x0200
)

// word97 is the first version in which text may be Unicode: Word 6 and 95 write 101 to 104, Word 97 and later 193.
const word97 = 106

// word reads a text document. It joins the pieces of the text and divides it into the body, footnotes, headers and so
// on, which follow each other. The information block (FIB, section 2.5.1) begins the stream: 0 is its magic number, 2
// the version, 6 the language, 10 the flags. The places of its other fields are fixed for each of the two generations;
// they are offsets here.
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
	// These are UTF-16 units. Word counts the lengths of the parts in them, so parts are cut before decoding.
	var all []uint16
	lengths := 0x4C // offset of the lengths of the parts: body, footnotes, headers, macros, comments, endnotes, boxes
	switch {
	case version >= word97:
		name := "0Table"
		if flags&table1 != 0 {
			name = "1Table"
		}
		// Fields fcClx and lcbClx give the place and length of the piece table in the table stream.
		all = pieces(cut(r.f.Stream(name), u32(b, 0x1A2), u32(b, 0x1A2)+u32(b, 0x1A6)), b, 0)
	// Word 6 and 95, saved quickly ("fast save"): the piece table is in the same stream.
	case flags&isComplex != 0:
		r.composes = page6(b) == codepage.Vietnamese
		lengths, all = 0x34, pieces(cut(b, u32(b, 0x160), u32(b, 0x160)+u32(b, 0x164)), b, page6(b))
	// Word 6 and 95, saved whole: the text is one run from fcMin to fcMac.
	default:
		r.composes = page6(b) == codepage.Vietnamese
		lengths, all = 0x34, narrow(cut(b, u32(b, 0x18), u32(b, 0x1C)), page6(b))
	}
	if len(all) == 0 {
		r.damaged("the table of the text's pieces is missing")
		return
	}
	r.stories(all, b[lengths:])
}

// pieces joins the text. Parameter table is the Clx: properties, then the piece table (section 2.9.38). Parameter page
// is 0 if each piece gives its own width, 8 or 16 bits.
//
// A table of n pieces holds n+1 positions in the text, 4 bytes each, ascending. After them come n descriptors of 8
// bytes; bytes 2 to 5 say where in the stream the piece begins.
func pieces(table, b []byte, page int) []uint16 {
	// Prc entries (type 1) hold formatting. Each takes at least 3 bytes, and cut ends the loop at the table's end.
	for u8(table, 0) == 1 {
		table = cut(table, 3+u16(table, 1), len(table))
	}
	// Type 2 is followed by a length of 32 bits and the table.
	plc := cut(table, 5, 5+u32(table, 1))
	// With fewer than 4 bytes n is 0 or negative, and the loop does not run.
	n := (len(plc) - 4) / 12
	var all []uint16
	for i := range n {
		length := u32(plc, 4*i+4) - u32(plc, 4*i)
		at := u32(plc, 4*(n+1)+8*i+2)
		// A hostile table may name the same megabytes ten thousand times. The text of a sound table fits into the
		// stream.
		if length <= 0 || len(all)+length > 2*len(b) { // pieces do not overlap
			continue
		}
		switch {
		case page != 0:
			all = append(all, narrow(cut(b, at, at+length), page)...)
		// Bit 30 means 8 bits per character, and that the place counts 16-bit units (FcCompressed, section 2.9.73).
		case at&0x40000000 != 0:
			at = at &^ 0x40000000 / 2
			all = append(all, narrow(cut(b, at, at+length), codepage.Western)...)
		default:
			wide := cut(b, at, at+2*length)
			// Units are copied unchanged. Surrogates are joined when a whole run is decoded.
			for k := 0; k+1 < len(wide); k += 2 {
				all = append(all, uint16(u16(wide, k)))
			}
		}
	}
	return all
}

// narrow decodes characters of 8 bits in steps, since each takes 16 bytes during decoding. A character of two bytes at
// the end of a step is lost. That is one in 64 KiB of text of Word 6 in East Asian languages.
func narrow(b []byte, page int) []uint16 {
	step := 64 << 10
	if page == codepage.Vietnamese {
		step = 1 // tones are not joined to their letters yet: lengths count both
	}
	out := make([]uint16, 0, len(b))
	for len(b) > 0 {
		n := min(step, len(b))
		out = append(out, utf16.Encode([]rune(codepage.Decode(page, b[:n])))...)
		b = b[n:]
	}
	return out
}

// stories adds the parts of the text. Headers and footers of all sections follow each other; repeated ones are added
// once.
//
// The eight lengths are those of body, footnotes, headers, macros, comments, endnotes, text boxes and text boxes of
// headers, in this order (FibRgLw97, section 2.5.4).
func (r *reader) stories(all []uint16, lengths []byte) {
	for i := range 8 {
		// Lengths come from the file: negative or too large ones are clamped.
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
	// A sound document may have a few units left, since its last paragraph mark is in no part.
	if len(all) > 64 { // the lengths are wrong
		r.doc.Add(doctext.KindDamaged, "the text is longer than it says")
		r.story(all)
	}
}

// once adds a part without the paragraphs that it has already added. It compares paragraph by paragraph, since the
// first page of a section often has one line more.
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

// Characters with special meanings ([MS-DOC], sections 2.4.1 and 2.8.35).
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

// story adds one part. A field has a code, which is left out, and a result. Text is taken in runs between control
// characters. All characters below a space have a meaning, except tabs.
func (r *reader) story(part []uint16) {
	// inCode counts the open fields that are still in their code. A field inside the code of another stays hidden
	// although it has a result.
	var fields []bool // for each open field, whether its result has begun
	inCode := 0
	start := 0
	// One step after the end writes the last run too.
	for i := 0; i <= len(part) && !r.out.Full(); i++ {
		if i < len(part) && (part[i] >= ' ' || part[i] == '\t') {
			continue
		}
		if inCode == 0 && i > start {
			text := string(utf16.Decode(part[start:i]))
			if r.composes {
				text = norm.NFC.String(text)
			}
			r.out.Add(text)
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
			// Ends without a beginning are ignored, so that inCode never falls below zero.
			if n := len(fields) - 1; n >= 0 {
				if !fields[n] {
					inCode--
				}
				fields = fields[:n]
			}
		default:
			if inCode == 0 {
				// A mark directly after the mark of a cell ends the row.
				r.mark(part[i], i > 0 && part[i-1] == cellMark)
			}
		}
	}
	r.out.Paragraph()
}

// mark writes the divider that a control character means. Two cell marks in a row end the table row.
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
