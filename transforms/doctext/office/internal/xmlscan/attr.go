package xmlscan

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// maxNames bounds the table of names: office formats have some hundred.
const maxNames = 4096

// name splits a qualified name. Each name's strings are made once. White space before the ">" of an end tag is
// allowed.
func (s *Scanner) name(b []byte) (prefix, local string) {
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	if before, after, ok := bytes.Cut(b, []byte{':'}); ok {
		prefix, b = s.intern(before), after
	}
	return prefix, s.intern(b)
}

// intern returns b as a string, the same one each time. The lookup copies nothing, since the compiler does not
// allocate for a map access by string(b). Above maxNames a new string is made each time, so hostile names take no
// lasting memory.
func (s *Scanner) intern(b []byte) string {
	if name, ok := s.names[string(b)]; ok {
		return name
	}
	name := string(b)
	if len(s.names) < maxNames {
		s.names[name] = name
	}
	return name
}

// Attr returns the value of an attribute of the element that started last, by local name, or "". An attribute without
// a prefix wins over one with a prefix. Attributes are parsed on demand, since most are never needed.
func (s *Scanner) Attr(local string) string {
	var found []byte
	for rest := s.attrs; ; {
		name, value, behind, ok := attribute(rest)
		if !ok {
			return string(resolve(found))
		}
		rest = behind
		if string(name) == local {
			return string(resolve(value))
		}
		// Of several with a prefix, the first counts.
		if found == nil && qualified(name, local) {
			found = value
		}
	}
}

// QualifiedAttr is Attr for attributes with a prefix only, such as r:id.
func (s *Scanner) QualifiedAttr(local string) string {
	for rest := s.attrs; ; {
		name, value, behind, ok := attribute(rest)
		if !ok {
			return ""
		}
		if qualified(name, local) {
			return string(resolve(value))
		}
		rest = behind
	}
}

func qualified(name []byte, local string) bool {
	n := len(name) - len(local)
	return n > 0 && name[n-1] == ':' && string(name[n:]) == local
}

// attribute reads the first attribute of src. Result ok is false at the end, and at the first malformed attribute;
// later ones are not read.
func attribute(src []byte) (name, value, rest []byte, ok bool) {
	src = trim(src)
	eq := bytes.IndexByte(src, '=')
	if eq < 0 {
		return nil, nil, nil, false
	}
	name = bytes.TrimRight(src[:eq], " \t\r\n")
	src = trim(src[eq+1:])
	// Values without quotes are not XML.
	if len(src) == 0 || src[0] != '"' && src[0] != '\'' {
		return nil, nil, nil, false
	}
	end := bytes.IndexByte(src[1:], src[0])
	if end < 0 {
		return nil, nil, nil, false
	}
	return name, src[1 : 1+end], src[2+end:], true
}

// trim removes white space at the beginning.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\r' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// named are the entities that XML defines.
var named = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

// resolve returns src with its references resolved, or src itself if it has none.
func resolve(src []byte) []byte {
	i := bytes.IndexByte(src, '&')
	// Nearly all attributes and texts have no reference and are not copied.
	if i < 0 {
		return src
	}
	// A reference is never shorter than its character (at least 4 bytes for at most 4), so out never grows.
	out := make([]byte, 0, len(src))
	for i >= 0 {
		out = append(out, src[:i]...)
		src = src[i:]
		r, n := reference(src)
		// A single ampersand is literal, for example in HTML in a description.
		if n == 0 {
			r, n = '&', 1
		}
		out = utf8.AppendRune(out, r)
		src = src[n:]
		i = bytes.IndexByte(src, '&')
	}
	return append(out, src...)
}

// reference reads the reference at the beginning of src. Result n is 0 if it is unknown or not one.
func reference(src []byte) (r rune, n int) {
	// The longest reference, "&#x0010FFFF;", has 12 bytes. The bound keeps "&&&&…" linear.
	end := bytes.IndexByte(src[:min(len(src), 12)], ';')
	if end < 2 {
		return 0, 0
	}
	name := string(src[1:end])
	if name[0] != '#' {
		// An unknown name has rune 0, and so n = 0.
		return named[name], (end + 1) * min(int(named[name]), 1)
	}
	digits, base := name[1:], 10
	if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	// 31 bits fit into a rune. AppendRune replaces an invalid one by U+FFFD.
	v, err := strconv.ParseUint(digits, base, 31)
	if err != nil {
		return 0, 0
	}
	return rune(v), end + 1
}
