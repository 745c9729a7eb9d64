package parts

import (
	"bytes"
	"encoding/binary"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// localHeader is the length of an entry's own header, without name and extra field (APPNOTE.TXT, section 4.3.7).
const localHeader = 30

var localSignature = []byte("PK\x03\x04")

// scan collects the entries of a file without a directory from their own headers. Bytes inside a part may look like a
// header; such an entry has a name that nobody requests.
func (a *Archive) scan(body []byte) {
	for pos := 0; ; {
		i := bytes.Index(body[pos:], localSignature)
		if i < 0 {
			break
		}
		pos += i
		p, next := local(body[pos:])
		pos += next
		// This was not an entry: next is after the signature, and the search continues there.
		if p == nil {
			continue
		}
		if len(a.parts) == maxEntries {
			a.doc.Add(doctext.KindLimit, "the ZIP file has more than 20,000 entries")
			break
		}
		a.add(p)
	}
	// This is noted once for the archive, since the truncated part is unknown.
	if len(a.parts) > 0 {
		a.doc.Add(doctext.KindDamaged, "the ZIP file has no directory")
	}
}

// local reads the entry at the beginning of src, and returns where to look for the next one. If the lengths are in a
// descriptor after the data, or the file is truncated, data is the whole rest. A deflate stream marks its own end.
func local(src []byte) (p *part, next int) {
	if len(src) < localHeader {
		return nil, len(localSignature)
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(src[at:])) }
	// Fields of the header: 6 flags, 8 method, 14 CRC, 18 packed size, 22 size, 26 and 28 the lengths of name and
	// extra field.
	flags, start := u16(6), localHeader+u16(26)+u16(28)
	if start > len(src) {
		return nil, len(localSignature)
	}
	p = &part{
		name: string(src[localHeader : localHeader+u16(26)]), method: uint16(u16(8)), encrypted: flags&1 != 0,
		data: src[start:], crc: binary.LittleEndian.Uint32(src[14:]), size: int64(binary.LittleEndian.Uint32(src[22:])),
	}
	packed := int64(binary.LittleEndian.Uint32(src[18:]))
	// Bit 3 means that the lengths are zero here and are in a descriptor after the data (section 4.4.4).
	if known := flags&8 == 0; known && packed <= int64(len(p.data)) {
		p.data, p.exact = p.data[:packed], true
		return p, start + int(packed)
	}
	// The search continues inside the data, so it finds the next header wherever this part ends.
	return p, start
}

// stored returns the data of a stored part of unknown length: up to its descriptor, or else the next entry.
func stored(data []byte) []byte {
	// The descriptor's signature is optional, but usual.
	for _, mark := range [][]byte{[]byte("PK\x07\x08"), localSignature} {
		if before, _, ok := bytes.Cut(data, mark); ok {
			return before
		}
	}
	return data
}
