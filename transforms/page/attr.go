package page

import (
	"bytes"
	"math"
)

// nextAttr reads the attribute at or after src[i] and returns its end. Both texts are as in the source, with references
// unresolved: most attributes are never read and need no copy. The value is nil if there is none; a quoted empty value
// is not nil. At the end of the tag the name is nil, and end is after the ">" or the end of src. It merges the
// tokenizer's states from "before attribute name" to "after attribute value (quoted)" (section 13.2.5.32 and
// following). The same bytes give the same attributes, even in a broken tag.
func nextAttr(src []byte, i int) (name, value []byte, end int) {
	// White space and slashes between attributes mean nothing.
	for i < len(src) && nameEnds[src[i]] != 0 && src[i] != '>' {
		i++
	}
	if i >= len(src) || src[i] == '>' {
		return nil, nil, min(i+1, len(src))
	}
	start := i
	for i++; i < len(src) && attrEnds[src[i]] == 0; i++ { // a first = is part of the name
	}
	name = src[start:i]
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	// Without a value the next attribute follows.
	if i >= len(src) || src[i] != '=' {
		return name, nil, i
	}
	for i++; i < len(src) && isSpace(src[i]); i++ {
	}
	if i >= len(src) {
		return name, nil, i
	}
	// In quotes, a ">" does not end the tag.
	if q := src[i]; q == '"' || q == '\'' {
		i++
		n := bytes.IndexByte(src[i:], q)
		// The source ends within the value, so the tag does not count.
		if n < 0 {
			return name, src[i:], len(src)
		}
		// The third index bounds the capacity, so that an append cannot overwrite the source.
		return name, src[i : i+n : i+n], i + n + 1
	}
	// Without quotes, a value ends at white space or ">"; a slash is part of it.
	start = i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	return name, src[start:i], i
}

// nameEnds are the bytes that end the name of a tag. A table is faster than comparisons in these loops, which read
// every byte of every tag.
var nameEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1}

var attrEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1, '=': 1}

// attrNames are the bits of Node.Own for the names of an element's attributes, one bit for several names. Most
// look-ups are for missing attributes, and the bits spare reading the tag. A text has none.
const attrNames Flags = (1<<numAttrNames - 1) << (64 - numAttrNames)

const numAttrNames = 23

// attrName is the bit of a name in any case. The factors are those for which the names that readers look up share the
// fewest bits with other usual names.
func attrName[T string | []byte](name T) Flags {
	if len(name) == 0 {
		return 0
	}
	hash := uint(lower(name[0])) + uint(lower(name[len(name)-1])) + 8*uint(len(name))
	return 1 << (64 - numAttrNames + hash%numAttrNames)
}

// AttrBits returns bits of Node.Own for names of attributes in lower case. An element whose Own has none of them has no
// such attribute; one that has some may have one. So readers can skip most elements without reading their tags.
func AttrBits(names ...string) (bits Flags) {
	for _, name := range names {
		bits |= attrName(name)
	}
	return bits
}

// attrs calls yield for each of the first limit attributes of the tag src until it returns false. Callers must ignore
// repeated names: only the first counts. A set of names per element would cost too much.
func attrs(src []byte, limit int, yield func(name, value []byte) bool) {
	at := len(nameOf(src))
	for range limit {
		name, value, end := nextAttr(src, at)
		if name == nil || !yield(name, value) {
			return
		}
		at = end
	}
}

// tagAttr returns the first value of the attribute name of the tag src, and whether it is one of the first limit
// attributes.
func tagAttr(src []byte, name string, limit int) (value []byte, ok bool) {
	attrs(src, limit, func(n, v []byte) bool {
		if isFold(n, name) {
			value, ok = v, true
		}
		return !ok
	})
	return value, ok
}

// losesAttribute reports whether an attribute after the first limit of a tag has a new name, and so would belong to
// the element. It runs once for a page, when the first tag has more than limit attributes.
func losesAttribute(src []byte, limit int) bool {
	seen := map[string]bool{} // at most limit names
	count, lost := 0, false
	attrs(src, math.MaxInt, func(name, _ []byte) bool {
		// Names are compared in lower case, as elements have them.
		if count++; count <= limit {
			seen[string(bytes.ToLower(name))] = true
		} else {
			lost = !seen[string(bytes.ToLower(name))]
		}
		return !lost
	})
	return lost
}

func nameOf(src []byte) []byte {
	return src[:nameEnd(src, 0)]
}

// nameEnd returns the end of a tag's name that begins at src[i].
func nameEnd(src []byte, i int) int {
	for i < len(src) && nameEnds[src[i]] == 0 {
		i++
	}
	return i
}

// Name is the name of element i in lower case, or "" for a text. Names without a Tag are read from the source again,
// which keeps a Node small.
func (p *Page) Name(i int) string {
	n := &p.Nodes[i]
	if n.Tag != TagOther {
		return n.Tag.Name()
	}
	return string(bytes.ToLower(nameOf(p.Source[n.srcStart:n.srcEnd])))
}

// Attr returns the value of element i's attribute name, which is in lower case, and whether the element has it. Each
// call reads the tag from its start.
func (p *Page) Attr(i int, name string) (value string, ok bool) {
	v, ok := p.RawAttr(i, name)
	if !ok {
		return "", false
	}
	return decode(v, inAttribute), true
}

// RawAttr is like Attr but leaves character references unresolved. The value is a part of the source.
func (p *Page) RawAttr(i int, name string) (value []byte, ok bool) {
	n := &p.Nodes[i]
	if n.Own&attrName(name) == 0 {
		return nil, false
	}
	return tagAttr(p.Source[n.srcStart:n.srcEnd], name, p.o.MaxAttributes)
}

// RawAttrs calls yield for each attribute of element i, as written, until it returns false. For several attributes it
// is faster than RawAttr, which reads the tag from its start each time.
func (p *Page) RawAttrs(i int, yield func(name, value []byte) bool) {
	n := &p.Nodes[i]
	if n.Tag == TagText {
		return
	}
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, yield)
}

func (p *Page) Tag(i int) []byte {
	n := &p.Nodes[i]
	return p.Source[n.srcStart:n.srcEnd]
}

// values returns the values of up to five attributes of element i, as written and in the order of names. A missing
// attribute is nil, an empty one is not.
func (p *Page) values(i int, names ...string) (values [5][]byte) {
	n := &p.Nodes[i]
	left := 0 // names that may come
	for _, name := range names {
		if n.Own&attrName(name) != 0 {
			left++
		}
	}
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, func(name, value []byte) bool {
		for k := range names {
			if values[k] == nil && isFold(name, names[k]) {
				values[k] = value
				// An attribute without a value has the empty string.
				if value == nil {
					values[k] = []byte{}
				}
				left--
			}
		}
		return left > 0
	})
	return values
}

// Raw is the source of text node i, with character references as written.
func (p *Page) Raw(i int) []byte {
	n := &p.Nodes[i]
	return p.Source[n.srcStart:n.srcEnd]
}

// ContentTo is Content, but may end after limit bytes: it reads only the first part of a long text.
func (p *Page) ContentTo(i, limit int) string {
	raw := p.Raw(i)
	return decode(raw[:min(len(raw), longestRef*limit)], p.Nodes[i].marks)
}

// longestRef is how many times as long as its UTF-8 a named character reference may be.
const longestRef = 12

// Content is text node i with character references resolved, except in a raw element such as a script.
func (p *Page) Content(i int) string {
	n := &p.Nodes[i]
	return decode(p.Raw(i), n.marks)
}

// AppendContent appends what Content returns.
func (p *Page) AppendContent(to []byte, i int) []byte {
	return appendDecoded(to, p.Raw(i), p.Nodes[i].marks)
}
