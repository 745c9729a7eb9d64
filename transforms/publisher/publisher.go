// Package publisher determines the kind of a page's site, in the terms of Datastreamer's source_publisher_type: a
// forum, a weblog, a newspaper. It uses what sites declare, and how they are made: the generator, schema.org types,
// the host, the form of the URL. Each signal has a weight. If they are not enough, or two kinds are about equal, the
// result is UNKNOWN.
//
//	site := publisher.Of(p, nodes)
//	if site.PublisherType == schemas.PublisherForum {
//		…
//	}
//
// It does not read a page's text, and does not determine kinds of pages: a shop's weblog is not a weblog site.
// docs/formats/datastreamer.md has measurements.
package publisher

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when the same page has another result.
const Version = "4"

// Of returns what p and the nodes of its JSON-LD show about its site.
func Of(p *page.Page, nodes []jsonld.Node) schemas.Site {
	s := schemas.Site{Title: meta(p, "og:site_name", "application-name"), PublisherType: Type(SignalsOf(p, nodes))}
	for _, n := range nodes {
		if s.Title == "" && hasType(n, "WebSite") {
			s.Title = n.String("name")
		}
		if s.Description == "" && hasType(n, "WebSite") {
			s.Description = n.String("description")
		}
	}
	for _, f := range feed.Announced(p, nil) {
		if format := feedFormat(f.Type); format != "" {
			s.FeedURL, s.FeedTitle, s.FeedFormat = f.URL, f.Title, format
			break
		}
	}
	for _, l := range p.Links() {
		if s.Favicon == "" && slices.Contains(l.Rel, "icon") && strings.HasPrefix(l.Href, "http") {
			s.Favicon = l.Href
		}
	}
	s.Profiles = profiles(p, nodes)
	return s
}

// maxProfiles bounds the profiles of a site: real ones have a dozen.
const maxProfiles = 100

// profiles returns the distinct URLs of a site's profiles elsewhere. They come from links with rel=me, and from sameAs
// of the site or its publisher. Authors and subjects of a page have profiles of their own, which are left out.
func profiles(p *page.Page, nodes []jsonld.Node) (list []string) {
	add := func(links ...string) {
		for _, link := range links {
			u, err := url.Parse(strings.TrimSpace(link))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				continue
			}
			if u := u.String(); len(list) < maxProfiles && !slices.Contains(list, u) {
				list = append(list, u)
			}
		}
	}
	for _, l := range p.Links() {
		if slices.Contains(l.Rel, "me") {
			add(l.Href)
		}
	}
	for _, l := range p.Anchors() {
		if slices.Contains(strings.Fields(l.Rel), "me") {
			add(l.Href)
		}
	}
	for _, n := range nodes {
		for _, n := range append(n.Child("publisher"), n) {
			if slices.ContainsFunc(n.Types(), isSite) {
				add(n.Strings("sameAs")...)
			}
		}
	}
	for _, item := range p.Items() {
		if slices.ContainsFunc(item.Type, isSite) {
			add(sameAs(item)...)
		}
	}
	return list
}

// sameAs returns the sameAs URLs of an item.
func sameAs(item *page.Item) (list []string) {
	for _, p := range item.Props {
		if p.Name == "sameAs" {
			list = append(list, p.Value)
		}
	}
	return list
}

// isSite reports whether a schema.org type, or its URL, means a site or a publisher of one.
func isSite(kind string) bool {
	kind = kind[strings.LastIndexByte(kind, '/')+1:]
	return strings.HasSuffix(kind, "Organization") || slices.Contains(
		[]string{"WebSite", "Blog", "Corporation", "LocalBusiness", "NGO", "Brand", "OnlineBusiness", "OnlineStore"}, kind)
}

func feedFormat(kind string) string {
	switch kind {
	case "atom":
		return "ATOM"
	case "rss", "rdf":
		return "RSS"
	}
	return ""
}

func meta(p *page.Page, names ...string) string {
	for _, name := range names {
		for _, m := range p.Metas() {
			if m.Name == name && strings.TrimSpace(m.Content) != "" {
				return strings.Join(strings.Fields(m.Content), " ")
			}
		}
	}
	return ""
}

func hasType(n jsonld.Node, name string) bool { return slices.Contains(n.Types(), name) }

// Signals are the evidence for the kind of a site. Texts are in lower case, except for the types.
type Signals struct {
	Host      string   // "forum.example.com"
	Domain    string   // registrable: "example.com"
	Path      string   // of the URL, with its query
	Generator string   // <meta name=generator>
	Types     []string // of schema.org, in JSON-LD and microdata
	Feeds     bool     // the page announces a feed
}

// SignalsOf collects a page's signals.
func SignalsOf(p *page.Page, nodes []jsonld.Node) Signals {
	s := Signals{Host: strings.ToLower(urlkey.Host(p.URL)), Generator: strings.ToLower(meta(p, "generator"))}
	s.Domain = urlkey.RegistrableDomain(s.Host)
	if u, err := url.Parse(p.URL); err == nil {
		s.Path = strings.ToLower(u.RequestURI())
	}
	s.Types = typesOf(p, nodes)
	for _, f := range feed.Announced(p, nil) {
		s.Feeds = s.Feeds || feedFormat(f.Type) != ""
	}
	return s
}

// typesOf returns the schema.org types of everything that a page describes, in JSON-LD and in microdata.
func typesOf(p *page.Page, nodes []jsonld.Node) (types []string) {
	for _, n := range nodes {
		types = append(types, n.Types()...)
	}
	for _, item := range p.Items() {
		for _, t := range item.Type {
			types = append(types, t[strings.LastIndexByte(t, '/')+1:])
		}
	}
	return types
}
