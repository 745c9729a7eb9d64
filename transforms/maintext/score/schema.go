package score

import (
	"bytes"
	"math"
)

// schemaTypes are the schema.org types that show a page's kind, by kind. "Article" also matches names that end so,
// such as "NewsArticle". Unlike words in a URL, types do not depend on the page's language.
var schemaTypes = [Kinds][]string{
	{"Article", "BlogPosting", "Report", "Recipe", "Review"},
	{"DiscussionForumPosting", "QAPage", "Question", "Comment"},
	{"Product", "ProductGroup", "Offer"},
	{"CollectionPage", "ItemList", "OfferCatalog", "SearchResultsPage"},
	{"Blog", "ListItem", "ProfilePage"},
	{"TechArticle", "APIReference", "HowTo", "SoftwareSourceCode"},
	{"Service", "FAQPage", "LocalBusiness", "SoftwareApplication", "Organization"},
}

var typeKinds = func() map[string]int {
	kinds := map[string]int{}
	for kind, names := range schemaTypes {
		for _, name := range names {
			kinds[name] = kind
		}
	}
	return kinds
}()

// typed counts, by kind, the elements of a page with a type of that kind.
type typed [Kinds]float32

// maxTypes bounds the types of one page that count: enough to tell one article from a list.
const maxTypes = 200

// jsonLD counts the types in JSON-LD without parsing it: a type is any value after "@type".
func (t *typed) jsonLD(src []byte) {
	for range maxTypes {
		i := bytes.Index(src, []byte(`"@type"`))
		if i < 0 {
			return
		}
		src = src[i+len(`"@type"`):]
		t.values(src)
	}
}

// scale makes features of the counts: the step from one to two is more than from eleven to twelve.
func (t *typed) scale() {
	for i := range t {
		t[i] = float32(math.Log2(float64(1 + min(t[i], maxTypes))))
	}
}

// maxTypeBytes bounds the value after "@type".
const maxTypeBytes = 100

// values counts the string, or the strings in brackets, after "@type".
func (t *typed) values(s []byte) {
	s = bytes.TrimLeft(s[:min(len(s), maxTypeBytes)], " \t\r\n:")
	list := bytes.HasPrefix(s, []byte("["))
	for {
		s = bytes.TrimLeft(s, " \t\r\n[,")
		s = bytes.TrimPrefix(s, []byte(`"`))
		name, rest, ok := bytes.Cut(s, []byte(`"`))
		if !ok {
			return
		}
		t.add(name)
		s = rest
		if !list || bytes.HasPrefix(bytes.TrimLeft(s, " \t\r\n"), []byte("]")) {
			return
		}
	}
}

// add counts a type, given by name or by URL.
func (t *typed) add(name []byte) {
	name = name[bytes.LastIndexAny(name, "/#:")+1:]
	kind, ok := typeKinds[string(name)]
	if !ok && bytes.HasSuffix(name, []byte("Article")) {
		kind, ok = 0, true
	}
	if ok {
		t[kind]++
	}
}
