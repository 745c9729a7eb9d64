package page

import (
	"bytes"
	"math"
)

// attribute is one attribute as it is in the source; value is nil when there is none. Both are parts of the
// source, references unresolved: most attributes are never looked at, and need no copy. A value that is written but
// empty is not nil where it is in quotes.
type attribute struct{ name, value []byte }

// nextAttr reads the attribute at or after src[i], and returns where it ends. At the end of the tag, the name is empty
// and the end is that of the ">", or the end of src. It is the tokenizer's states from "before attribute name" to
// "after attribute value (quoted)" (section 13.2.5.32 and following) in one function: the same bytes give the same
// attributes, also where a tag is broken.
func nextAttr(src []byte, i int) (a attribute, end int) {
	// White space and slashes between attributes mean nothing.
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
	// No value: what follows is the next attribute's.
	if i >= len(src) || src[i] != '=' {
		return a, i
	}
	for i++; i < len(src) && isSpace(src[i]); i++ {
	}
	if i >= len(src) {
		return a, i
	}
	// In quotes, a ">" does not end the tag.
	if q := src[i]; q == '"' || q == '\'' {
		i++
		n := bytes.IndexByte(src[i:], q)
		// The source ends within the value, and with it the tag, which then does not count.
		if n < 0 {
			a.value = src[i:]
			return a, len(src)
		}
		// The third index bounds the capacity, so that nobody can append over the source.
		a.value = src[i : i+n : i+n]
		return a, i + n + 1
	}
	// Without quotes, a value ends at white space or ">"; a slash is part of it.
	start = i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	a.value = src[start:i]
	return a, i
}

// nameEnds are the bytes that end the name of a tag. Tables in the place of comparisons: these loops see every byte
// of every tag.
var nameEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1}

// attrEnds are the bytes that end an attribute's name.
var attrEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1, '=': 1}

// attrNames are the bits of Node.Own that say which names the attributes of an element may have, one bit for several:
// most questions for an attribute are asked of elements that do not have it, and need not read their tags. No name of
// a text has one.
const attrNames Flags = (1<<numAttrNames - 1) << (64 - numAttrNames)

const numAttrNames = 23

// attrName is the bit of a name in any case. The factors are those with which the fewest of the names that readers ask
// for share a bit with others that are usual.
func attrName[T string | []byte](name T) Flags {
	if len(name) == 0 {
		return 0
	}
	hash := uint(lower(name[0])) + uint(lower(name[len(name)-1])) + 8*uint(len(name))
	return 1 << (64 - numAttrNames + hash%numAttrNames)
}

// is reports whether the attribute is called name, which is in lower case.
func (a *attribute) is(name string) bool { return isFold(a.name, name) }

// attrs calls yield for each of the first limit attributes of the tag src until it returns false. Of a name that occurs
// twice only the first counts, which is for the caller to see to. Keeping a set of names for every element would cost
// more than the few callers that need it.
func attrs(src []byte, limit int, yield func(attribute) bool) {
	// src is what is between "<" and ">", the name first.
	at := len(nameOf(src))
	for range limit {
		var a attribute
		// A tag with a million attributes costs no more than limit of them.
		if a, at = nextAttr(src, at); a.name == nil || !yield(a) {
			return
		}
	}
}

// tagAttr returns the value of the attribute name of the tag src, and whether it is one of the first limit. The first
// of a name counts, so the search ends there.
func tagAttr(src []byte, name string, limit int) (value []byte, ok bool) {
	attrs(src, limit, func(a attribute) bool {
		if a.is(name) {
			value, ok = a.value, true
		}
		return !ok
	})
	return value, ok
}

// losesAttribute reports whether an attribute after the first limit of a tag is one that its element would have: of
// those with one name only the first counts, and so nothing is lost where one is repeated. It runs once for a page,
// when the first tag has more than limit attributes.
func losesAttribute(src []byte, limit int) bool {
	seen := map[string]bool{} // of limit names at most
	count, lost := 0, false
	attrs(src, math.MaxInt, func(a attribute) bool {
		// Names are compared in lower case, as elements have them.
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

// Name is the name of element i in lower case, "" of a text. Names that have no Tag are read from the source again,
// which keeps a Node small.
func (p *Page) Name(i int) string {
	n := &p.Nodes[i]
	if n.Tag != TagOther {
		return n.Tag.Name()
	}
	return string(bytes.ToLower(nameOf(p.Source[n.srcStart:n.srcEnd])))
}

// Attr returns the value of element i's attribute name, which is in lower case, and whether the element has it. Each
// call reads the tag from its beginning.
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
	if n.Own&attrName(name) == 0 {
		return nil, false
	}
	return tagAttr(p.Source[n.srcStart:n.srcEnd], name, p.o.MaxAttributes)
}

// RawAttrs calls yield for each attribute of element i until it returns false, names and values as written. It serves
// those who want several attributes, or do not know which: RawAttr reads the tag from its beginning each time.
func (p *Page) RawAttrs(i int, yield func(name, value []byte) bool) {
	n := &p.Nodes[i]
	if n.Tag == TagText {
		return
	}
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, func(a attribute) bool { return yield(a.name, a.value) })
}

// Tag is the start tag of element i as written, without its brackets.
func (p *Page) Tag(i int) []byte {
	n := &p.Nodes[i]
	return p.Source[n.srcStart:n.srcEnd]
}

// values returns what element i's attributes have, as written, in the order of names, of which there are five at most;
// nil for those it does not have. One pass over the tag serves several attributes. There is a difference between
// missing (nil) and empty.
func (p *Page) values(i int, names ...string) (values [5][]byte) {
	n := &p.Nodes[i]
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, func(a attribute) bool {
		for k, name := range names {
			if values[k] == nil && a.is(name) {
				values[k] = a.value
				// An attribute without a value has the empty string.
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

// Content is the text node i, its character references resolved if it is not the content of a raw element. What a raw
// element holds (a script) is marked literal when it is read.
func (p *Page) Content(i int) string {
	n := &p.Nodes[i]
	return decode(p.Raw(i), n.marks)
}
