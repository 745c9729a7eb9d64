package pagemeta

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
)

// The sources, as Meta.Sources names them.
const (
	fromJSONLD    = "jsonld"
	fromOpenGraph = "opengraph"
	fromMeta      = "meta"
	fromMicrodata = "microdata"
	fromLink      = "link"
	fromTitle     = "title"
	fromH1        = "h1"
	fromText      = "text" // what readers see around the title
	fromURL       = "url"
)

// canonical: the link is what search engines read and sites therefore maintain; og:url is often the URL of a template.
func (f *finder) canonical() []candidate {
	return []candidate{
		{fromLink, f.urls(f.linked("canonical"))},
		{fromOpenGraph, f.urls(f.meta("og:url"))},
		{fromJSONLD, f.urls(f.main.Strings("url"))},
	}
}

func (f *finder) shortlink() []candidate {
	return []candidate{
		{fromLink, f.urls(append(f.linked("shortlink"), f.linked("shorturl")...))},
		{fromMeta, f.urls(f.meta("shortlink"))},
	}
}

// publisher: a work's own publisher is the most exact; og:site_name is the name that the site goes by.
func (f *finder) publisher() []candidate {
	name := func(values []string) []string { return f.names(values, 1) }
	return []candidate{
		{fromJSONLD, name(f.resolved(f.main, "publisher"))},
		{fromOpenGraph, name(f.meta("og:site_name"))},
		{fromJSONLD, name(append(f.resolved(f.web, "publisher"), f.siteNames()...))},
		{fromMicrodata, name(f.props("publisher"))},
		{fromMeta, name(f.meta("dc.publisher", "dcterms.publisher", "citation_publisher", "publisher", "application-name", "al:ios:app_name"))},
	}
}

// siteNames are the names of the WebSite nodes.
func (f *finder) siteNames() []string {
	var all []string
	for _, n := range f.ld {
		for _, t := range n.Types() {
			if t == "WebSite" {
				all = append(all, n.Strings("name")...)
			}
		}
	}
	return all
}

// description: <meta name=description> is written for the same purpose as ours, a summary; a product's description in
// JSON-LD is often the whole text.
func (f *finder) description() []candidate {
	return []candidate{
		{fromMeta, f.texts(f.meta("description"))},
		{fromOpenGraph, f.texts(f.meta("og:description", "twitter:description"))},
		{fromJSONLD, f.texts(append(f.main.Strings("description"), f.web.Strings("description")...))},
		{fromMicrodata, f.texts(f.props("description"))},
		{fromMeta, f.texts(f.meta("dc.description", "dcterms.description", "dcterms.abstract", "sailthru.description", "abstract"))},
	}
}

func (f *finder) section() []candidate {
	name := func(values []string) []string { return f.names(values, 1) }
	return []candidate{
		{fromJSONLD, name(f.main.Strings("articleSection"))},
		{fromOpenGraph, name(f.meta("article:section", "og:article:section"))},
		{fromMicrodata, name(f.props("articleSection"))},
		{fromMeta, name(f.meta("parsely-section", "section", "sailthru.verticals", "dc.type.section", "category"))},
	}
}

// tags: those written for the article come before the site's keywords, which are often the same on every page.
func (f *finder) tags() []candidate {
	tag := func(values []string) []string { return f.names(splitTags(values), f.o.MaxTags) }
	return []candidate{
		{fromJSONLD, tag(f.main.Strings("keywords"))},
		{fromOpenGraph, tag(f.meta("article:tag", "og:article:tag", "video:tag"))},
		{fromMicrodata, tag(f.props("keywords"))},
		{fromMeta, tag(f.meta("parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords", "keywords", "dc.subject", "dcterms.subject"))},
		{fromLink, tag(f.anchors("tag"))},
	}
}

// splitTags takes lists apart: at commas, or at semicolons where there is one.
func splitTags(values []string) []string {
	var all []string
	for _, v := range values {
		separator := ","
		if strings.Contains(v, ";") {
			separator = ";"
		}
		all = append(all, strings.Split(v, separator)...)
	}
	return all
}

// maxAnchors bounds the anchors of one relation.
const maxAnchors = 256

// anchors are the texts of the page's anchors of one relation.
func (f *finder) anchors(rel string) []string {
	var all []string
	for _, a := range f.p.Anchors() {
		if a.Rel == "" || len(all) >= maxAnchors {
			continue
		}
		for r := range strings.FieldsSeq(a.Rel) {
			if r == rel {
				all = append(all, a.Text)
				break
			}
		}
	}
	return all
}

// authors: JSON-LD names people as such; article:author is mostly a profile's URL, which is left out; the byline link
// comes last because pages give it to all their authors, of teasers too.
func (f *finder) authors() []candidate {
	if f.isProduct() {
		return nil // what is said there is its maker or who reviewed it
	}
	declared := f.declaredAuthors()
	if f.by.names == "" || !f.by.spoken && f.shown.published == nil && !f.article() {
		return declared
	}
	shown := candidate{fromText, f.people([]string{f.by.names})}
	for _, c := range declared {
		for _, v := range c.values {
			if len(shown.values) > 0 && letters(v) == letters(shown.values[0]) {
				return []candidate{c}
			}
		}
	}
	if f.by.spoken {
		return append([]candidate{shown}, declared...)
	}
	return append(declared, shown)
}

func (f *finder) declaredAuthors() []candidate {
	return []candidate{
		{fromJSONLD, f.people(append(f.resolved(f.main, "author"), f.resolved(f.main, "creator")...))},
		{fromMeta, f.people(f.meta("citation_author", "parsely-author", "sailthru.author"))},
		{fromMeta, f.people(f.meta("author"))},
		{fromOpenGraph, f.people(f.meta("article:author", "og:article:author", "article:author_name", "og:author"))},
		{fromJSONLD, f.people(f.resolved(f.web, "author"))},
		{fromMicrodata, f.people(f.props("author"))},
		{fromMeta, f.people(f.meta("dc.creator", "dcterms.creator", "dc.contributor", "byl", "authors", "article.author", "creator"))},
		{fromMeta, f.people(f.twitterAuthor())},
		{fromLink, f.people(f.anchors("author"))},
	}
}

// twitterAuthor is the author that WordPress' plug-ins write as "Written by" beside twitter:label1.
func (f *finder) twitterAuthor() []string {
	for _, n := range []string{"1", "2"} {
		label := f.meta("twitter:label" + n)
		if len(label) > 0 && strings.EqualFold(strings.TrimSpace(label[0]), "written by") {
			return f.meta("twitter:data" + n)
		}
	}
	return nil
}

// resolved are the texts of a node's property. Objects that only refer to a node by its @id stand for that node; where
// there is one, plain texts beside the objects are left out.
func (f *finder) resolved(n jsonld.Node, key string) []string {
	var all []string
	references := false
	for _, c := range n.Child(key) {
		names := c.Strings("name")
		if len(names) == 0 {
			names, references = f.byID[c.String("@id")].Strings("name"), true
		}
		all = append(all, names...)
	}
	if !references {
		return n.Strings(key)
	}
	return all
}

// published: of the work itself, then of the page; OpenGraph's article times are as exact (88 % of pages give the
// visible date). Names of <meta> that any date may have come last.
func (f *finder) published() []candidate {
	if f.isProduct() || f.isFrontPage() {
		return nil
	}
	inURL := candidate{fromURL, dates([]string{urlDate(f.p.URL)})}
	declared := f.declaredPublished()
	s := f.shown.published
	switch {
	case s == nil && f.catalogued():
		return []candidate{inURL}
	case s == nil:
		return append(declared, inURL)
	}
	if c, ok := sameDay(declared, s); ok {
		return []candidate{c}
	}
	if !f.shown.labelled {
		if _, ok := sameDay(f.modified(), s); ok {
			return append(declared, inURL) // the page shows when it was changed
		}
		if len(inURL.values) > 0 {
			return []candidate{inURL}
		}
		if f.ofList() {
			return declared
		}
	}
	return []candidate{{fromText, []string{s.String()}}}
}

// sameDay is the candidate that gives the day d.
func sameDay(all []candidate, d *Date) (candidate, bool) {
	day := d.Day()
	for _, c := range all {
		for _, v := range c.values {
			if strings.HasPrefix(v, day) {
				return c, true
			}
		}
	}
	return candidate{}, false
}

func (f *finder) declaredPublished() []candidate {
	return []candidate{
		{fromJSONLD, dates(append(f.main.Strings("datePublished"), f.main.Strings("uploadDate")...))},
		{fromOpenGraph, dates(f.meta("article:published_time", "og:article:published_time", "article:published", "og:published_time", "og:pubdate", "video:release_date"))},
		{fromJSONLD, dates(f.web.Strings("datePublished"))},
		{fromMicrodata, dates(f.props("datePublished"))},
		{fromMeta, dates(f.anyMeta(
			"datepublished", "parsely-pub-date", "sailthru.date", "citation_publication_date", "citation_online_date", "dc.date.issued", "dcterms.issued",
			"dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "pubdate", "publishdate", "publish-date", "publish_date",
			"publication_date", "publication-date", "date-published", "article.published", "cxenseparse:recs:publishtime", "citation_date",
			"datecreated", "date"))},
		{fromJSONLD, dates(f.main.Strings("dateCreated"))},
		{fromMicrodata, dates(f.props("dateCreated"))},
	}
}

func (f *finder) modified() []candidate {
	return []candidate{
		{fromJSONLD, dates(f.main.Strings("dateModified"))},
		{fromOpenGraph, dates(f.meta("article:modified_time", "og:article:modified_time", "og:updated_time", "article:updated_time", "article:modified"))},
		{fromJSONLD, dates(f.web.Strings("dateModified"))},
		{fromMicrodata, dates(f.props("dateModified"))},
		{fromMeta, dates(f.anyMeta("datemodified", "dcterms.modified", "dc.date.modified", "dc.modified", "last-modified", "lastmod", "modified", "revised", "updated"))},
	}
}

// anyMeta returns the values of all of names, in that order.
func (f *finder) anyMeta(names ...string) []string {
	var all []string
	for _, name := range names {
		all = append(all, f.metas[name]...)
	}
	return all
}

// urlDate is the day that is a part of a URL's path, /2016/02/09/.
func urlDate(u string) string {
	for i := 0; i+len("/2006/01/02/") <= len(u); i++ {
		p := u[i : i+len("/2006/01/02/")]
		if p[0] == '/' && p[5] == '/' && p[8] == '/' && (p[11] == '/') && (p[1:3] == "19" || p[1:3] == "20") {
			return p[1:11]
		}
	}
	return ""
}
