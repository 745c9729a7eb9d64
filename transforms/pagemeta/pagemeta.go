// Package pagemeta says what a page says of itself: title, description, authors, publisher, dates and the like.
//
// It reads what is meant for machines (JSON-LD, OpenGraph, <meta> in the dialects of Dublin Core, Highwire, Parsely and
// Sailthru, microdata, <link>) and, for the title alone, <title> and <h1>. It does not read bylines and dates out of the
// running text, and it makes nothing up: a field without a source is empty. For each field the sources are asked in an
// order with a reason, which stands beside the order in sources.go; Meta.Sources says which one answered.
//
//	ld := jsonld.Nodes(p.Scripts(), jsonld.Options{})
//	m := pagemeta.Extract(p, ld, pagemeta.Options{})
//	fmt.Println(m.Title, m.Sources["title"], m.Authors, m.Published)
//
// ParseDate reads dates in the many forms that pages and feeds use.
//
// Sources: https://ogp.me, schema.org, DCMI Metadata Terms, HTML Living Standard sections 4.2.5 and 5.
package pagemeta

import (
	"cmp"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same page gives other metadata.
const Version = "1"

// Options bound what is kept; the zero value takes the defaults.
type Options struct {
	MaxAuthors   int // 32
	MaxTags      int // 64
	MaxNameBytes int // of an author, tag, publisher or section: longer ones are no names and are left out; 160
	MaxTextBytes int // of title and description, which are cut; 4,096
	MaxURLBytes  int // longer URLs are left out; 2,048
}

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
	Published   string // RFC 3339 in UTC, or a date alone where the time or its zone is not given
	Modified    string // likewise
	// Sources tells where each field comes from, by the field's name in records (title, authors, …): one of jsonld,
	// opengraph, meta, microdata, link, title and h1. It is nil when nothing was found.
	Sources map[string]string
}

// Extract returns the metadata of a page; ld are the page's JSON-LD nodes.
func Extract(p *page.Page, ld []jsonld.Node, o Options) Meta {
	f := newFinder(p, ld, o.withDefaults())
	var m Meta
	m.Canonical = f.text(&m, "canonical", f.canonical())
	m.Shortlink = f.text(&m, "shortlink", f.shortlink())
	m.Publisher = f.text(&m, "publisher", f.publisher())
	m.Title = f.text(&m, "title", f.title())
	m.Description = f.text(&m, "description", f.description())
	m.Section = f.text(&m, "section", f.section())
	m.Published = f.text(&m, "published", f.published())
	m.Modified = f.text(&m, "modified", f.modified())
	m.Authors = f.list(&m, "authors", f.authors())
	m.Tags = f.list(&m, "tags", f.tags())
	return m
}

// candidate is one source's answer: values that were cleaned already.
type candidate struct {
	source string
	values []string
}

// text takes the first value of the first candidate that has one.
func (f *finder) text(m *Meta, field string, candidates []candidate) string {
	if all := f.list(m, field, candidates); len(all) > 0 {
		return all[0]
	}
	return ""
}

// list takes the values of the first candidate that has any, and notes its source.
func (f *finder) list(m *Meta, field string, candidates []candidate) []string {
	for _, c := range candidates {
		if len(c.values) == 0 {
			continue
		}
		if m.Sources == nil {
			m.Sources = map[string]string{}
		}
		m.Sources[field] = c.source
		return c.values
	}
	return nil
}
