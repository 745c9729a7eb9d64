package parts

import (
	"bytes"
	"encoding/binary"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// localHeader is the length of an entry's own header, without name and extra field (APPNOTE.TXT, section 4.3.7).
const localHeader = 30

var localSignature = []byte("PK\x03\x04")

// scan collects the entries of a file without a directory from their own headers, going forward. Bytes in the middle
// of a part may look like a header; such an entry has a name that nobody asks for.
func (a *Archive) scan(body []byte) {
	for pos := 0; ; {
		i := bytes.Index(body[pos:], localSignature)
		if i < 0 {
			break
		}
		pos += i
		p, next := local(body[pos:])
		pos += next
		// Not an entry after all: next led after the signature, and the search goes on there.
		if p == nil {
			continue
		}
		if len(a.parts) == maxEntries {
			a.doc.Add(doctext.KindLimit, "the ZIP file has more than 20,000 entries")
			break
		}
		a.add(p)
	}
	// Noted once for the archive: what was after a cut is unknown.
	if len(a.parts) > 0 {
		a.doc.Add(doctext.KindDamaged, "the ZIP file has no directory")
	}
}

// local reads the entry that src begins with, and says where to look for the next one. Where a descriptor after the
// data has the lengths, or the file was cut, the data is all that follows: a deflate stream tells its end itself.
func local(src []byte) (p *part, next int) {
	if len(src) < localHeader {
		return nil, len(localSignature)
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(src[at:])) }
	// Fields of the header: 6 flags, 8 method, 14 CRC, 18 packed size, 22 size, 26 and 28 the lengths
	// of name and extra field.
	flags, start := u16(6), localHeader+u16(26)+u16(28)
	if start > len(src) {
		return nil, len(localSignature)
	}
	p = &part{
		name: string(src[localHeader : localHeader+u16(26)]), method: uint16(u16(8)), encrypted: flags&1 != 0,
		data: src[start:], crc: binary.LittleEndian.Uint32(src[14:]), size: int64(binary.LittleEndian.Uint32(src[22:])),
	}
	packed := int64(binary.LittleEndian.Uint32(src[18:]))
	// Bit 3: lengths are zero here and are in a descriptor after the data (section 4.4.4).
	if known := flags&8 == 0; known && packed <= int64(len(p.data)) {
		p.data, p.exact = p.data[:packed], true
		return p, start + int(packed)
	}
	// The search goes on inside of the data, where the next header will be found wherever this part
	// ends.
	return p, start
}

// stored returns the data of a stored part whose length its header does not tell: to its descriptor, or else the next
// entry.
func stored(data []byte) []byte {
	// The descriptor's signature is optional, but usual.
	for _, mark := range [][]byte{[]byte("PK\x07\x08"), localSignature} {
		if before, _, ok := bytes.Cut(data, mark); ok {
			return before
		}
	}
	return data
}
