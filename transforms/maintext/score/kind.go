package score

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Kinds is the number of kinds of pages.
const Kinds = 7

// hints are words in a page's URL, og:type and generator that show its kind. They were collected from pages of each
// kind; their weights were learnt. A word may point to several kinds.
var hints = [...][]string{
	{
		"forum", "thread", "topic", "viewtopic", "/t/", "question", "discuss", "community", "/comments/", "phpbb",
		"discourse", "vbulletin", "xenforo",
	},
	{"product", "/p/", "/dp/", "/item", "shop", "store", "/buy"},
	{"categor", "collection", "/c/", "catalog", "browse", "/all"},
	{"/tag", "list", "archive", "/page/", "search", "index", "reviews", "courses", "best-", "top-"},
	{
		"/doc", "docs.", "api", "reference", "guide", "manual", "wiki", "tutorial", "sphinx", "mkdocs", "docusaurus", "learn",
		"help",
	},
	{"blog", "news", "article", "story", "post", "/20"},
	{"service", "solution", "pricing", "feature", "about", "platform", "software", "agency", "website"},
}

// kindShares are flags whose share of a page's words shows its kind.
var kindShares = [...]page.Flags{
	page.LikePost, page.LikeComment, page.LikeProduct, page.LikeItem, page.LikeBody, page.LikePromo, page.InTable,
	page.InItem, page.InPre | page.InCode, page.InHeading, page.InArticle, page.InMain, page.InForm, page.InQuote,
}

// appendKind adds to row the features of the page as a whole. It runs between the passes: the second needs the kinds.
func (c *context) appendKind(row []float32) []float32 {
	r := c.r
	row = r.appendAddress(row)
	row = r.appendSigns(row)
	row = r.appendPage(row)
	// First and last certain block, as shares of the page; negative if none is certain.
	row = append(row, c.all.share(), c.all.kept, c.most, c.long, ratio(float32(c.last-c.first), float32(len(c.scores))),
		ratio(float32(c.first), float32(len(c.scores))))
	var in, kept [len(kindShares)]float32
	links, short, blocks, ends := float32(0), float32(0), float32(0), float32(0)
	// links, short and ends are sums of scores: they describe the main text, not the page.
	for i := range r.p.Blocks {
		b := &r.p.Blocks[i]
		words := float32(b.Words)
		for k, f := range kindShares {
			if b.Flags&f != 0 {
				in[k] += words
				kept[k] += words * c.scores[i]
			}
		}
		links += c.scores[i] * words * ratio(b.LinkChars, b.Chars)
		blocks += c.scores[i]
		if words < 8 {
			short += c.scores[i]
		}
		if b.EndsPunct {
			ends += c.scores[i]
		}
	}
	for k := range in {
		row = append(row, ratio(in[k], c.all.words), ratio(kept[k], c.all.kept))
	}
	row = append(row, blocks, ratio(links, c.all.kept), ratio(short, blocks), ratio(ends, blocks),
		ratio(c.all.kept, blocks))
	return r.appendRepeats(row, c)
}

// appendRepeats adds how much of the main text is in elements that look alike, such as cards, posts and rows. Three of
// one look are a list.
func (r *reader) appendRepeats(row []float32, c *context) []float32 {
	var most, mostKept, mostGroups float32
	for i := range r.groups {
		g := &r.groups[i]
		like := c.alike[c.looks.find(uint64(g.sig)|1<<32)]
		n := r.rows[i].like
		if n >= 3 && like.kept > mostKept {
			mostKept, mostGroups = like.kept, n
		}
		most = max(most, n)
	}
	return append(row, most, mostGroups, ratio(mostKept, c.all.kept), ratio(mostKept, mostGroups))
}

// appendAddress adds features of the URL and the metadata. Without a URL all are 0 except the flag that says so.
func (r *reader) appendAddress(row []float32) []float32 {
	url := strings.ToLower(r.p.URL)
	_, path, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(path, "/")
	path = "/" + path
	// Path and host apart: docs.example.org/blog is a blog.
	for _, words := range hints {
		row = append(row, flag(containsAny([]byte(path), words)), flag(containsAny([]byte(host), words)),
			flag(containsAny(r.about, words)))
	}
	digits := 0
	for i := range len(path) {
		if path[i] >= '0' && path[i] <= '9' {
			digits++
		}
	}
	return append(row, flag(url == ""), float32(strings.Count(path, "/")), float32(strings.Count(path, "-")),
		float32(digits), float32(len(path)), flag(len(r.about) == 0))
}

// bodyWords are words in the class of <body>. Content management systems name the template there: a post, a list, a
// product, a thread, a page without a date.
var bodyWords = [...][]string{
	{"single", "article", "post-template", "story", "item-view", "node--type-blog", "page-node-type-news"},
	{"archive", "category", "home", "blog", "tag-", "search", "index", "listing", "frontpage"},
	{"product", "woocommerce", "shop", "catalog"},
	{"topic", "thread", "forum", "bbpress", "question"},
	{"page-template", "page-id", "landing", "node-type-page"},
	{"doc", "wiki", "mediawiki", "manual", "api"},
}

// appendSigns adds signs of the kind that do not depend on the language: schema.org types, the template and dates.
func (r *reader) appendSigns(row []float32) []float32 {
	row = append(row, r.typed[:]...)
	class := bytes.ToLower(r.body[:min(len(r.body), maxBody)])
	for _, words := range bodyWords {
		row = append(row, flag(containsAny(class, words)))
	}
	return append(row, r.told, r.nTime)
}

const maxBody = 500

func containsAny(s []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(s, []byte(w)) {
			return true
		}
	}
	return false
}

// meta reads <meta> i for signs of the kind. RawAttr is enough, as the words contain no references.
func (r *reader) meta(i int) {
	const enough = 256 // bytes
	name, ok := r.p.RawAttr(i, "property")
	if !ok {
		name, _ = r.p.RawAttr(i, "name")
	}
	if bytes.HasPrefix(name, []byte("article:")) {
		r.told++
	}
	// The first such elements are enough.
	if s := string(name); s != "og:type" && s != "generator" || len(r.about) > enough {
		return
	}
	content, _ := r.p.RawAttr(i, "content")
	r.about = append(append(r.about, ' '), bytes.ToLower(content[:min(len(content), enough)])...)
}
