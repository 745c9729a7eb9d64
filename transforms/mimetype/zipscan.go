package mimetype

import (
	"bytes"
	"encoding/binary"
)

// zipScan goes from member to member. Field opened means that rest begins with a member already read, so next
// continues after it.
type zipScan struct {
	rest   []byte // from the member's header
	after  []byte // after the member
	name   string
	method uint16
	data   []byte // the member's bytes, or all following bytes if its size is not known
	opened bool
}

// zipHeaderBytes is the length of a local header, without name and extra field (section 4.3.7).
const zipHeaderBytes = 30

// next goes to the next member.
func (z *zipScan) next() bool {
	if z.opened {
		z.rest = z.after
	}
	z.opened = true
	// Between members there may be descriptors and other data. A signature within data by chance gives a member that
	// no rule knows.
	at := bytes.Index(z.rest, []byte("PK\x03\x04"))
	if at < 0 || len(z.rest)-at < zipHeaderBytes {
		return false
	}
	h := z.rest[at:]
	// Fields of the header: flags at 6, method at 8, packed size at 18, lengths of name and extra field at 26 and 28.
	flags := binary.LittleEndian.Uint16(h[6:])
	z.method = binary.LittleEndian.Uint16(h[8:])
	size := int64(binary.LittleEndian.Uint32(h[18:]))
	name := int(binary.LittleEndian.Uint16(h[26:]))
	extra := int(binary.LittleEndian.Uint16(h[28:]))
	start := zipHeaderBytes + name + extra
	if start > len(h) {
		return false
	}
	z.name = string(h[zipHeaderBytes : zipHeaderBytes+name])
	z.data, z.after = h[start:], h[start:]
	// Flag 3 means that the size is in a descriptor after the data, so the end of the member is not known.
	const sizeFollows = 1 << 3
	if flags&sizeFollows == 0 && size <= int64(len(z.data)) {
		z.data, z.after = z.data[:size], z.data[size:]
	}
	return true
}

// content returns the result of use for the beginning of a member, inflated if necessary. Function use must not keep
// it. For a stored member of unknown length it gets the following bytes too.
func (z *zipScan) content(limit int, use func(content []byte) string) string {
	const stored, deflated = 0, 8
	switch z.method {
	case stored:
		return use(z.data[:min(len(z.data), limit)])
	case deflated:
		return inflated(z.data, limit, use)
	}
	return ""
}
