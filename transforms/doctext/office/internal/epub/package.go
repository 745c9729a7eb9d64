package epub

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xhtml"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// packageDocument returns the name of the package document: the container's first, or else any. The container may list
// several renditions of the same book; the first is the default.
func packageDocument(a *parts.Archive, o doctext.Options) string {
	for s := xmlscan.New(a.Read("META-INF/container.xml"), o.MaxDepth); s.Next(); {
		if s.Kind == xmlscan.Start && s.Name == "rootfile" {
			if name := s.Attr("full-path"); a.Has(name) {
				return name
			}
		}
	}
	// In some broken books the container's path is wrong, but the document exists.
	for _, name := range a.Names() {
		if strings.EqualFold(path.Ext(name), ".opf") {
			return name
		}
	}
	return ""
}

func readPackage(a *parts.Archive, name string, doc *doctext.Document, o doctext.Options) *book {
	b := &book{items: map[string]string{}, texts: map[string]bool{}, values: map[string][]string{}, tdm: "tdm:"}
	src := a.Read(name)
	if len(src) == 0 {
		return b
	}
	s := xmlscan.New(src, o.MaxDepth)
	for s.Next() {
		if s.Kind != xmlscan.Start {
			continue
		}
		switch parent := s.Parent(); {
		case s.Name == "package":
			b.tdm = prefixOf(s.Attr("prefix"), doctext.NamespaceTDM, b.tdm)
		// The parents of elements are not checked, since broken books have items outside the manifest.
		case s.Name == "item" && len(b.items) < maxItems:
			id := s.Attr("id")
			b.items[id] = resolve(name, s.Attr("href"))
			b.texts[id] = isText(s.Attr("media-type"))
		case s.Name == "itemref" && len(b.spine) < maxItems:
			b.spine = append(b.spine, s.Attr("idref"))
		// OPF 1 wraps the elements of Dublin Core in dc-metadata, and others in x-metadata.
		case parent == "metadata" || parent == "dc-metadata" || parent == "x-metadata":
			b.property(s)
		}
	}
	if s.Err() != nil {
		doc.Add(doctext.KindDamaged, name+": "+s.Err().Error())
	}
	return b
}

// resolve returns the name of the part that a reference means. Like a URL, it is relative to the part that holds it. A
// path that leaves the archive by "../" ends at its root, since parts cleans names. The fragment is dropped, because
// chapters are read whole.
func resolve(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if u, err := url.PathUnescape(href); err == nil {
		href = u
	}
	return path.Join(path.Dir(from), href)
}

// property keeps one element of the metadata. EPUB 3 has further elements in <meta property>, EPUB 2 in <meta name>.
func (b *book) property(s *xmlscan.Scanner) {
	name, value := s.Name, ""
	if name == "dc-metadata" || name == "x-metadata" {
		return
	}
	if name == "meta" {
		// An element has only one of the two attributes, so joining them picks it.
		name, value = s.Attr("property")+s.Attr("name"), s.Attr("content")
	}
	if value == "" {
		value = s.All(property.MaxValue)
	}
	// Of EPUB 2, section 2.2.7: other events, such as conversion, are not the book's. Some are original-publication.
	switch event := strings.ToLower(s.Attr("event")); {
	case name != "date" || event == "" || strings.HasSuffix(event, "publication"):
	case event == "creation":
		name = "created"
	case event == "modification":
		name = "dcterms:modified"
	default:
		return
	}
	// A property keeps at most 100 values: a book with more authors does not name them all in a record.
	if value = property.Text(value); value != "" && len(b.values[name]) < 100 && len(b.values) < maxItems {
		b.values[name] = append(b.values[name], value)
	}
}

func (b *book) describe(d *doctext.Document) {
	// The first title is the main one: publishers list subtitles and series after it.
	first := func(name string) string {
		if v := b.values[name]; len(v) > 0 {
			return v[0]
		}
		return ""
	}
	d.Title = first("title")
	d.Description = plain(first("description"))
	d.Authors = property.List(strings.Join(b.values["creator"], "\n"), "\n")
	d.Publisher = first("publisher")
	d.Tags = property.List(strings.Join(b.values["subject"], "\n"), "\n;")
	d.Created = property.Date(cmp.Or(first("date"), first("created")))
	d.Modified = property.Date(first("dcterms:modified"))
	d.Language = first("language")
	d.Rights = b.values["rights"]
	d.Generator = first("generator")
	d.Reservation, d.Policy = first(b.tdm+"reservation"), first(b.tdm+"policy")
}

// prefixOf returns the prefix that is declared for a vocabulary, with its colon (EPUB 3.3, section D.1.4), or usual.
func prefixOf(declared, vocabulary, usual string) string {
	words := strings.Fields(declared)
	for i := 0; i+1 < len(words); i += 2 {
		if strings.TrimRight(words[i+1], "/#") == vocabulary {
			return words[i]
		}
	}
	return usual
}

// plain removes tags from a description. Descriptions come from shops' pages and often hold HTML. It is escaped in the
// XML, so tags are text here.
func plain(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	out := flow.New(property.MaxValue)
	xhtml.Append(out, []byte(text), "", &doctext.Document{}, doctext.Options{})
	return property.Text(out.String())
}
