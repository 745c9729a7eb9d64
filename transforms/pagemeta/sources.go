package pagemeta

import "strings"

// The sources in Meta.Sources. Records hold them, so they do not change.
const (
	fromJSONLD    = "jsonld"
	fromOpenGraph = "opengraph"
	fromMeta      = "meta"
	fromMicrodata = "microdata"
	fromLink      = "link"
	fromTitle     = "title"
	fromH1        = "h1"
	fromText      = "text" // visible around the title
	fromURL       = "url"
	fromScript    = "script" // data of scripts other than JSON-LD
)

// source is one place of a field's value. A field is a list of sources, asked in order until one answers. ask drops
// placeholders, so that the next source is asked.
type source struct {
	name string
	ask  func(f *finder) []string // clean values
}

// answer is the clean values of a source, the best first; without values there is no answer.
type answer struct {
	source     string
	values     []string
	confidence float64 // 0 if not measured
}

func (f *finder) first(sources []source) answer {
	for _, s := range sources {
		if v := s.ask(f); len(v) > 0 {
			return answer{source: s.name, values: v}
		}
	}
	return answer{}
}

// canonical: search engines read the link, so sites maintain it; og:url is often the URL of a template.
var canonical = []source{
	{fromLink, func(f *finder) []string { return f.linked("canonical") }},
	{fromOpenGraph, func(f *finder) []string { return f.urls(f.meta("og:url")) }},
	{fromJSONLD, func(f *finder) []string { return f.urls(f.main.Strings("url")) }},
}

// shortlink: WordPress and others have it in a link; in <meta> it is rare.
var shortlink = []source{
	{fromLink, func(f *finder) []string { return f.linked("shortlink") }},
	{fromLink, func(f *finder) []string { return f.linked("shorturl") }},
	{fromMeta, func(f *finder) []string { return f.urls(f.meta("shortlink")) }},
}

// publisher: a work's own publisher is the most exact; og:site_name is the common name of the site.
var publisher = []source{
	{fromJSONLD, func(f *finder) []string { return f.name(f.resolved(f.main, "publisher")) }},
	{fromOpenGraph, func(f *finder) []string { return f.name(f.meta("og:site_name")) }},
	{fromJSONLD, func(f *finder) []string { return f.name(f.resolved(f.web, "publisher")) }},
	{fromJSONLD, func(f *finder) []string { return f.name(f.siteNames()) }},
	{fromMicrodata, func(f *finder) []string { return f.name(f.props("publisher")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.name, "dc.publisher", "dcterms.publisher", "citation_publisher", "publisher", "application-name",
			"al:ios:app_name")
	}},
}

// description: <meta name=description> is a summary, as wanted; a product's description in JSON-LD is often the whole
// text.
var description = []source{
	{fromMeta, func(f *finder) []string { return f.texts(f.meta("description")) }},
	{fromOpenGraph, func(f *finder) []string { return f.metaBy(f.texts, "og:description", "twitter:description") }},
	{fromJSONLD, func(f *finder) []string { return f.texts(f.main.Strings("description")) }},
	{fromJSONLD, func(f *finder) []string { return f.texts(f.web.Strings("description")) }},
	{fromMicrodata, func(f *finder) []string { return f.texts(f.props("description")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.texts, "dc.description", "dcterms.description", "dcterms.abstract", "sailthru.description",
			"abstract")
	}},
}

// section: of the article itself; "category" comes last, since any page may have it.
var section = []source{
	{fromJSONLD, func(f *finder) []string { return f.name(f.main.Strings("articleSection")) }},
	{fromOpenGraph, func(f *finder) []string { return f.metaBy(f.name, "article:section", "og:article:section") }},
	{fromMicrodata, func(f *finder) []string { return f.name(f.props("articleSection")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.name, "parsely-section", "section", "sailthru.verticals", "dc.type.section", "category")
	}},
}

// tags: those of the article come before the site's keywords, which are often the same on every page.
var tags = []source{
	{fromJSONLD, func(f *finder) []string { return f.tags(f.main.Strings("keywords")) }},
	{fromOpenGraph, func(f *finder) []string { return f.metaBy(f.tags, "article:tag", "og:article:tag", "video:tag") }},
	{fromMicrodata, func(f *finder) []string { return f.tags(f.props("keywords")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.tags, "parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords", "keywords",
			"dc.subject", "dcterms.subject")
	}},
	{fromLink, func(f *finder) []string { return f.tags(f.anchors("tag")) }},
}

// declaredTitles: the headline of the main work is only the title. The og:title may contain the site's name like
// <title>, so it is removed from all.
var declaredTitles = []source{
	{fromJSONLD, func(f *finder) []string { return f.titles(f.main.Strings("headline")) }},
	{fromJSONLD, func(f *finder) []string { return f.titles(f.main.Strings("name")) }},
	{fromOpenGraph, func(f *finder) []string { return f.titles(f.meta("og:title")) }},
	{fromMicrodata, func(f *finder) []string { return f.titles(f.props("headline")) }},
	{fromMicrodata, func(f *finder) []string { return f.titles(f.props("name")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.titles, "citation_title", "parsely-title", "sailthru.title", "dc.title", "dcterms.title",
			"twitter:title")
	}},
	{fromTitle, func(f *finder) []string { return f.titles([]string{f.docTitle}) }},
}

var declaredSigns = []signs{signHeadline, signName, signGraph, signItem, signItem, signMeta, signTitle}

// declaredAuthors: JSON-LD marks people; article:author is mostly a profile's URL, which is dropped. The link comes
// last, because pages give it to authors of teasers too.
var declaredAuthors = []source{
	{fromJSONLD, func(f *finder) []string {
		return f.people(append(f.resolved(f.main, "author"), f.resolved(f.main, "creator")...))
	}},
	{fromMeta, func(f *finder) []string {
		return f.people(natural(f.meta("citation_author")))
	}},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.people, "parsely-author", "sailthru.author")
	}},
	{fromMeta, func(f *finder) []string { return f.people(f.meta("author")) }},
	{fromOpenGraph, func(f *finder) []string {
		return f.metaBy(f.people, "article:author", "og:article:author", "article:author_name", "og:author")
	}},
	{fromJSONLD, func(f *finder) []string { return f.people(f.resolved(f.web, "author")) }},
	{fromMicrodata, func(f *finder) []string { return f.people(f.props("author")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.people, "dc.creator", "dcterms.creator", "dc.contributor", "byl", "authors", "article.author",
			"creator")
	}},
	{fromMeta, func(f *finder) []string { return f.people(f.twitterAuthor()) }},
	{fromLink, func(f *finder) []string { return f.people(f.anchors("author")) }},
}

// twitterAuthor is the author that plug-ins of WordPress write as "Written by" in twitter:label1 and twitter:data1.
// There are two such pairs.
func (f *finder) twitterAuthor() []string {
	for _, n := range []string{"1", "2"} {
		label := f.meta("twitter:label" + n)
		if len(label) > 0 && strings.EqualFold(strings.TrimSpace(label[0]), "written by") {
			return f.meta("twitter:data" + n)
		}
	}
	return nil
}

// declaredPublished: of the work itself, then of the page; OpenGraph's article times are as exact. Names of <meta>
// that fit any date come last.
var declaredPublished = []source{
	{fromJSONLD, func(f *finder) []string { return f.dates(f.main.Strings("datePublished")) }},
	{fromJSONLD, func(f *finder) []string { return f.dates(f.main.Strings("uploadDate")) }},
	{fromOpenGraph, func(f *finder) []string {
		return f.metaBy(f.dates, "article:published_time", "og:article:published_time", "article:published",
			"og:published_time", "og:pubdate", "video:release_date")
	}},
	{fromJSONLD, func(f *finder) []string { return f.dates(f.web.Strings("datePublished")) }},
	{fromMicrodata, func(f *finder) []string { return f.dates(f.props("datePublished")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.dates,
			"datepublished", "parsely-pub-date", "sailthru.date", "citation_publication_date", "citation_online_date",
			"dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "pubdate",
			"publishdate", "publish-date", "publish_date", "publication_date", "publication-date", "published-date",
			"w-published-date", "date-published", "article.published", "cxenseparse:recs:publishtime", "citation_date",
			"published_date", "publisheddate", "published-time", "published_at", "published", "og:publish_date",
			"cxenseparse:publishtime", "dc.issued", "dc.created", "datecreated", "date", "ms.date")
	}},
	{fromJSONLD, func(f *finder) []string { return f.dates(f.main.Strings("dateCreated")) }},
	{fromMicrodata, func(f *finder) []string { return f.dates(f.props("dateCreated")) }},
}

// declaredModified: in the same order.
var declaredModified = []source{
	{fromJSONLD, func(f *finder) []string { return f.dates(f.main.Strings("dateModified")) }},
	{fromOpenGraph, func(f *finder) []string {
		return f.metaBy(f.dates, "article:modified_time", "og:article:modified_time", "og:updated_time",
			"article:updated_time", "article:modified")
	}},
	{fromJSONLD, func(f *finder) []string { return f.dates(f.web.Strings("dateModified")) }},
	{fromMicrodata, func(f *finder) []string { return f.dates(f.props("dateModified")) }},
	{fromMeta, func(f *finder) []string {
		return f.metaBy(f.dates, "datemodified", "dcterms.modified", "dc.date.modified", "dc.modified", "last-modified",
			"lastmodified", "last-updated", "updated_at", "modified_date", "modified-date", "og:modified_time", "lastmod",
			"modified", "revised", "updated")
	}},
}
