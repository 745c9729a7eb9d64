package officetest

import (
	"encoding/binary"
	"math"
	"time"
)

// le is a buffer of little-endian numbers.
type le []byte

func (b *le) u8(n ...int) {
	for _, v := range n {
		*b = append(*b, byte(v))
	}
}

func (b *le) u16(n ...int) {
	for _, v := range n {
		*b = binary.LittleEndian.AppendUint16(*b, uint16(v))
	}
}

func (b *le) u32(n ...int) {
	for _, v := range n {
		*b = binary.LittleEndian.AppendUint32(*b, uint32(v))
	}
}

func (b *le) bytes(s ...byte) { *b = append(*b, s...) }

// summary returns the stream of properties. Its layout is that of [MS-OLEPS]: a head, a table of ids and offsets, and
// values.
func summary() Stream {
	var values, table le
	add := func(id int, v []byte) {
		// Offsets count from the start of the set, whose size and number of properties take 8 bytes, and six entries
		// 8 each.
		table.u32(id, 8+8*6+len(values))
		values.bytes(v...)
	}
	text := func(s string) []byte {
		var b le
		// Type 30 is VT_LPSTR: a length with the zero, and bytes of the code page.
		b.u32(30, len(s)+1)
		b.bytes(append([]byte(s), 0)...)
		return b
	}
	var page, created le
	// Type 2 is VT_I2: code page 1251, for a Cyrillic author.
	page.u32(2, 1251)
	// Type 64 is VT_FILETIME: tenths of a microsecond since 1601, which is 11,644,473,600 seconds before 1970.
	created.u32(64)
	ticks := (time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC).Unix() + 11_644_473_600) * 10_000_000
	created = binary.LittleEndian.AppendUint64(created, uint64(ticks))
	// Ids: 1 code page, 2 title, 4 author, 5 keywords, 12 time of creation, 18 program.
	add(1, page)
	add(2, text("Tide tables"))
	add(4, text("\xC0\xE4\xE0;Ben Pier"))
	add(5, text("tide, moon"))
	add(12, created)
	add(18, text("Quaywriter"))
	var b le
	// Byte order, version; system and class, which readers ignore; one set of properties.
	b.u16(0xFFFE, 0)
	b.bytes(make([]byte, 20)...)
	b.u32(1)
	b.bytes(make([]byte, 16)...)
	// The set begins at byte 48, with its size and the number of properties.
	b.u32(48, 8+len(table)+len(values), 6)
	return Stream{"\x05SummaryInformation", append(append(b, table...), values...)}
}

// DocText is the text of Doc.
const DocText = "High water café\n\na link\nnext\n\nDay\tTime\n1 May\t06:10\n\nПрилив\n\nA footnote\n\nWrenmouth"

// Doc is a text document of Word 97. Its two pieces of text are in code page 1252 and UTF-16.
func Doc() []byte { return doc("1Table", 0x0200) }

// EncryptedDoc is Doc with a password.
func EncryptedDoc() []byte { return doc("1Table", 0x0300) }

// doc's flags are those of the file's head: 0x0200 selects the table stream, 0x0100 means encrypted.
func doc(table string, flags int) []byte {
	// 13, 14 and 15 begin, divide and end a field; 0B is a line break; 07 ends a cell, and twice a row.
	narrow := "High water caf\xE9\r\x13HYPERLINK \"x\"\x14a link\x15\x0Bnext\rDay\x07Time\x07\x071 May\x0706:10\x07\x07"
	// The parts of a document are in one text; the head has their lengths.
	body, note, header := "\rПрилив\r", "A footnote\r", "Wrenmouth\rWrenmouth\r"
	wide := Wide(body + note + header)
	// The Clx, [MS-DOC] 2.9.38: properties (1), then the table of pieces (2).
	var clx, fib le
	clx.u8(1)
	clx.u16(2, 0) // properties
	clx.u8(2)
	// Three character positions and two descriptions of pieces.
	clx.u32(4*3 + 8*2)
	clx.u32(0, len(narrow), len(narrow)+len(wide)/2)
	clx.u16(0)
	// Bit 30 means single-byte characters with a doubled offset.
	clx.u32(1024*2 | 0x40000000)
	clx.u16(0, 0)
	clx.u32(2048)
	clx.u16(0)
	// wIdent, nFib 193 for Word 97, lid English.
	fib.u16(0xA5EC, 193, 0, 0x409, 0, flags)
	fib = append(fib, make([]byte, 2304-len(fib))...)
	put := binary.LittleEndian.PutUint32
	// ccpText, ccpFtn and ccpHdd: characters of the body, the footnotes and the headers.
	put(fib[0x4C:], uint32(len(narrow)+len([]rune(body))))
	put(fib[0x50:], uint32(len(note)))
	put(fib[0x54:], uint32(len(header)))
	// fcClx and lcbClx: offset and length of the Clx in the table stream.
	put(fib[0x1A2:], 4)
	put(fib[0x1A6:], uint32(len(clx)))
	copy(fib[1024:], narrow)
	copy(fib[2048:], wide)
	return CFB(Stream{"WordDocument", fib}, Stream{table, append(make([]byte, 4), clx...)}, summary())
}

// XlsText is the text of Xls.
const XlsText = "Tides\n\nDay\tHöhe\n2021-05-01\t4.10\t\tTRUE\nsum\t#N/A\t7\t0.25\nabПрилив\n\nIn a box\n\nPort\fEmpty"

// Xls is a workbook of Excel 97 with two sheets. A second record continues the table of strings, within a string and
// with characters of another size.
func Xls() []byte { return xls(nil) }

// EncryptedXls is Xls with a password.
func EncryptedXls() []byte { return xls([]byte{1, 0}) }

// xls adds a FilePass record with the body password, unless it is nil.
func xls(password []byte) []byte {
	var b le
	// A record has type, length and body: [MS-XLS] 2.1.4.
	rec := func(kind int, body le) {
		b.u16(kind, len(body))
		b.bytes(body...)
	}
	// BOF: 0x0600 is BIFF8, 5 the workbook, 0x10 a sheet.
	bof := func(kind int) { rec(0x809, le{0, 6, byte(kind), byte(kind >> 8), 0, 0, 0, 0}) }
	bof(5)
	if password != nil {
		// FilePass: the rest would be encrypted.
		rec(0x2F, password)
	}
	// The offsets of the sheets are filled in later.
	var where [2]int
	for i, name := range []string{"Tides", "Empty"} {
		where[i] = len(b) + 4
		s := le{0, 0, 0, 0, 0, 0, byte(len(name)), 0}
		s.bytes([]byte(name)...)
		// BoundSheet8: the offset, and the name in bytes.
		rec(0x85, s)
	}
	format := le{164, 0}
	// Format 164 is the first custom one.
	rec(0x41E, append(format, str16("0.00")...))
	// XF: cells refer to these, which refer to formats: general, 14 for dates, and the custom one.
	for _, id := range []int{0, 14, 164} {
		var xf le
		xf.u16(0, id)
		rec(0xE0, append(xf, make([]byte, 16)...))
	}
	sst, more := sharedStrings()
	// SST and its Continue record.
	rec(0xFC, sst)
	rec(0x3C, more)
	// EOF of the workbook's globals.
	rec(0x0A, nil)
	binary.LittleEndian.PutUint32(b[where[0]:], uint32(len(b)))
	bof(0x10)
	cells(rec)
	// The page header; &C means centred.
	rec(0x14, str16("&CPort"))
	box := make(le, 18)
	box[10] = 8
	// TxO with eight characters, in two Continue records: text and formatting.
	rec(0x1B6, box)
	rec(0x3C, append(le{0}, "In a box"...))
	rec(0x3C, make(le, 16))
	rec(0x0A, nil)
	binary.LittleEndian.PutUint32(b[where[1]:], uint32(len(b)))
	bof(0x10)
	rec(0x0A, nil)
	return CFB(Stream{"Workbook", b}, summary())
}

// str16 returns a string of 8-bit characters with a 16-bit length.
func str16(s string) le {
	var l le
	l.u16(len(s))
	l.u8(0)
	l.bytes([]byte(s)...)
	return l
}

// sharedStrings returns the table of strings and its continuation.
func sharedStrings() (sst, more le) {
	sst.u32(3, 3)
	sst.bytes(str16("Day")...)
	sst.u16(4)
	// Flags: 1 for UTF-16, 8 for formatting runs, here one.
	sst.u8(9) // wide, with formatting
	sst.u16(1)
	sst.bytes(Wide("Höhe")...)
	sst.u32(0)
	// The third string has eight characters, two of them here.
	sst.u16(8)
	sst.u8(0)
	sst.bytes('a', 'b')
	// A continuation repeats the flags: now the characters are wide.
	more.u8(1)
	more.bytes(Wide("Прилив")...)
	return sst, more
}

// cells writes cells of all kinds to the first sheet.
func cells(rec func(kind int, body le)) {
	cell := func(kind, row, column, style int, value ...byte) {
		var c le
		c.u16(row, column, style)
		rec(kind, append(c, value...))
	}
	double := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
	// LabelSst: an index in the table of strings.
	cell(0xFD, 0, 0, 0, 0, 0, 0, 0)
	cell(0xFD, 0, 1, 0, 1, 0, 0, 0)
	// Number: 44317 is 1 May 2021 in days since 1900; its style is a date.
	cell(0x203, 1, 0, 1, double(44317)...)
	// RK: a number in 30 bits; the 3 means an integer divided by 100.
	cell(0x27E, 1, 1, 2, byte(410<<2&0xFF|3), byte(410<<2>>8), 0, 0)
	// BoolErr: the value, and whether it is an error.
	cell(0x205, 1, 3, 0, 1, 0)
	// A formula with a text value in the following String record.
	cell(0x06, 2, 0, 0, append([]byte{0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, make([]byte, 8)...)...)
	rec(0x207, append(le{3, 0, 0}, "sum"...))
	cell(0x205, 2, 1, 0, 42, 1)
	// MulRk: adjacent cells, the second with the upper bits of a double.
	var several le
	several.u16(2, 2, 0)
	several.u32(7<<2 | 2)
	several.u16(0)
	several.u32(int(math.Float64bits(0.25) >> 32))
	several.u16(3)
	rec(0xBD, several)
	// The string that continues in the second record.
	cell(0xFD, 3, 0, 0, 2, 0, 0, 0)
}

// PptText is the text of Ppt.
const PptText = "Tides\n\nLine one\nline two\n\nIn a box\n\nToo loud\n\nSay hello\fLast\n\nHarbour master"

// Ppt is a presentation of PowerPoint 97 that was saved twice: the first edit has an old second slide.
func Ppt() []byte { return ppt(0xE391C05F) }

// PptStream is the main stream of Ppt without the offset of the last edit, so readers rely on the order of slides.
func PptStream() []byte {
	b, _ := pptStream()
	return b
}

// EncryptedPpt is Ppt with a password. The token means an encrypted document: [MS-PPT] 2.3.2.
func EncryptedPpt() []byte { return ppt(0xF3D1C4DF) }

// ppt adds the stream Current User, which has the offset of the last edit.
func ppt(token int) []byte {
	b, lastEdit := pptStream()
	user := pptRecord(0x0FF6, 0, false, numbers(20, token, lastEdit))
	return CFB(Stream{"PowerPoint Document", b}, Stream{"Current User", user}, summary())
}

// pptRecord returns a record or a container of records.
func pptRecord(kind, instance int, container bool, parts ...[]byte) []byte {
	var body, r le
	for _, p := range parts {
		body.bytes(p...)
	}
	// The low four bits are 15 for a container; the others are the instance.
	version := 0
	if container {
		version = 15
	}
	r.u16(instance<<4|version, kind)
	r.u32(len(body))
	return append(r, body...)
}

// numbers returns a body of 32-bit numbers.
func numbers(n ...int) []byte {
	var l le
	l.u32(n...)
	return l
}

func pptStream() (stream []byte, lastEdit int) {
	// Record types: 0x03E8 document, 0x0FF0 list of slides, 0x03F3 slide reference, 0x0FA0 and 0x0FA8 texts, 0x03EE
	// slide, 0x03F8 master, 0x03F0 notes.
	var b le
	rec := pptRecord
	text := func(s string) []byte { return rec(0x0FA0, 0, false, Wide(s)) }
	// place has the offsets of persistent objects by id.
	place := map[int]int{}
	store := func(id int, r []byte) {
		place[id] = len(b)
		b.bytes(r...)
	}
	// A slide reference has the id of its object and of the slide.
	slide := func(id, slideID int) []byte { return rec(0x03F3, 0, false, numbers(id, 0, 0, slideID, 0)) }
	shape := func(data []byte, s string) []byte {
		return rec(0xF004, 0, true, rec(0xF011, 0, true, data), rec(0xF00D, 0, true, text(s)))
	}
	// A shape with this is a placeholder: its content is not text of the slide.
	placeholder := rec(0x0BC3, 0, false, numbers(0, 0))
	// The document: slides with outline texts, masters, notes.
	store(1, rec(0x03E8, 0, true,
		rec(0x0FF0, 0, true, slide(2, 256), text("Tides"), rec(0x0FA8, 0, false, []byte("Line one\x0Bline two")),
			slide(3, 257)),
		rec(0x0FF0, 1, true, slide(4, 0)), rec(0x0FF0, 2, true, slide(5, 0))))
	// A comment is two strings: author and text.
	comment := rec(0x2EE0, 0, true, rec(0x0FBA, 0, false, Wide("Ada")), rec(0x0FBA, 1, false, Wide("Too loud")))
	// Comments are in programs' binary tags, since PowerPoint 97 had none.
	store(2, rec(0x03EE, 0, true, rec(0xF00D, 0, true, text("In a box"), text("*")),
		rec(0x1388, 0, true, rec(0x138A, 0, true, rec(0x138B, 0, false, comment)))))
	// The second edit replaces this slide.
	store(3, rec(0x03EE, 0, true, text("Old")))
	store(4, rec(0x03F8, 0, true, shape(placeholder, "Click to edit"), shape(nil, "Harbour master")))
	store(5, rec(0x03F0, 0, true, rec(0x03F1, 0, false, numbers(256, 0)), text("Say hello")))
	// A directory has the offsets of objects: the first id and the count, then offsets.
	directory := func(first int, ids ...int) int {
		at := len(b)
		list := []int{first | len(ids)<<20}
		for _, id := range ids {
			list = append(list, place[id])
		}
		b.bytes(rec(0x1772, 0, false, numbers(list...))...)
		return at
	}
	// An edit has the offsets of the previous edit and of its directory.
	edit := func(before, directory int) int {
		at := len(b)
		b.bytes(rec(0x0FF5, 0, false, numbers(0, 0, before, directory, 1, 6, 0))...)
		return at
	}
	// The first edit has all objects, the second the third one again.
	first := edit(0, directory(1, 1, 2, 3, 4, 5))
	store(3, rec(0x03EE, 0, true, text("Last")))
	second := edit(first, directory(3, 3))
	return b, second
}
