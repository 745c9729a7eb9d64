package page

import (
	"bytes"
	"math"
)

// attribute is one attribute as it stands in the source; value is nil when there is none.
type attribute struct{ name, value []byte }

// nextAttr reads the attribute at or behind src[i], and returns where it ends. At the end of the tag, the name is empty
// and the end is that of the ">", or the end of src.
func nextAttr(src []byte, i int) (a attribute, end int) {
	for i < len(src) && nameEnds[src[i]] != 0 && src[i] != '>' {
		i++
	}
	if i >= len(src) || src[i] == '>' {
		return attribute{}, min(i+1, len(src))
	}
	start := i
	for i++; i < len(src) && attrEnds[src[i]] == 0; i++ { // a first = is part of the name
	}
	a.name = src[start:i]
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i >= len(src) || src[i] != '=' {
		return a, i
	}
	for i++; i < len(src) && isSpace(src[i]); i++ {
	}
	if i >= len(src) {
		return a, i
	}
	if q := src[i]; q == '"' || q == '\'' {
		i++
		n := bytes.IndexByte(src[i:], q)
		if n < 0 {
			a.value = src[i:]
			return a, len(src)
		}
		a.value = src[i : i+n : i+n]
		return a, i + n + 1
	}
	start = i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	a.value = src[start:i]
	return a, i
}

// nameEnds are the bytes that end the name of a tag.
var nameEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1}

// attrEnds are the bytes that end an attribute's name.
var attrEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1, '=': 1}

// is tells whether the attribute is called name, which is in lower case.
func (a *attribute) is(name string) bool { return isFold(a.name, name) }

// attrs calls yield for each of the first limit attributes of the tag src until it returns false. Of a name that occurs
// twice only the first counts, which is for the caller to see to.
func attrs(src []byte, limit int, yield func(attribute) bool) {
	at := len(nameOf(src))
	for range limit {
		var a attribute
		if a, at = nextAttr(src, at); a.name == nil || !yield(a) {
			return
		}
	}
}

// tagAttr returns the value of the attribute name of the tag src, and whether it is one of the first limit.
func tagAttr(src []byte, name string, limit int) (value []byte, ok bool) {
	attrs(src, limit, func(a attribute) bool {
		if a.is(name) {
			value, ok = a.value, true
		}
		return !ok
	})
	return value, ok
}

// losesAttribute tells whether an attribute behind the first limit of a tag is one that its element would have: of
// those with one name only the first counts, and so nothing is lost where one is repeated.
func losesAttribute(src []byte, limit int) bool {
	seen := map[string]bool{} // of limit names at most
	count, lost := 0, false
	attrs(src, math.MaxInt, func(a attribute) bool {
		if count++; count <= limit {
			seen[string(bytes.ToLower(a.name))] = true
		} else {
			lost = !seen[string(bytes.ToLower(a.name))]
		}
		return !lost
	})
	return lost
}

// nameOf is the name at the start of a tag, as written.
func nameOf(src []byte) []byte {
	return src[:nameEnd(src, 0)]
}

// nameEnd returns where the name of a tag ends that begins at src[i].
func nameEnd(src []byte, i int) int {
	for i < len(src) && nameEnds[src[i]] == 0 {
		i++
	}
	return i
}

// Name is the name of element i in lower case, "" of a text.
func (p *Page) Name(i int) string {
	n := &p.Nodes[i]
	if n.Tag != TagOther {
		return n.Tag.Name()
	}
	return string(bytes.ToLower(nameOf(p.Source[n.srcStart:n.srcEnd])))
}

// Attr returns the value of element i's attribute name, which is in lower case, and whether the element has it.
func (p *Page) Attr(i int, name string) (value string, ok bool) {
	v, ok := p.RawAttr(i, name)
	if !ok {
		return "", false
	}
	return decode(v, inAttribute), true
}

// RawAttr is Attr without its character references resolved. The value is a part of the source.
func (p *Page) RawAttr(i int, name string) (value []byte, ok bool) {
	n := &p.Nodes[i]
	if n.Tag == TagText {
		return nil, false
	}
	return tagAttr(p.Source[n.srcStart:n.srcEnd], name, p.o.MaxAttributes)
}

// values returns what element i's attributes have, as written, in the order of names, of which there are five at most;
// nil for those it does not have.
func (p *Page) values(i int, names ...string) (values [5][]byte) {
	n := &p.Nodes[i]
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, func(a attribute) bool {
		for k, name := range names {
			if values[k] == nil && a.is(name) {
				values[k] = a.value
				if a.value == nil {
					values[k] = []byte{}
				}
			}
		}
		return true
	})
	return values
}

// Raw is the source of the text node i, with its character references as written.
func (p *Page) Raw(i int) []byte {
	n := &p.Nodes[i]
	return p.Source[n.srcStart:n.srcEnd]
}

// Content is the text node i, its character references resolved if it is not the content of a raw element.
func (p *Page) Content(i int) string {
	n := &p.Nodes[i]
	return decode(p.Raw(i), n.marks)
}
