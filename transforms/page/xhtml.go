package page

import (
	"bytes"
	"html"
	"strings"
)

// IsXML reports whether a Content-Type is one of XML, for which a page needs FromXHTML.
func IsXML(contentType string) bool {
	essence, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch strings.TrimSpace(essence) {
	case "application/xhtml+xml", "application/xml", "text/xml":
		return true
	}
	return false
}

// FromXHTML returns XHTML as HTML with the same meaning, for Parse. In XML an element may end with its start tag,
// <script src="a.js"/>, and CDATA sections are text. HTML would take all after such a script for its content. It
// returns src itself if there is nothing to change.
func FromXHTML(src []byte) []byte {
	if !bytes.Contains(src, []byte("/>")) && !bytes.Contains(src, []byte("[")) {
		return src
	}
	out := make([]byte, 0, len(src)+len(src)/16)
	for len(src) > 0 {
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			break
		}
		out, src = append(out, src[:i]...), src[i:]
		out, src = appendMarkup(out, src)
	}
	return append(out, src...)
}

// appendMarkup appends the piece of markup that src begins with, and returns the rest.
func appendMarkup(out, src []byte) (all, rest []byte) {
	if section, ok := bytes.CutPrefix(src, []byte("<![CDATA[")); ok {
		text, rest, _ := bytes.Cut(section, []byte("]]>"))
		return append(out, html.EscapeString(string(text))...), rest
	}
	if bytes.HasPrefix(src, []byte("<!--")) {
		return appendUntil(out, src, "-->")
	}
	if bytes.HasPrefix(src, []byte("<!DOCTYPE")) {
		return appendDoctype(out, src)
	}
	if len(src) < 2 || !isLetter(src[1]) {
		return append(out, '<'), src[1:]
	}
	end := xmlTagEnd(src)
	tag := src[:end]
	name := tag[1:nameEnd(tag, 1)]
	t := tagOf(name)
	inner, ok := bytes.CutSuffix(tag, []byte("/>"))
	switch {
	case ok && elements[t].traits&void == 0:
		out = append(append(out, inner...), "></"...)
		return append(append(out, name...), '>'), src[end:]
	case t == TagScript || t == TagStyle:
		// Their sections stay: scripts hide the marks from old browsers.
		return appendUntil(append(out, tag...), src[end:], "</")
	}
	return append(out, tag...), src[end:]
}

// appendDoctype appends the doctype that src begins with, without its internal subset: to HTML, the first ">" in it
// would end the doctype. A subset without an end stays.
func appendDoctype(out, src []byte) (all, rest []byte) {
	end := xmlTagEnd(src)
	start := bytes.IndexByte(src[:end], '[')
	if start < 0 {
		return append(out, src[:end]...), src[end:]
	}
	after, ok := afterSubset(src[start+1:])
	if !ok {
		return append(out, src[:end]...), src[end:]
	}
	return append(append(out, src[:start]...), '>'), after[xmlTagEnd(after):]
}

// afterSubset returns what follows an internal subset, from its bracket on.
func afterSubset(src []byte) (rest []byte, ok bool) {
	for ok = true; ok && len(src) > 0; {
		switch c := src[0]; {
		case c == ']':
			return src, true
		case bytes.HasPrefix(src, []byte("<!--")):
			_, src, ok = bytes.Cut(src, []byte("-->"))
		case bytes.HasPrefix(src, []byte("<?")):
			_, src, ok = bytes.Cut(src, []byte("?>"))
		case c == '"' || c == '\'':
			_, src, ok = bytes.Cut(src[1:], src[:1])
		default:
			src = src[1:]
		}
	}
	return nil, false
}

// appendUntil appends src up to the end of mark, or all of it.
func appendUntil(out, src []byte, mark string) (all, rest []byte) {
	i := bytes.Index(src, []byte(mark))
	if i < 0 {
		return append(out, src...), nil
	}
	i += len(mark)
	return append(out, src[:i]...), src[i:]
}

// xmlTagEnd returns the end of the tag that src begins with. A ">" in quotes does not end it.
func xmlTagEnd(src []byte) int {
	quote := byte(0)
	for i, c := range src {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(src)
}
