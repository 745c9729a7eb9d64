package legacy

import (
	"encoding/binary"
	"time"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
)

// maxProperties bounds the properties of a set: about twenty have a meaning.
const maxProperties = 1000

// Types of values ([MS-OLEPS], section 2.11).
const (
	typeI2       = 2
	typeLPSTR    = 30
	typeLPWSTR   = 31
	typeFILETIME = 64
)

// properties reads the two property sets that all programs write ([MS-OLEPS], section 3). The numbers are those of the
// standard. In SummaryInformation 2 is the title, 3 the subject, 4 the author, 5 keywords, 6 comments, 12 created, 13
// saved, 18 the program. In DocumentSummaryInformation 2 is the category and 15 the company.
func (r *reader) properties() {
	s := propertySet(r.f.Stream("\x05SummaryInformation"))
	d := r.doc
	d.Title = s[2]
	if d.Description = s[6]; d.Description == "" {
		d.Description = s[3]
	}
	d.Authors = property.List(s[4], ";")
	d.Created, d.Modified, d.Generator = s[12], s[13], s[18]
	more := propertySet(r.f.Stream("\x05DocumentSummaryInformation"))
	d.Tags = property.List(s[5]+";"+more[2], ";,")
	d.Publisher = more[15]
}

// propertySet reads the values of the first set of a stream, by their ids. Offset 44 of the stream's header holds the
// position of the first set. The set begins with its size, the number of properties, and pairs of id and offset within
// the set (sections 2.20 and 2.21). Offsets may be anything; the functions that read numbers check them.
func propertySet(b []byte) map[int]string {
	values := map[int]string{}
	set := cut(b, u32(b, 44), len(b))
	page := codepage.Western
	for i := range min(u32(set, 4), maxProperties, len(set)/8) {
		// The code page is property 1, which writers put first. Strings before it are read as Western.
		id, at := u32(set, 8+8*i), u32(set, 12+8*i)
		if id == 1 && u16(set, at) == typeI2 {
			page = u16(set, at+4)
			continue
		}
		if v := value(set, at, page); v != "" {
			values[id] = v
		}
	}
	return values
}

// value returns a property as text, or "" for types that no known property has. Strings are cut before they are
// decoded.
func value(set []byte, at, page int) string {
	n := min(u32(set, at+4), property.MaxValue)
	switch u16(set, at) {
	case typeLPSTR:
		// With code page 1200 a "narrow" string is UTF-16 as well, and its size still counts bytes.
		return property.Text(codepage.Decode(page, text(cut(set, at+8, at+8+n), page == 1200)))
	case typeLPWSTR:
		return property.Text(codepage.UTF16(text(cut(set, at+8, at+8+2*n), true)))
	case typeFILETIME:
		if b := cut(set, at+4, at+12); len(b) == 8 {
			return filetime(binary.LittleEndian.Uint64(b))
		}
	}
	return ""
}

// text returns b up to its first zero, which has 16 bits if wide is set.
func text(b []byte, wide bool) []byte {
	step := 1
	if wide {
		step = 2
	}
	for i := 0; i+step <= len(b); i += step {
		if b[i] == 0 && b[i+step-1] == 0 {
			return b[:i]
		}
	}
	return b
}

// filetime converts a number of 100-nanosecond units since 1601.
func filetime(n uint64) string {
	const to1970 = 11_644_473_600
	seconds := int64(n/10_000_000) - to1970
	return property.Year(time.Unix(seconds, 0).UTC(), time.RFC3339)
}
