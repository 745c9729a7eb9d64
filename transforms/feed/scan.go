package feed

import "strings"

type tokenKind int

const (
	kindText tokenKind = iota
	kindOpen
	kindClose
	kindCDATA
	kindOther // comment, processing instruction, directive
)

// token is a part of the text, [start, end). Its strings share the text's memory.
type token struct {
	tokenKind
	start, end int
	name       string // of a tag, as written
	body       string // attributes of an opening tag, or content of a CDATA section
	empty      bool   // <name/>
}

// The formats of feeds in Feed.Format.
const (
	typeRSS  = "rss"
	typeRDF  = "rdf"
	typeAtom = "atom"
	typeCDF  = "cdf"
	typeJSON = "json"
	typeOPML = "opml"

	typeSitemap = "sitemap"
)

func (t token) local() string {
	return strings.ToLower(t.name[strings.LastIndexByte(t.name, ':')+1:])
}

// kind is the type of feed with this root, or "". It uses the local name: prefixes differ, and old feeds have none.
func (t token) kind() string {
	switch t.local() {
	case "rss":
		return typeRSS
	case "rdf":
		return typeRDF
	case "feed":
		return typeAtom
	case "channel":
		return typeCDF
	case "opml":
		return typeOPML
	case "urlset", "sitemapindex":
		return typeSitemap
	}
	return ""
}

// known reports whether the root's namespaces are of a feed, since RDF and <feed> have other uses. The other roots
// (rss, opml, channel, urlset) belong to feeds only.
func (t token) known() bool {
	kind := t.kind()
	if kind != typeRDF && kind != typeAtom {
		return true
	}
	// Many Atom feeds were written without a namespace.
	bare := kind == typeAtom // Atom without any namespace
	for name, value := range attributes(t.body) {
		if !strings.HasPrefix(name, "xmlns") {
			continue
		}
		if uri := canonical(value); uri != "" {
			if s, ok := spaces[uri]; ok && s == core {
				return true
			}
			// A default namespace of another vocabulary rules out a feed; other prefixes may be of modules.
			bare = bare && name != "xmlns"
		}
	}
	return bare
}

// junk are elements before a feed by mistake: PHP's warnings, and injections of proxies, hosts and content management
// systems. Each opening tag before the root must be one of these; text between them does not matter.
var junk = names("br b p i a pre font div strong span center small hr img meta base input em u table tr td th tbody")

// injected are elements whose content is not markup, or not of the feed.
var injected = names("script style noscript iframe template title object textarea html head body")

func names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// maxHead bounds the search for a root. Warnings repeat, but not for 64 KiB.
const maxHead = 64 << 10

// lowerASCII is s with ASCII letters in lower case and the same length, which strings.ToLower does not keep.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// findRoot returns the first opening tag that is a feed's root, if only junk is before it. So a page that mentions
// <rss> further down is not a feed.
func findRoot(text string) (token, bool) {
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok || t.start > maxHead {
			return token{}, false
		}
		if t.tokenKind != kindOpen {
			continue
		}
		if t.kind() != "" {
			return t, true
		}
		switch name := t.local(); {
		case injected[name]:
			head := text[t.end:min(len(text), t.end+maxHead)]
			end := strings.Index(lowerASCII(head), "</"+name)
			if end < 0 {
				return token{}, false
			}
			s.pos = t.end + end
		// RSS has a <link> of its own, but not before its root.
		case !junk[name] && name != "link":
			return token{}, false
		}
	}
}

// scanner splits text into tokens in linear time; anything that cannot be a tag is text. Feeds are truncated,
// misnested and full of unescaped text, so no XML parser would do. Field waste keeps it linear: for a text of repeated
// "<a '" each search would run to the end.
type scanner struct {
	text  string
	pos   int
	waste int // bytes searched without success; after too many, quotes in tags no longer count
}

// next returns the next token, or false at the end. It drops an incomplete token at the end, except text and CDATA.
// Each call moves pos.
func (s *scanner) next() (token, bool) {
	if s.pos >= len(s.text) {
		return token{}, false
	}
	start := s.pos
	rest := s.text[start:]
	// Text goes up to the next "<", which may turn out to be text again.
	if rest[0] != '<' {
		return s.textFrom(start), true
	}
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return s.span(kindOther, 4, "-->")
	case strings.HasPrefix(rest, "<![CDATA["):
		return s.span(kindCDATA, 9, "]]>")
	case strings.HasPrefix(rest, "<?"):
		return s.span(kindOther, 2, "?>")
	case strings.HasPrefix(rest, "<!"):
		return s.directive()
	}
	if t, ok := s.tag(start); ok {
		s.pos = t.end
		return t, true
	}
	// "<" begins nothing: it is the first character of a text.
	return s.textFrom(start), true
}

// textFrom is the text from start to the next "<" after the first character, which may itself be "<".
func (s *scanner) textFrom(start int) token {
	end := strings.IndexByte(s.text[start+1:], '<')
	if end < 0 {
		s.pos = len(s.text)
	} else {
		s.pos = start + 1 + end
	}
	return token{tokenKind: kindText, start: start, end: s.pos}
}

// span is a token that ends with closing; head is the length of its opening. Without an end it takes the rest.
func (s *scanner) span(kind tokenKind, head int, closing string) (token, bool) {
	t := token{tokenKind: kind, start: s.pos}
	content := s.text[s.pos+head:]
	n := strings.Index(content, closing)
	if n < 0 {
		t.body, s.pos = content, len(s.text)
	} else {
		t.body, s.pos = content[:n], s.pos+head+n+len(closing)
	}
	t.end = s.pos
	return t, true
}

// directive is a DOCTYPE with or without declarations in brackets, which may contain ">".
func (s *scanner) directive() (token, bool) {
	rest := s.text[s.pos:]
	end := strings.IndexByte(rest, '>')
	// "]>" closes both. Only a bracket before the first ">" belongs to the document type.
	if open := strings.IndexByte(rest, '['); open >= 0 && open < end {
		end = strings.Index(rest, "]>")
		if end >= 0 {
			end++
		}
	}
	t := token{tokenKind: kindOther, start: s.pos}
	s.pos = len(s.text)
	if end >= 0 {
		s.pos = t.start + end + 1
	}
	t.end = s.pos
	return t, true
}

// tag reads an opening or closing tag. If there is none it returns false and moves nothing.
func (s *scanner) tag(start int) (token, bool) {
	t := token{tokenKind: kindOpen, start: start}
	at := start + 1
	if at < len(s.text) && s.text[at] == '/' {
		t.tokenKind = kindClose
		at++
	}
	// "< 5" and "<3" are text.
	n := nameLength(s.text[at:])
	if n == 0 {
		return t, false
	}
	t.name = s.text[at : at+n]
	at += n
	end := s.tagEnd(at)
	if end < 0 {
		return t, false
	}
	t.body, t.end = s.text[at:end], end+1
	if body, ok := strings.CutSuffix(t.body, "/"); ok {
		t.body, t.empty = body, true
	}
	return t, true
}

// tagEnd finds the ">" of a tag whose attributes begin at the given place; -1 if another tag begins before. The check
// for "<" keeps a forgotten ">" from swallowing the next tag.
func (s *scanner) tagEnd(at int) int {
	// After too much waste, quotes are ordinary characters, and every search ends at the next "<" or ">".
	heedQuotes := s.waste <= len(s.text)
	quote := byte(0)
	for i := at; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i
		case c == '<':
			s.waste += i - at
			return -1
		case heedQuotes && (c == '"' || c == '\''):
			quote = c
		}
	}
	// Nothing was found up to the end of the text.
	s.waste += len(s.text) - at
	if quote != 0 && heedQuotes {
		return s.tagEndUnquoted(at)
	}
	return -1
}

// tagEndUnquoted is the end of a tag with an unclosed quote: the first ">".
func (s *scanner) tagEndUnquoted(at int) int {
	i := strings.IndexAny(s.text[at:], "<>")
	if i < 0 || s.text[at+i] == '<' {
		return -1
	}
	return at + i
}

// nameLength is the length of the name of an element or attribute at the head of s, with at most one prefix. XML
// allows letters beyond ASCII, but no feed has them.
func nameLength(s string) int {
	n, colons := 0, 0
	for n < len(s) {
		c := s[n]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_':
		case n > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.'):
		case n > 0 && c == ':':
			colons++
		default:
			return validName(s, n, colons)
		}
		n++
	}
	return validName(s, n, colons)
}

// validName is n, or 0 if the name is invalid.
func validName(s string, n, colons int) int {
	if n == 0 || colons > 1 || s[n-1] == ':' {
		return 0
	}
	return n
}
