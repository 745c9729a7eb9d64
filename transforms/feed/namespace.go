package feed

import "strings"

// space is the vocabulary of an element. Many URIs mean the same vocabulary: feeds of 1999 to 2005 used drafts, and
// some invented their own.
type space uint8

const (
	core       space = iota // RSS, RDF Site Summary, Atom, CDF, OPML and sitemaps, and elements without a namespace
	unknown                 // not read
	rdf                     // RDF itself
	dublin                  // Dublin Core elements
	terms                   // Dublin Core terms
	content                 // content module of RSS 1.0
	media                   // Media RSS
	itunes                  // Apple's podcasts, and Google's that follow them
	feedburner              // FeedBurner
	update                  // syndication module of RSS 1.0
	xhtml                   // XHTML
	news                    // news sitemaps
	xmlAttrs                // xml:base, xml:lang
)

// spaces are the vocabularies by URI, in canonical form. "http://example.com/…" come from the specifications'
// examples, which people copied. The empty URI undeclares a namespace, which gives core.
var spaces = map[string]space{
	"":                                core,
	"http://backend.userland.com/rss": core, "http://blogs.law.harvard.edu/tech/rss": core,
	"http://backend.userland.com/rss2":   core,
	"http://backend.userland.com/rss091": core, "http://my.netscape.com/rdf/simple/0.9": core,
	"http://channel.netscape.com/rdf/simple/0.9": core,
	"http://purl.org/rss/1.0":                    core, "http://example.com/newformat": core,
	"http://example.com/necho": core,
	"http://purl.org/echo":     core, "http://purl.org/net/rss1.1": core, "http://purl.org/atom/ns": core,
	"http://www.w3.org/2005/atom": core, "http://purl.org/pie": core, "http://purl.org/rss/1.0/modules/rss091": core,
	"http://www.sitemaps.org/schemas/sitemap/0.9": core, "http://www.google.com/schemas/sitemap/0.84": core,
	"http://www.w3.org/1999/02/22-rdf-syntax-ns": rdf,
	"http://purl.org/dc/elements/1.1":            dublin, "http://purl.org/dc/elements/1.0": dublin,
	"http://purl.org/dc/terms":                terms,
	"http://purl.org/rss/1.0/modules/content": content, "http://search.yahoo.com/mrss": media,
	"http://video.search.yahoo.com/mrss": media, "http://www.itunes.com/dtds/podcast-1.0.dtd": itunes,
	"http://example.com/dtds/podcast-1.0.dtd": itunes, "http://www.google.com/schemas/play-podcasts/1.0": itunes,
	"http://rssnamespace.org/feedburner/ext/1.0": feedburner, "http://purl.org/rss/1.0/modules/syndication": update,
	"http://www.w3.org/1999/xhtml": xhtml, "http://www.google.com/schemas/sitemap-news/0.9": news,
	"http://www.w3.org/xml/1998/namespace": xmlAttrs,
}

// prefixes are the vocabularies by usual prefix, for feeds that do not declare it or misspell the URI. A prefix is
// weaker than a URI, so it comes second.
var prefixes = map[string]space{
	"": core, "rss": core, "atom": core, "atom10": core, "atom03": core, "a10": core, "sitemap": core, "rdf": rdf,
	"dc": dublin, "dcterms": terms, "dct": terms, "content": content, "media": media, "itunes": itunes,
	"googleplay": itunes, "feedburner": feedburner, "sy": update, "xhtml": xhtml, "html": xhtml, "body": xhtml,
	"news": news, "xml": xmlAttrs,
}

// spaceOf is the vocabulary of a prefix bound to uri. An unknown URI under a known prefix is probably misspelt.
func spaceOf(prefix, uri string) space {
	if s, ok := spaces[canonical(uri)]; ok {
		return s
	}
	return spaceByName(prefix)
}

// canonical is a namespace's URI as in the table. Feeds differ from the registered form in case, https and a final
// slash or "#".
func canonical(uri string) string {
	uri = strings.TrimRight(strings.ToLower(strings.TrimSpace(uri)), "/#")
	return strings.Replace(uri, "https://", "http://", 1)
}

// spaceByName is the usual vocabulary of a prefix.
func spaceByName(prefix string) space {
	if s, ok := prefixes[strings.ToLower(prefix)]; ok {
		return s
	}
	return unknown
}

// binding is a prefix that an element declares. Bindings are a stack: those of an element go at its end.
type binding struct {
	prefix string
	space  space
	node   int // element
}

// maxBindings bounds the declarations in scope, which are searched for each element. Real feeds declare far fewer.
const maxBindings = 64

// bind adds the namespaces that an element's attributes declare.
func (b *builder) bind(attrs string, node int) {
	if !strings.Contains(attrs, "xmlns") {
		return
	}
	for name, value := range attributes(attrs) {
		prefix, ok := strings.CutPrefix(name, "xmlns")
		if !ok || len(b.bindings) >= maxBindings {
			continue
		}
		prefix = strings.TrimPrefix(prefix, ":")
		b.bindings = append(b.bindings, binding{prefix, spaceOf(prefix, value), node})
	}
}

// unbind removes the declarations of elements from node on.
func (b *builder) unbind(node int) {
	for n := len(b.bindings); n > 0 && b.bindings[n-1].node >= node; n-- {
		b.bindings = b.bindings[:n-1]
	}
}

// space is the vocabulary of a prefix here: the innermost declaration counts.
func (b *builder) space(prefix string) space {
	for i := len(b.bindings) - 1; i >= 0; i-- {
		if b.bindings[i].prefix == prefix {
			return b.bindings[i].space
		}
	}
	return spaceByName(prefix)
}
