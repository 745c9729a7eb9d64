package mimetype

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// mark is a run of bytes at an offset. Field bytes is never empty: method in reads its first byte unchecked.
type mark struct {
	offset int
	bytes  string
}

// in first compares one byte, which decides for nearly all bodies.
func (m mark) in(body []byte) bool {
	return m.offset < len(body) && body[m.offset] == m.bytes[0] && bytes.HasPrefix(body[m.offset:], []byte(m.bytes))
}

// signature assigns a type to bodies with a mark, and with another one in beside if there is one. If one mark is
// enough, beside has no bytes.
type signature struct {
	mark
	mediaType string
	beside    mark
}

// in reports whether body has the signature. A text that begins with a short word does not: it is about the format.
// Only bytes at fixed positions are compared, at most some dozens for a body.
func (s *signature) in(body []byte) bool {
	return s.mark.in(body) && (s.beside.bytes == "" || s.beside.in(body)) && !(s.isWord() && mostlyText(body))
}

// isWord reports whether the marks are so few letters that texts may have them by chance. Eight printable bytes at the
// right position do not occur by chance, but four may. "SAP\r\n" has control characters, "qoif" does not.
func (s *signature) isWord() bool {
	const few = 8
	marks := s.bytes + s.beside.bytes
	return len(marks) < few && strings.IndexFunc(marks, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// signatureIndex finds possible signatures by the first byte of a body, which leaves a few of the 280.
type signatureIndex struct {
	first [256][]signature
	later []signature // those whose mark is not at the beginning
}

// signatures is the index of all tables, in order. Pairs come first, since some single marks are parts of them.
var signatures = sync.OnceValue(func() *signatureIndex {
	var x signatureIndex
	for _, s := range slices.Concat(pairedSignatures, mediaSignatures, dataSignatures) {
		if s.offset == 0 {
			x.first[s.bytes[0]] = append(x.first[s.bytes[0]], s)
		} else {
			x.later = append(x.later, s)
		}
	}
	return &x
})

// typeOf returns the type of the first signature that body has, or "".
func (x *signatureIndex) typeOf(body []byte) string {
	// body is not empty; Detect has checked.
	for _, list := range [...][]signature{x.first[body[0]], x.later} {
		for i := range list {
			if list[i].in(body) {
				return list[i].mediaType
			}
		}
	}
	return ""
}

// at, begins and both make rows of the tables.
func at(offset int, b, mediaType string) signature {
	return signature{mark: mark{offset, b}, mediaType: mediaType}
}

func begins(b, mediaType string) signature { return at(0, b, mediaType) }

func both(b string, offset int, other, mediaType string) signature {
	return signature{mark{0, b}, mediaType, mark{offset, other}}
}
