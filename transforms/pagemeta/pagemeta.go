// Package pagemeta reads the metadata of a page: title, description, authors, publisher, dates and the like.
//
// Its sources are data for machines: JSON-LD, OpenGraph, microdata, <link>, <title> and <meta> in the dialects of
// Dublin Core, Highwire, Parsely and Sailthru. For title, authors and dates it also reads what readers see: the
// heading, and by-lines and dates around it. A field without a source is empty, and so is an ambiguous date. Each
// field has its sources in an order, which sources.go explains. Meta.Sources names the source of a field, and
// Meta.Confidence says how often such values are right.
//
//	ld := jsonld.Nodes(p.Scripts(), jsonld.Options{})
//	m := pagemeta.Extract(p, ld, pagemeta.Options{})
//	fmt.Println(m.Title, m.Sources["title"], m.Authors, m.Published)
//
// ParseDate reads dates in the many forms that pages and feeds use, with the names of months in the languages of CLDR
// (package cldr).
//
// Sources: https://ogp.me, schema.org, DCMI Metadata Terms, HTML Living Standard sections 4.2.5 and 5.
package pagemeta

import (
	"cmp"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same page gives other metadata.
const Version = "18"

// Options bound the result; the zero value takes the defaults, which are above what people write.
type Options struct {
	MaxAuthors   int // default 32
	MaxTags      int // default 64
	MaxNameBytes int // of an author, tag, publisher or section; longer ones are left out; default 160
	MaxTextBytes int // of title and description, which are truncated; default 4,096
	MaxURLBytes  int // longer URLs are left out; default 2,048
	// Captured is the time of capture; later dates are left out. The zero value keeps all.
	Captured time.Time
}

func (o Options) withDefaults() Options {
	o.MaxAuthors = cmp.Or(o.MaxAuthors, 32)
	o.MaxTags = cmp.Or(o.MaxTags, 64)
	o.MaxNameBytes = cmp.Or(o.MaxNameBytes, 160)
	o.MaxTextBytes = cmp.Or(o.MaxTextBytes, 4096)
	o.MaxURLBytes = cmp.Or(o.MaxURLBytes, 2048)
	return o
}

// Meta is the metadata of a page; empty fields are unknown.
type Meta struct {
	Title       string
	Description string
	Canonical   string // absolute http(s) URL
	Shortlink   string // absolute http(s) URL
	Authors     []string
	Publisher   string
	Section     string
	Tags        []string
	// Published is RFC 3339 in the zone that the page gives, or only a date if the time or its zone is missing. If the
	// page shows only its last change, it is that date, with a low confidence.
	Published string
	Modified  string // likewise
	// Sources names the source of each field, by the field's name in records (title, authors, …). Values are jsonld,
	// opengraph, meta, microdata, link, title, h1, text (visible around the title), url and script. It is nil if
	// nothing was found.
	Sources map[string]string
	// Confidence is the share of right values in a labelled set among those given for the same reason. It exists for
	// title, authors and published.
	Confidence map[string]schemas.Float
}

// Extract returns the metadata of a page; ld are the page's JSON-LD nodes. The result shares no memory with p.
func Extract(p *page.Page, ld []jsonld.Node, o Options) Meta {
	var m Meta
	// A page without nodes was not parsed.
	if len(p.Nodes) == 0 {
		return m
	}
	f := newFinder(p, ld, o.withDefaults())
	m.Canonical = m.text("canonical", f.first(canonical))
	m.Shortlink = m.text("shortlink", f.first(shortlink))
	m.Publisher = m.text("publisher", f.first(publisher))
	m.Title = m.text("title", f.chosen)
	m.Description = m.text("description", f.first(description))
	m.Section = m.text("section", f.first(section))
	m.Published = m.text("published", f.published())
	m.Modified = m.text("modified", f.modified())
	m.Authors = m.list("authors", f.authors())
	m.Tags = m.list("tags", f.first(tags))
	return m
}

// text takes the first value of an answer. Further values are candidates.
func (m *Meta) text(field string, a answer) string {
	if all := m.list(field, a); len(all) > 0 {
		return all[0]
	}
	return ""
}

// list takes the values of an answer and notes their source.
func (m *Meta) list(field string, a answer) []string {
	if len(a.values) == 0 {
		return nil
	}
	if m.Sources == nil {
		m.Sources = map[string]string{}
	}
	m.Sources[field] = a.source
	if a.confidence > 0 {
		if m.Confidence == nil {
			m.Confidence = map[string]schemas.Float{}
		}
		m.Confidence[field] = schemas.Float(a.confidence)
	}
	return a.values
}
