package mimetype

import (
	"bytes"
	"strings"
)

// root describes the beginning of an XML or HTML document, as far as head reaches. After a document type of 60 KB
// there is no element.
type root struct {
	declaration bool   // it begins with an XML declaration
	doctype     string // lower case, between "<!DOCTYPE" and ">", at most 512 bytes
	name        string // of the first element, as written
	attributes  string // of the first element, as written, at most 4 KiB
	head        []byte
}

// markupOf returns the type of a document that begins with markup. Result ok is false if it does not, or gives no
// type. Hints h are used only if the document allows two types.
func markupOf(head []byte, h hints) (Result, bool) {
	// There is no tag at the beginning.
	r, ok := rootOf(head)
	if !ok {
		return Result{}, false
	}
	if r.isHTML() {
		// It is a page, unless all of that is before a feed served as XML.
		if familyOfType(h.declared) == familyXML {
			if kind, ok := feedAfterMarkup(head); ok {
				return kind, true
			}
		}
		return Result{Type: r.htmlType(h), Basis: basisStructure}, true
	}
	// Names of elements are compared without case, since careless feeds have <RSS>.
	local := strings.ToLower(r.local())
	if kind, ok := r.feed(local); ok {
		return kind, true
	}
	if t := r.vocabulary(local); t != "" && !(h.saysHTML() && !r.declaration && goesOn(head, local)) {
		return Result{Type: t, Basis: basisStructure}, true
	}
	// From here on only the form distinguishes XML, HTML and other text.
	switch {
	// Binary formats may begin with "<" as well.
	case !mostlyText(head):
		return Result{}, false
	// A document with an XML declaration or a namespace is XML of an unlisted kind.
	case r.declaration || r.namespace() != "" && !(h.saysHTML() && (r.namespaceIsHTML() || isEmbedded(local))):
	case htmlElements[local] || hidesHTML(head, h) || h.saysHTML() && r.mayBeHTML(local):
		if kind, ok := feedAfterMarkup(head); ok {
			return kind, true
		}
		return Result{Type: typeHTML, Basis: basisStructure}, true
	// A lone tag without an end tag is text in angle brackets.
	case !r.closes():
		return Result{}, false
	}
	return h.choose(familyXML, Result{Type: typeXML, Basis: basisStructure}), true
}

// saysHTML reports whether the document is declared as HTML, or has a name of it and no usable declaration.
func (h hints) saysHTML() bool {
	return IsHTML(h.declared) || (h.declared == "" || generic[h.declared]) && IsHTML(h.named)
}

// mayBeHTML reports whether a document that is said to be HTML may begin with this element. Custom elements have a
// hyphen, and drawings and formulae may be inside of pages. Elements of templates (<esi:include>) and of collections
// (<text id="…">) are before other elements of HTML; a prefix without a namespace is not valid in XML.
func (r *root) mayBeHTML(local string) bool {
	if otherHTMLElements[local] || strings.Contains(r.name, "-") || isEmbedded(local) {
		return true
	}
	tags := r.pageTags()
	return tags > 1 || tags > 0 && strings.Contains(r.name, ":")
}

// pageTags counts which of the elements that hardly any vocabulary but HTML has are near the beginning.
func (r *root) pageTags() int {
	const enough = 16 << 10
	seen := map[string]bool{}
	for rest := r.head[:min(len(r.head), enough)]; ; {
		_, after, found := bytes.Cut(rest, []byte("<"))
		if !found {
			return len(seen)
		}
		// Quoted elements belong to another document.
		if bytes.HasPrefix(after, []byte("![CDATA[")) {
			after = after[past(after, "]]>"):]
		}
		size := min(len(after), len("script")+1)
		if end := bytes.IndexAny(after[:size], " \t\r\n\f/>"); end > 0 {
			if name := strings.ToLower(string(after[:end])); pageElements[name] {
				seen[name] = true
			}
		}
		rest = after
	}
}

// pageElements are elements of HTML alone.
var pageElements = words("div span br img a p h1 h2 h3 h4 hr td li ul script body font center form input")

// isEmbedded reports whether HTML has an element of another vocabulary with this name.
func isEmbedded(name string) bool { return name == "svg" || name == "math" }

// goesOn reports whether something follows the first element of a document with this name. In pages that begin with a
// drawing or a formula it does.
func goesOn(head []byte, name string) bool {
	if !isEmbedded(name) {
		return false
	}
	for depth := 0; ; {
		i := bytes.IndexByte(head, '<')
		if i < 0 {
			return false
		}
		head = head[i:]
		switch {
		case bytes.HasPrefix(head, []byte("<!--")):
			head = head[past(head, "-->"):]
			continue
		case hasFoldPrefix(head, "<"+name) && !continuesName(head, len(name)+1):
			end := tagEnd(head)
			if !bytes.HasSuffix(head[:end], []byte("/")) {
				depth++
			}
			head = head[end:]
		case hasFoldPrefix(head, "</"+name) && !continuesName(head, len(name)+2):
			depth--
			head = head[min(tagEnd(head)+1, len(head)):]
		default:
			head = head[1:]
			continue
		}
		if depth <= 0 {
			return hasContent(bytes.TrimPrefix(head, []byte(">")))
		}
	}
}

// continuesName reports whether the name of a tag goes on at i.
func continuesName(tag []byte, i int) bool {
	return i < len(tag) && !bytes.ContainsAny(tag[i:i+1], " \t\r\n\f/>")
}

// hasContent reports whether b has anything but blanks, comments and instructions.
func hasContent(b []byte) bool {
	for {
		b = bytes.TrimLeft(b, " \t\r\n\f\x00")
		switch {
		case bytes.HasPrefix(b, []byte("<!--")):
			b = b[past(b, "-->"):]
		case bytes.HasPrefix(b, []byte("<?")):
			b = b[past(b, ">"):]
		default:
			return len(b) > 0
		}
	}
}

// rootOf reads up to the first element, past comments, processing instructions and the document type. It is not a
// parser: even a malformed document has a first element.
func rootOf(head []byte) (root, bool) {
	r := root{head: head}
	// Some servers send NULs before pages. Here they are white space, but in text they are not.
	rest := bytes.TrimLeft(head, " \t\r\n\f\x00")
	for first := true; len(rest) > 1 && rest[0] == '<'; first = false {
		var end int
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = past(rest, "-->")
		// Any instruction may be before the element, but the declaration must be at the very beginning.
		case rest[1] == '?':
			r.declaration = r.declaration || first && bytes.HasPrefix(rest, []byte("<?xml"))
			// PHP source contains HTML, but is a program.
			if hasFoldPrefix(rest, "<?php") {
				return r, false
			}
			end = past(rest, ">")
		// The internal subset may hold ">" in quotes and brackets.
		case hasFoldPrefix(rest, "<!doctype"):
			end = doctypeEnd(rest)
			// It is in lower case and cut: public names are compared by parts.
			r.doctype = strings.ToLower(string(rest[len("<!doctype"):max(len("<!doctype"), min(end, 512))]))
		case isNameStart(rest[1]):
			r.element(rest[1:])
			return r, true
		// This is "<" and text. The parts so far may be enough.
		default:
			return r, r.declaration || r.doctype != ""
		}
		rest = bytes.TrimLeft(rest[end:], " \t\r\n\f")
	}
	return r, r.declaration || r.doctype != ""
}

// past returns the index after the next mark. If the mark is missing or cut off, it returns the length.
func past(b []byte, mark string) int {
	if at := bytes.Index(b, []byte(mark)); at >= 0 {
		return at + len(mark)
	}
	return len(b)
}

// doctypeEnd returns the end of a document type, past its internal subset. It ignores quotes inside the subset.
func doctypeEnd(b []byte) int {
	end := past(b, ">")
	open := bytes.IndexByte(b[:end], '[')
	if open < 0 {
		return end
	}
	subset := past(b[open:], "]") + open
	return subset + past(b[subset:], ">")
}

// element sets name and attributes from the tag at the beginning of b, after its "<".
func (r *root) element(b []byte) {
	const longestName, longestTag = 128, 4 << 10
	// Of more than 4 KiB of attributes the first are kept.
	b = b[:min(len(b), longestTag)]
	n := 0
	for n < len(b) && n < longestName && !strings.ContainsRune(" \t\r\n\f/>", rune(b[n])) {
		n++
	}
	r.name = string(b[:n])
	// Attributes are kept unparsed, since few documents need one.
	r.attributes = string(b[n : n+tagEnd(b[n:])])
}

// tagEnd returns the index of the ">" that ends a tag, outside quotes, or the length. XML allows a ">" in an
// attribute's value.
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

// local returns the element's name without a prefix. Without a colon IndexByte is -1, and the whole name is local.
func (r *root) local() string {
	return r.name[strings.IndexByte(r.name, ':')+1:]
}

// namespace returns the name bound to the element's prefix, or "". It reads only declarations on the element itself,
// where documents have them.
func (r *root) namespace() string {
	name := "xmlns"
	if prefix, _, found := strings.Cut(r.name, ":"); found {
		name += ":" + prefix
	}
	return r.attribute(name)
}

// attribute returns the value of an attribute of the element. It searches for name and checks its context: before it
// white space or the end of a value, after it "=".
func (r *root) attribute(name string) string {
	rest := r.attributes
	for {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return ""
		}
		// White space around "=" is allowed.
		value := strings.TrimLeft(after, " \t\r\n")
		starts := before != "" && strings.ContainsRune(" \t\r\n\"'", rune(before[len(before)-1]))
		if starts && strings.HasPrefix(value, "=") {
			return unquote(strings.TrimLeft(value[1:], " \t\r\n"))
		}
		// The name was part of a value or of a longer name.
		rest = after
	}
}

// unquote returns the text inside the quotes at the beginning of s.
func unquote(s string) string {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	value, _, _ := strings.Cut(s[1:], s[:1])
	return value
}

// closes reports whether the document has an end tag or a self-closing one. Without any, text in angle brackets is not
// XML. HTML fragments without end tags were handled before.
func (r *root) closes() bool {
	return r.name != "" && (bytes.Contains(r.head, []byte("</")) || bytes.Contains(r.head, []byte("/>")))
}

// isHTML reports whether the document is HTML, in either syntax. It is if it has <html>, a document type of HTML
// without another namespace, or <h:html> of XHTML.
func (r *root) isHTML() bool {
	if strings.EqualFold(r.name, "html") || strings.HasPrefix(strings.TrimSpace(r.doctype), "html") &&
		r.namespaceIsHTML() {
		return true
	}
	return strings.EqualFold(r.local(), "html") && strings.HasSuffix(r.namespace(), "/xhtml")
}

// namespaceIsHTML reports whether the element has no other namespace than XHTML.
func (r *root) namespaceIsHTML() bool {
	ns := r.namespace()
	return ns == "" || strings.HasSuffix(ns, "/xhtml")
}

// htmlType distinguishes XHTML from HTML: XHTML has its namespace and another sign of being XML. Browsers only use the
// declared type; archives hold many pages written as XHTML and served as HTML.
func (r *root) htmlType(h hints) string {
	// One of these is needed: an XML declaration, a document type of XHTML, the declared type.
	written := r.declaration || strings.Contains(r.doctype, "xhtml") || h.declared == typeXHTML
	// The namespace is needed too: without it an XML parser would find no HTML.
	if written && strings.HasSuffix(r.namespace(), "/xhtml") {
		return typeXHTML
	}
	return typeHTML
}

// feed returns the type of feeds and lists. Readers of feeds use Kind; several kinds may share a type.
func (r *root) feed(local string) (Result, bool) {
	ns := r.namespace()
	switch local {
	case "rss":
		return Result{Type: typeRSS, Basis: basisStructure, Kind: "rss"}, true
	// "feed" is a common name, so it needs one of Atom's namespaces, or none.
	case "feed":
		if ns == "" || strings.Contains(ns, "/Atom") || strings.Contains(ns, "purl.org/atom/") ||
			strings.Contains(ns, "purl.org/pie/") {
			return Result{Type: typeAtom, Basis: basisStructure, Kind: "atom"}, true
		}
	// RDF is RSS only if its vocabulary is used.
	case "rdf":
		return Result{Type: "application/rdf+xml", Basis: basisStructure, Kind: r.rdfKind()}, true
	case "opml":
		return Result{Type: "text/x-opml", Basis: basisStructure, Kind: "opml"}, true
	// Sitemaps have no type of their own.
	case "urlset", "sitemapindex":
		return Result{Type: typeXML, Basis: basisStructure, Kind: "sitemap"}, true
	}
	return Result{}, false
}

// rdfKind distinguishes RSS 0.90 and 1.0, whose vocabularies may be bound to any element, from other RDF. It searches
// the whole head, as the namespace may be declared on a channel or item.
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
	// The table is small and used only for XML. It is searched in order, more exact lines first.
	for _, v := range vocabularies {
		if v.element != "" && v.element != local {
			continue
		}
		// An empty element or namespace in the table matches any, since strings.Contains(ns, "") is true.
		if strings.Contains(ns, v.namespace) || ns == "" && v.alone {
			if v.mediaType == flatText {
				return r.flatType()
			}
			return v.mediaType
		}
	}
	// Document types are for vocabularies with many first elements.
	for _, d := range documentTypes {
		if strings.Contains(r.doctype, d.part) {
			return d.mediaType
		}
	}
	return ""
}

const flatText = "application/vnd.oasis.opendocument.flat.text"

// flatType returns the type of an OpenDocument in one XML file, from an attribute.
func (r *root) flatType() string {
	// Text documents are the default, since most are.
	for _, kind := range []string{"presentation", "spreadsheet", "graphics"} {
		if r.attribute("office:mimetype") == "application/vnd.oasis.opendocument."+kind {
			return "application/vnd.oasis.opendocument.flat." + kind
		}
	}
	return flatText
}

// isNameStart reports whether a name may begin with a byte. All non-ASCII bytes are accepted.
func isNameStart(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// hasFoldPrefix reports whether b begins with prefix, ignoring case. Parameter prefix is in lower case.
func hasFoldPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}
