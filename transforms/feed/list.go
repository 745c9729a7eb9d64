package feed

import (
	"cmp"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// readOPML reads a list of feeds: its outlines with the URL of a feed, at any depth. It reads all nodes in document
// order.
func (r *reader) readOPML() {
	// Only the head's own children: an outline has a title, too.
	if head := r.child(0, core, "head"); head >= 0 {
		for i := range r.children(head) {
			switch r.nodes[i].name {
			case "title":
				set(&r.f.Title, r.plainText(i))
			case "datemodified":
				r.date(&r.f.Updated, i)
			case "datecreated":
				r.date(&r.f.Published, i)
			case "ownername":
				r.author(&r.f.Authors, i)
			}
		}
	}
	for i := range r.nodes {
		// An OPML of a podcast directory may have tens of thousands.
		if r.nodes[i].name == "outline" && len(r.f.Announced) < r.o.MaxItems {
			r.outline(i)
		}
	}
}

// outline keeps an outline if it has the URL of a feed: others are folders and links.
func (r *reader) outline(i int) {
	href := r.link(i, r.attr(i, "xmlurl"))
	if webURL(href) == "" {
		return
	}
	r.f.Announced = append(r.f.Announced, Outline{
		Feed: schemas.Feed{
			URL: webURL(href), Type: outlineKind(href, r.attr(i, "version"), r.attr(i, "type")),
			// "title" is the feed's, "text" the list's name for it.
			Title: clean(cmp.Or(r.attr(i, "title"), r.attr(i, "text")), r.o.MaxTextBytes),
		},
		Link: r.link(i, r.attr(i, "htmlurl")),
	})
}

// outlineKind is the type of a feed in a list, by its version or type. OPML writes "rss" for all, so then the URL may
// decide.
func outlineKind(href, version, kind string) string {
	switch s := strings.ToLower(version + " " + kind); {
	case strings.Contains(s, "atom"):
		return typeAtom
	case strings.Contains(s, "rss1"), strings.Contains(s, "rdf"):
		return typeRDF
	case strings.Contains(s, "json"):
		return typeJSON
	}
	return cmp.Or(nameKind(href), typeRSS)
}

// readSitemap reads a sitemap, whose pages become items, or an index of sitemaps. Both have the same children: loc and
// lastmod.
func (r *reader) readSitemap() {
	// The root has no version, but may have a version attribute of another vocabulary.
	r.f.Version = ""
	for i := range r.children(0) {
		switch r.nodes[i].name {
		case "url":
			// An entry without a location is skipped.
			if it := r.sitemapURL(i); it.Link != "" && r.mayAdd() {
				r.f.Items = append(r.f.Items, it)
			}
		case "sitemap":
			it := r.sitemapURL(i)
			// The list of sitemaps is bounded like that of items.
			if isWeb(it.Link) && len(r.f.Announced) < r.o.MaxItems {
				r.f.Announced = append(r.f.Announced, Outline{
					Feed:    schemas.Feed{URL: it.Link, Type: typeSitemap},
					Updated: it.Updated,
				})
			}
		}
	}
}

func (r *reader) sitemapURL(at int) Item {
	var it Item
	for i := range r.children(at) {
		switch r.nodes[i].name {
		case "loc":
			// image:loc and video:content_loc belong to other vocabularies.
			if r.nodes[i].space == core {
				set(&it.Link, r.link(i, r.value(i)))
			}
		case "lastmod":
			r.date(&it.Updated, i)
		case "news":
			r.newsItem(&it, i)
		}
	}
	return it
}

// newsItem reads the news element of an article. The newspaper's name is the feed's title. Names suffice here: the
// element around is Google's own.
func (r *reader) newsItem(it *Item, at int) {
	for i := range r.children(at) {
		switch r.nodes[i].name {
		case "title":
			set(&it.Title, r.plainText(i))
		case "publication_date":
			r.date(&it.Published, i)
		case "keywords":
			r.keywords(&it.Categories, i)
		case "publication":
			r.publication(it, i)
		}
	}
}

// publication reads the newspaper's name and language, which repeat in each article.
func (r *reader) publication(it *Item, at int) {
	for i := range r.children(at) {
		switch r.nodes[i].name {
		case "name":
			set(&it.Publication, r.plainText(i))
			set(&r.f.Title, it.Publication)
		case "language":
			language := r.line(i)
			set(&r.f.Language, language)
			// Only a language that differs from the first article's is kept.
			if language != r.f.Language {
				it.Language = language
			}
		}
	}
}
