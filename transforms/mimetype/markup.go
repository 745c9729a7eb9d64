package mimetype

import (
	"bytes"
	"strings"
)

// root is what the beginning of a document of XML or HTML says.
type root struct {
	declaration bool   // it begins with an XML declaration
	doctype     string // lower case, between "<!DOCTYPE" and ">", at most 512 bytes
	name        string // of the first element, as written
	attributes  string // of the first element, as written, at most 4 KiB
	head        []byte
}

// markupOf returns the type of a document that begins with markup; false where it does not, or where it says nothing.
func markupOf(head []byte, h hints) (Result, bool) {
	r, ok := rootOf(head)
	if !ok {
		return Result{}, false
	}
	if r.isHTML() {
		return Result{Type: r.htmlType(h), Basis: basisStructure}, true
	}
	local := strings.ToLower(r.local())
	if kind, ok := r.feed(local); ok {
		return kind, true
	}
	if t := r.vocabulary(local); t != "" {
		return Result{Type: t, Basis: basisStructure}, true
	}
	switch {
	case !mostlyText(head):
		return Result{}, false
	case r.declaration || r.namespace() != "":
	case htmlElements[local] || hidesHTML(head, h):
		return Result{Type: typeHTML, Basis: basisStructure}, true
	case !r.closes():
		return Result{}, false
	}
	return h.choose(familyXML, Result{Type: typeXML, Basis: basisStructure}), true
}

// rootOf reads up to the first element, past comments, processing instructions and the document type.
func rootOf(head []byte) (root, bool) {
	r := root{head: head}
	rest := bytes.TrimLeft(head, " \t\r\n\f\x00")
	for first := true; len(rest) > 1 && rest[0] == '<'; first = false {
		var end int
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = past(rest, "-->")
		case rest[1] == '?':
			r.declaration = r.declaration || first && bytes.HasPrefix(rest, []byte("<?xml"))
			if hasFoldPrefix(rest, "<?php") {
				return r, false
			}
			end = past(rest, ">")
		case hasFoldPrefix(rest, "<!doctype"):
			end = doctypeEnd(rest)
			r.doctype = strings.ToLower(string(rest[len("<!doctype"):max(len("<!doctype"), min(end, 512))]))
		case isNameStart(rest[1]):
			r.element(rest[1:])
			return r, true
		default:
			return r, r.declaration || r.doctype != ""
		}
		rest = bytes.TrimLeft(rest[end:], " \t\r\n\f")
	}
	return r, r.declaration || r.doctype != ""
}

// past returns the index behind the next mark, or the end.
func past(b []byte, mark string) int {
	if at := bytes.Index(b, []byte(mark)); at >= 0 {
		return at + len(mark)
	}
	return len(b)
}

// doctypeEnd returns the end of a document type, past its internal subset.
func doctypeEnd(b []byte) int {
	end := past(b, ">")
	open := bytes.IndexByte(b[:end], '[')
	if open < 0 {
		return end
	}
	subset := past(b[open:], "]") + open
	return subset + past(b[subset:], ">")
}

// element keeps name and attributes of the tag that b begins with, behind its "<".
func (r *root) element(b []byte) {
	const longestName, longestTag = 128, 4 << 10
	b = b[:min(len(b), longestTag)]
	n := 0
	for n < len(b) && n < longestName && !strings.ContainsRune(" \t\r\n\f/>", rune(b[n])) {
		n++
	}
	r.name = string(b[:n])
	r.attributes = string(b[n : n+tagEnd(b[n:])])
}

// tagEnd returns the index of the ">" that ends a tag, which is not inside of quotes, or the length.
func tagEnd(b []byte) int {
	quote := byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return len(b)
}

// local returns the element's name without a prefix.
func (r *root) local() string {
	return r.name[strings.IndexByte(r.name, ':')+1:]
}

// namespace returns the name that the element's own prefix is bound to, or "".
func (r *root) namespace() string {
	name := "xmlns"
	if prefix, _, found := strings.Cut(r.name, ":"); found {
		name += ":" + prefix
	}
	return r.attribute(name)
}

// attribute returns the value of an attribute of the element.
func (r *root) attribute(name string) string {
	rest := r.attributes
	for {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return ""
		}
		value := strings.TrimLeft(after, " \t\r\n")
		starts := before != "" && strings.ContainsRune(" \t\r\n\"'", rune(before[len(before)-1]))
		if starts && strings.HasPrefix(value, "=") {
			return unquote(strings.TrimLeft(value[1:], " \t\r\n"))
		}
		rest = after
	}
}

// unquote returns what stands in the quotes that s begins with.
func unquote(s string) string {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	value, _, _ := strings.Cut(s[1:], s[:1])
	return value
}

// closes says whether the document has an end tag, or ends its only element in itself. Without any, a text in angle
// brackets is no XML.
func (r *root) closes() bool {
	return r.name != "" && (bytes.Contains(r.head, []byte("</")) || bytes.Contains(r.head, []byte("/>")))
}

// isHTML says whether the document is HTML, in either syntax.
func (r *root) isHTML() bool {
	if strings.EqualFold(r.name, "html") || strings.HasPrefix(strings.TrimSpace(r.doctype), "html") &&
		r.namespaceIsHTML() {
		return true
	}
	return strings.EqualFold(r.local(), "html") && strings.HasSuffix(r.namespace(), "/xhtml")
}

// namespaceIsHTML says that no other namespace is the element's.
func (r *root) namespaceIsHTML() bool {
	ns := r.namespace()
	return ns == "" || strings.HasSuffix(ns, "/xhtml")
}

// htmlType tells XHTML from HTML: it has its namespace and says in one more way that it is XML. Browsers go by the
// declared type alone; archives hold many pages that were written as XHTML and served as HTML.
func (r *root) htmlType(h hints) string {
	written := r.declaration || strings.Contains(r.doctype, "xhtml") || h.declared == typeXHTML
	if written && strings.HasSuffix(r.namespace(), "/xhtml") {
		return typeXHTML
	}
	return typeHTML
}

// feed returns the type of feeds and lists.
func (r *root) feed(local string) (Result, bool) {
	ns := r.namespace()
	switch local {
	case "rss":
		return Result{Type: typeRSS, Basis: basisStructure, Kind: "rss"}, true
	case "feed":
		if ns == "" || strings.Contains(ns, "/Atom") || strings.Contains(ns, "purl.org/atom/") ||
			strings.Contains(ns, "purl.org/pie/") {
			return Result{Type: typeAtom, Basis: basisStructure, Kind: "atom"}, true
		}
	case "rdf":
		return Result{Type: "application/rdf+xml", Basis: basisStructure, Kind: r.rdfKind()}, true
	case "opml":
		return Result{Type: "text/x-opml", Basis: basisStructure, Kind: "opml"}, true
	case "urlset", "sitemapindex":
		return Result{Type: typeXML, Basis: basisStructure, Kind: "sitemap"}, true
	}
	return Result{}, false
}

// rdfKind tells RSS 0.90 and 1.0, whose vocabularies may be bound to any element, from other RDF.
func (r *root) rdfKind() string {
	for _, vocabulary := range []string{
		"purl.org/rss/1.0/", "my.netscape.com/rdf/", "channel.netscape.com/rdf/",
		"purl.org/net/rss1.1",
	} {
		if bytes.Contains(r.head, []byte(vocabulary)) {
			return "rdf"
		}
	}
	return ""
}

// vocabulary returns the type of documents in other vocabularies, by element and namespace, or by document type.
func (r *root) vocabulary(local string) string {
	ns := strings.ToLower(r.namespace())
	for _, v := range vocabularies {
		if v.element != "" && v.element != local {
			continue
		}
		if strings.Contains(ns, v.namespace) || ns == "" && v.alone {
			if v.mediaType == flatText {
				return r.flatType()
			}
			return v.mediaType
		}
	}
	for _, d := range documentTypes {
		if strings.Contains(r.doctype, d.part) {
			return d.mediaType
		}
	}
	return ""
}

const flatText = "application/vnd.oasis.opendocument.flat.text"

// flatType returns the type of an OpenDocument that is one file of XML: which it is stands in an attribute.
func (r *root) flatType() string {
	for _, kind := range []string{"presentation", "spreadsheet", "graphics"} {
		if r.attribute("office:mimetype") == "application/vnd.oasis.opendocument."+kind {
			return "application/vnd.oasis.opendocument.flat." + kind
		}
	}
	return flatText
}

func isNameStart(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// hasFoldPrefix says whether b begins with prefix in any case; prefix is lower case.
func hasFoldPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}
