package mimetype

import (
	"bytes"
	"encoding/binary"
	"strings"

	base "github.com/gabriel-vasile/mimetype"
)

// bytesType returns the type of a body by its signature. Parameter head is the part for the module. Our tables come
// first, since they are more exact.
func bytesType(body, head []byte) string {
	t := extraSignature(body)
	if t == "" {
		t = Canonical(Base(base.Detect(head[:min(len(head), signatureBytes)]).String()))
		// "MZ" is enough for the module. PDF may begin later, and DXF is text that begins with a digit.
		if !IsText(t) && t != typePDF && t != "image/vnd.dxf" && beginsProse(head) {
			return typeBinary
		}
	}
	// A text about PDF may contain "%PDF-", too; binary rules and texts come later.
	if t == typePDF && !isPDF(body) { // a text about it
		return typeBinary
	}
	return t
}

// beginsProse reports whether a body that begins with a word is text from its first bytes on. Formats that are known by
// printable bytes have control characters in the fields after these.
func beginsProse(body []byte) bool {
	const fields = 16
	for i, c := range body[:min(len(body), fields)] {
		if isLetter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'; i == 0 && !isLetter || isControl(c) {
			return false
		}
	}
	return mostlyText(body)
}

// signatureBytes is the part of a body that the module reads, its default.
const signatureBytes = 3 << 10

// extraSignature returns the type of a body that the tables or one of the rules below recognise, or "". Tables come
// before rules: a mark at the beginning costs one comparison.
func extraSignature(body []byte) string {
	if t := signatures().typeOf(body); t != "" {
		return t
	}
	// They are ordered by certainty: netpbmType and httpMessage depend on a few printable bytes.
	for _, rule := range [...]func([]byte) string{
		machOType, asfType, id3Type, pictureType, isoMediaType, transportStream, ac3Type, derType, cpioType, netpbmType,
		plistType, httpMessage,
	} {
		if t := rule(body); t != "" {
			return t
		}
	}
	return ""
}

// isPDF reports whether body is a PDF. Its header may be within the first 1,024 bytes (implementation note 13 in
// appendix H of the PDF Reference, version 1.7). There must not be markup before it.
func isPDF(body []byte) bool {
	// Bytes before the header come from mail, servers' warnings, and PostScript wrappers.
	const within = 1024
	at := bytes.Index(body[:min(len(body), within)], []byte("%PDF-"))
	switch {
	case at <= 0:
		return at == 0
	// "<" before it means that HTML mentions it.
	case bytes.IndexByte(body[:at], '<') >= 0:
		return false
	}
	return !mentionsPDF(body[:at]) || bytes.Contains(body[at:min(len(body), at+within)], []byte(" obj"))
}

// mentionsPDF reports whether the bytes before a PDF header look like a sentence. A header begins a line, or follows
// non-text bytes. This checks only the last byte before the header. It does not matter if an object follows soon.
func mentionsPDF(before []byte) bool {
	last := before[len(before)-1]
	return last >= ' ' && last < 0x7F
}

// id3Type returns the type of sound after an ID3v2 tag (section 3.1 of id3v2.4.0-structure): mostly MP3, but also ADTS
// and FLAC. If the tag reaches over the end, for example with a picture, the module decides.
func id3Type(body []byte) string {
	const head = 10
	if len(body) < head || string(body[:3]) != "ID3" {
		return ""
	}
	// Each byte has seven bits, so that no byte looks like the sync of a frame.
	size := int(body[6]&0x7F)<<21 | int(body[7]&0x7F)<<14 | int(body[8]&0x7F)<<7 | int(body[9]&0x7F)
	if body[5]&0x10 != 0 {
		size += head // a footer, as long as the head
	}
	if size > len(body)-head {
		return ""
	}
	sound := body[head+size:]
	// Some programs add padding after the tag.
	sound = bytes.TrimLeft(sound, "\x00")
	switch {
	// This is the sync of ADTS, and layer 0 (section 1.A.2.2 of ISO/IEC 14496-3); MPEG audio has another layer.
	case len(sound) >= 2 && sound[0] == 0xFF && sound[1]&0xF6 == 0xF0:
		return "audio/aac"
	case bytes.HasPrefix(sound, []byte("fLaC")):
		return "audio/flac"
	}
	return ""
}

// machOType returns Tika's names for macOS programs, since there are no registered ones. The kind of file is a number
// after that of the processor; only executables have a type of their own. The header is the magic, the processor, its
// kind, and at 12 the kind of file (mach-o/loader.h).
func machOType(body []byte) string {
	if len(body) < 16 {
		return ""
	}
	var kind uint32
	// The magic number gives the byte order, and 32 or 64 bits.
	switch string(body[:4]) {
	case "\xFE\xED\xFA\xCE", "\xFE\xED\xFA\xCF":
		kind = binary.BigEndian.Uint32(body[12:])
	case "\xCE\xFA\xED\xFE", "\xCF\xFA\xED\xFE":
		kind = binary.LittleEndian.Uint32(body[12:])
	case "\xCA\xFE\xBA\xBE":
		// Java classes begin in the same way. Their version, 45 or higher, is where fat binaries have the number of
		// architectures, which is small.
		const firstJavaVersion = 45
		if n := binary.BigEndian.Uint32(body[4:]); n > 0 && n < firstJavaVersion-1 {
			return "application/x-mach-o-universal"
		}
		return ""
	default:
		return ""
	}
	const executable = 2
	if kind == executable {
		return "application/x-mach-o-executable"
	}
	return "application/x-mach-o"
}

// asfType distinguishes video from sound in Microsoft's container by the types of its streams. They are in its first
// object (section 10.4 of the Advanced Systems Format Specification, revision 01.20.06).
func asfType(body []byte) string {
	// The header object holds one description of each stream and is rarely longer.
	const within = 64 << 10
	// This is the GUID of the header object in Microsoft's form: the first three parts in little-endian.
	if !bytes.HasPrefix(body, []byte("\x30\x26\xB2\x75\x8E\x66\xCF\x11")) {
		return ""
	}
	head := body[:min(len(body), within)]
	// These are the GUIDs of video and of audio media. Video with sound is video.
	switch {
	case bytes.Contains(head, []byte("\xC0\xEF\x19\xBC\x4D\x5B\xCF\x11\xA8\xFD\x00\x80\x5F\x5C\x44\x2B")):
		return "video/x-ms-wmv"
	case bytes.Contains(head, []byte("\x40\x9E\x69\xF8\x4D\x5B\xCF\x11\xA8\xFD\x00\x80\x5F\x5C\x44\x2B")):
		return "audio/x-ms-wma"
	}
	return "video/x-ms-asf"
}

// isoBrands are brands of ISO base media files (section 4.3 of ISO/IEC 14496-12) that the module does not know. A
// brand names the writer of the file or its possible readers. If several types share a container, only the brand
// distinguishes them.
var isoBrands = map[string]string{
	"avif": "image/avif", "avis": "image/avif", "heic": "image/heic", "heix": "image/heic", "crx ": "image/x-canon-cr3",
	"M4A ": "audio/mp4", "M4B ": "audio/mp4", "M4P ": "audio/mp4", "F4A ": "audio/mp4", "F4B ": "audio/mp4",
	"aax ": "audio/vnd.audible.aax", "F4V ": "video/x-f4v",
}

// isoMediaType returns the type of an ISO base media file by its brand. Pictures may have their brand only among the
// compatible brands.
func isoMediaType(body []byte) string {
	// A box begins with its length (4 bytes) and its name; "ftyp" holds the brand, a version, and compatible brands.
	// For other brands than those of these tables, the module's own rules follow.
	if len(body) < 16 || string(body[4:8]) != "ftyp" {
		return ""
	}
	brand := string(body[8:12])
	// mif1 is a picture of unknown coding (ISO/IEC 23008-12), which the compatible brands show.
	if brand != "mif1" {
		return isoBrands[brand]
	}
	const most = 256
	// The length of the box may be anything; 256 bytes hold 60 brands.
	end := min(uint32(len(body)), binary.BigEndian.Uint32(body), most)
	// The major brand and its version take 16 bytes with the head; each other brand takes four bytes.
	for at := uint32(16); at+4 <= end; at += 4 {
		if t := isoBrands[string(body[at:at+4])]; strings.HasPrefix(t, "image/") {
			return t
		}
	}
	return ""
}

// transportStream recognises MPEG transport streams by three packets (section 2.4.3 of ISO/IEC 13818-1). Packets have
// 188 bytes and begin with 0x47; Blu-ray puts four bytes of time before each.
func transportStream(body []byte) string {
	const sync = 0x47
	for _, p := range [...]struct{ first, bytes int }{{0, 188}, {4, 192}} {
		// Three packets are required: every text has one such byte ("G"). Some have three.
		if len(body) > p.first+2*p.bytes && body[p.first] == sync && body[p.first+p.bytes] == sync &&
			body[p.first+2*p.bytes] == sync && !beginsProse(body) {
			return "video/mp2t"
		}
	}
	return ""
}

// pictureType distinguishes pictures of Truevision from cursors of Windows, which begin with the same four bytes. The
// type of a cursor, 2, is where an uncompressed TGA has its own.
func pictureType(body []byte) string {
	if bytes.HasPrefix(body, []byte("\x00\x00\x02\x00")) && isTGA(body) {
		return "image/x-tga"
	}
	return ""
}

// ac3Type distinguishes AC-3 from its successor by the version of the bit stream (annex E of ETSI TS 102 366). Both
// begin with the same synchronisation word; the version (bsid) is in the upper five bits of the sixth byte.
func ac3Type(body []byte) string {
	const last, lastEnhanced = 8, 16
	// 0x0B77 alone occurs by chance once in 65,536.
	if len(body) < 6 || body[0] != 0x0B || body[1] != 0x77 {
		return ""
	}
	// 8 is AC-3, 9 and 10 are unused shortened forms, 16 is E-AC-3.
	switch version := body[5] >> 3; {
	case version <= last:
		return "audio/ac3"
	case version > 10 && version <= lastEnhanced:
		return "audio/eac3"
	}
	return ""
}

// cpioType recognises archives of cpio in ASCII: "new", "new" with checksums, and the portable form of POSIX. The
// numbers of the first header follow, in hexadecimal or octal digits.
func cpioType(body []byte) string {
	const header = 76 // of the shortest form
	if len(body) < header || string(body[:5]) != "07070" || len(bytes.Trim(body[:header], "0123456789abcdefABCDEF")) > 0 {
		return ""
	}
	return "application/x-cpio"
}

// netpbmType recognises the plain and raw forms of Netpbm by the numbers after "P" and its digit. These are width,
// height, and the largest value unless a picture is black and white. "P3 2024" also begins prose, so all are needed.
func netpbmType(body []byte) string {
	// The minimum is the letter, the number, a blank, and the next character.
	if len(body) < 4 || body[0] != 'P' || strings.IndexByte(" \t\r\n", body[2]) < 0 {
		return ""
	}
	rest := body[2:]
	switch body[1] {
	case '1', '4':
		if isPixels(rest, 2, body[1] == '1') {
			return "image/x-portable-bitmap"
		}
	case '2', '5':
		if isPixels(rest, 3, body[1] == '2') {
			return "image/x-portable-graymap"
		}
	case '3', '6':
		if isPixels(rest, 3, body[1] == '3') {
			return "image/x-portable-pixmap"
		}
	// Format 7 has keywords, or is a thumbnail of xv.
	case '7':
		if bytes.HasPrefix(body[3:], []byte("WIDTH")) || bytes.HasPrefix(body[3:], []byte("332")) || body[3] == '#' {
			return "image/x-portable-arbitrarymap"
		}
	}
	return ""
}

// isPixels reports whether b begins with n numbers, and the plain form has nothing else. Blanks and comments divide
// the numbers. A picture that was cut before them has at least the comment of the writing program.
func isPixels(b []byte, n int, plain bool) bool {
	const within = 1024
	b = b[:min(len(b), within)]
	for commented := false; ; n-- {
		b = bytes.TrimLeft(b, " \t\r\n")
		for len(b) > 0 && b[0] == '#' {
			b = bytes.TrimLeft(b[past(b, "\n"):], " \t\r\n")
			commented = true
		}
		rest := bytes.TrimLeft(b, "0123456789")
		switch {
		case n == 0 && !plain:
			return true
		case len(b) == 0:
			return n <= 0 || commented
		case len(rest) == len(b), len(rest) > 0 && bytes.IndexByte([]byte(" \t\r\n#"), rest[0]) < 0:
			return false
		}
		b = rest
	}
}

// plistType distinguishes Safari's web archives and music libraries from other property lists by their keys. Property
// lists hold keys as plain ASCII, so searching the bytes is enough.
func plistType(body []byte) string {
	const within = 64 << 10
	// The version has two digits. The first object follows, and no object begins with a blank.
	if !bytes.HasPrefix(body, []byte("bplist")) || len(body) < 9 || body[6] < '0' || body[6] > '9' || body[8] == ' ' {
		return ""
	}
	head := body[:min(len(body), within)]
	switch {
	case bytes.Contains(head, []byte("WebMainResource")):
		return "application/x-webarchive"
	case bytes.Contains(head, []byte("Library Persistent ID")):
		return "application/x-bplist-itunes"
	}
	return "application/x-bplist"
}

// httpMessage recognises an HTTP response archived with its head, or without the record's framing, as a body. Status
// codes begin with 1 to 5.
func httpMessage(body []byte) string {
	if bytes.HasPrefix(body, []byte("HTTP/1.")) && len(body) > 12 && body[8] == ' ' && '1' <= body[9] && body[9] <= '5' {
		return "application/http"
	}
	return ""
}
