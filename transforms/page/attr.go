package page

import "bytes"

// attribute is one attribute as it stands in the source; value is nil when there is none.
type attribute struct{ name, value []byte }

// nextAttr reads the attribute at or behind src[i], and returns where it ends. At the end of the tag, the name is empty
// and the end is that of the ">", or the end of src.
func nextAttr(src []byte, i int) (a attribute, end int) {
	for i < len(src) && (isSpace(src[i]) || src[i] == '/') {
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

// attrEnds are the bytes that end an attribute's name.
var attrEnds = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1, '\f': 1, '/': 1, '>': 1, '=': 1}

// is tells whether the attribute is called name, which is in lower case.
func (a *attribute) is(name string) bool { return len(a.name) == len(name) && hasFold(a.name, name) }

// attrs calls yield for each attribute of element i until it returns false. Of a name that occurs twice only the first
// counts, which is for the caller to see to.
func (p *Page) attrs(i int, yield func(attribute) bool) {
	n := &p.Nodes[i]
	if n.Tag == TagText {
		return
	}
	src := p.Source[n.srcStart:n.srcEnd]
	at := len(nameOf(src))
	for range p.o.MaxAttributes {
		var a attribute
		if a, at = nextAttr(src, at); a.name == nil || !yield(a) {
			return
		}
	}
}

// nameOf is the name at the start of a tag, as written.
func nameOf(src []byte) []byte {
	for i, c := range src {
		if isSpace(c) || c == '/' || c == '>' {
			return src[:i]
		}
	}
	return src
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
	return unescape(v, true), true
}

// RawAttr is Attr without its character references resolved. The value is a part of the source.
func (p *Page) RawAttr(i int, name string) (value []byte, ok bool) {
	p.attrs(i, func(a attribute) bool {
		if a.is(name) {
			value, ok = a.value, true
		}
		return !ok
	})
	return value, ok
}

// Raw is the source of the text node i, with its character references as written.
func (p *Page) Raw(i int) []byte {
	n := &p.Nodes[i]
	return p.Source[n.srcStart:n.srcEnd]
}

// Content is the text node i as written, its character references resolved, if it is not the content of a raw element.
func (p *Page) Content(i int) string {
	n := &p.Nodes[i]
	if n.Parent >= 0 {
		switch t := p.Nodes[n.Parent].Tag; {
		case t == TagTitle, t == TagTextarea:
		case elements[t].traits&raw != 0 && p.Nodes[n.Parent].Flags&InForeign == 0:
			return string(p.Raw(i))
		}
	}
	return unescape(p.Raw(i), false)
}
