// Package pagemeta says what a page says of itself: title, description, authors, publisher, dates and the like.
//
// It reads what is meant for machines (JSON-LD, OpenGraph, <meta> in the dialects of Dublin Core, Highwire, Parsely and
// Sailthru, microdata, <link>, <title>) and, of title, authors and dates, what readers see: the heading, and by-lines
// and dates around it. It makes nothing up: a field without a source is empty, and so is a date that could be read in
// two ways. For each field the sources are asked in an order with a reason, which is beside the order in
// sources.go; Meta.Sources says which one answered, Meta.Confidence how often such answers are right.
//
//	ld := jsonld.Nodes(p.Scripts(), jsonld.Options{})
//	m := pagemeta.Extract(p, ld, pagemeta.Options{})
//	fmt.Println(m.Title, m.Sources["title"], m.Authors, m.Published)
//
// ParseDate reads dates in the many forms that pages and feeds use, with the names of months in the
// languages of CLDR (package cldr).
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
const Version = "9"

// Options bound what is kept; the zero value takes the defaults. The defaults are above what people write.
type Options struct {
	MaxAuthors   int // 32
	MaxTags      int // 64
	MaxNameBytes int // of an author, tag, publisher or section: longer ones are not names and are left out; 160
	MaxTextBytes int // of title and description, which are cut; 4,096
	MaxURLBytes  int // longer URLs are left out; 2,048
	// Captured is when the page was captured; dates after it are left out. The zero value leaves out none.
	Captured time.Time
}

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	o.MaxAuthors = cmp.Or(o.MaxAuthors, 32)
	o.MaxTags = cmp.Or(o.MaxTags, 64)
	o.MaxNameBytes = cmp.Or(o.MaxNameBytes, 160)
	o.MaxTextBytes = cmp.Or(o.MaxTextBytes, 4096)
	o.MaxURLBytes = cmp.Or(o.MaxURLBytes, 2048)
	return o
}

// Meta is what a page says of itself; empty fields are not known.
type Meta struct {
	Title       string
	Description string
	Canonical   string // absolute http(s) URL
	Shortlink   string // absolute http(s) URL
	Authors     []string
	Publisher   string
	Section     string
	Tags        []string
	// Published is RFC 3339 in the zone that the page gives, or a date alone where the time or its zone is not given. Of a
	// page that shows only when it was last changed it is that date, with the confidence of such.
	Published string
	Modified  string // likewise
	// Sources tells where each field comes from, by the field's name in records (title, authors, …): one of jsonld,
	// opengraph, meta, microdata, link, title, h1, text (what readers see around the title), url and script. It is nil
	// when nothing was found.
	Sources map[string]string
	// Confidence is the share of values that are right among those of a labelled set that were given for the same
	// reason: of title, authors and published, for which there are labels.
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

// text takes the first value of an answer. The others of a list are further candidates, not more titles.
func (m *Meta) text(field string, a answer) string {
	if all := m.list(field, a); len(all) > 0 {
		return all[0]
	}
	return ""
}

// list takes the values of an answer, and notes where they come from.
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
