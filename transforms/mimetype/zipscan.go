package mimetype

import (
	"bytes"
	"encoding/binary"
)

// zipScan steps from member to member. opened reports whether rest is a member that was looked at, so that next goes
// after it.
type zipScan struct {
	rest   []byte // from the member's header on
	after  []byte // after the member
	name   string
	method uint16
	data   []byte // the member's bytes and, where their number is not known, all that follows
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
	// Between members there may be descriptors and other data; a signature by chance within data
	// makes a member that no rule knows.
	at := bytes.Index(z.rest, []byte("PK\x03\x04"))
	if at < 0 || len(z.rest)-at < zipHeaderBytes {
		return false
	}
	h := z.rest[at:]
	// Fields of the header: flags at 6, method at 8, packed size at 18, lengths of name and extra
	// field at 26 and 28.
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
	// Flag 3: the size is in a descriptor after the data, so where the member ends is not known.
	const sizeFollows = 1 << 3
	if flags&sizeFollows == 0 && size <= int64(len(z.data)) {
		z.data, z.after = z.data[:size], z.data[size:]
	}
	return true
}

// content returns what use makes of the beginning of a member, inflated if need be. use does not keep it. Of a stored
// member whose length is not known, use gets what follows too: it has to bear with that.
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
