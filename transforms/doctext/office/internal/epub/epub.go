// Package epub reads electronic books: the chapters in the order of their spine, and what the package document says of
// the book. References never leave the archive: they are names of its parts, or nothing.
//
// The format is that of EPUB 3.3 (https://www.w3.org/TR/epub-33/) and of its elder OPF 2.0.
package epub

import (
	"bytes"
	"errors"
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

// ErrFormat is returned for archives that hold no book.
var ErrFormat = errors.New("not EPUB")

// maxItems bounds the manifest, the spine and the metadata.
const maxItems = 20_000

// book is the package document. It maps what OPF says: the manifest gives parts their ids, the spine orders them by
// these ids, and the metadata are kept by the local names of their elements, several values each.
type book struct {
	items  map[string]string // names of parts by id
	spine  []string          // ids
	values map[string][]string
}

// Read reads the book that the archive holds.
func Read(a *parts.Archive, doc *doctext.Document, o doctext.Options) error {
	o = o.WithDefaults()
	// An archive without a package document may still be a book that lost it: the pages in it are
	// read in the order of the archive.
	name := packageDocument(a, o)
	if name == "" && !a.Has("META-INF/container.xml") {
		return ErrFormat
	}
	b := readPackage(a, name, doc, o)
	b.describe(doc)
	locked := encrypted(a, o)
	out := flow.New(o.MaxText)
	for _, chapter := range b.chapters(a) {
		if out.Full() {
			break
		}
		// encryption.xml names fonts as well, which publishers obfuscate without protecting the book:
		// only locked chapters matter.
		if locked[strings.ToLower(chapter)] {
			doc.Add(doctext.KindEncrypted, "chapters are encrypted")
			continue
		}
		out.Paragraph()
		xhtml.Append(out, a.Read(chapter), doc, o)
	}
	if doc.Text = out.String(); out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	return nil
}

// packageDocument is the name of the package document: the container's first, or else any. The container may list
// several renditions of the same book; the first is the default one.
func packageDocument(a *parts.Archive, o doctext.Options) string {
	for s := xmlscan.New(a.Read("META-INF/container.xml"), o.MaxDepth); s.Next(); {
		if s.Kind == xmlscan.Start && s.Name == "rootfile" {
			if name := s.Attr("full-path"); a.Has(name) {
				return name
			}
		}
	}
	// Broken books: the container's path is wrong, but the document is there.
	for _, name := range a.Names() {
		if strings.EqualFold(path.Ext(name), ".opf") {
			return name
		}
	}
	return ""
}

func readPackage(a *parts.Archive, name string, doc *doctext.Document, o doctext.Options) *book {
	b := &book{items: map[string]string{}, values: map[string][]string{}}
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
		// Names of elements count, not their parents: items outside of the manifest are found in
		// broken books.
		case s.Name == "item" && len(b.items) < maxItems:
			b.items[s.Attr("id")] = resolve(name, s.Attr("href"))
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

// resolve is the name of the part that a reference in another part means. It is relative to the part that holds it, as
// URLs are; what leads out of the archive by "../" ends at its root, since parts cleans names. The fragment leads to a
// place in the chapter, which is read whole.
func resolve(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if u, err := url.PathUnescape(href); err == nil {
		href = u
	}
	return path.Join(path.Dir(from), href)
}

// chapters are the parts of the spine that are there, each once; where there is none, all pages in
// the order of the file. A spine that repeats a chapter a million times costs nothing.
func (b *book) chapters(a *parts.Archive) []string {
	var names []string
	seen := map[string]bool{}
	for _, id := range b.spine {
		if name := b.items[id]; a.Has(name) && !seen[name] && isPage(name) {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return names
	}
	for _, name := range a.Names() {
		if isPage(name) {
			names = append(names, name)
		}
	}
	return names
}

func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".xhtml", ".html", ".htm", ".xml":
		// META-INF holds the container, rights and signatures, never chapters.
		return !strings.HasPrefix(strings.ToLower(name), "meta-inf/")
	}
	return false
}

// encrypted are the parts that META-INF/encryption.xml says are.
func encrypted(a *parts.Archive, o doctext.Options) map[string]bool {
	locked := map[string]bool{}
	src := a.Read("META-INF/encryption.xml")
	// Most books have no such file or only a signature in it, which saves a scan.
	if !bytes.Contains(src, []byte("CipherReference")) {
		return locked
	}
	for s := xmlscan.New(src, o.MaxDepth); s.Next(); {
		if s.Kind == xmlscan.Start && s.Name == "CipherReference" && len(locked) < maxItems {
			// References in META-INF are relative to the root of the archive, unlike all others.
			locked[strings.ToLower(resolve("", s.Attr("URI")))] = true
		}
	}
	return locked
}

// property keeps one element of the metadata. EPUB 3 has more of them in <meta property>, EPUB 2 in <meta name>.
func (b *book) property(s *xmlscan.Scanner) {
	name, value := s.Name, ""
	if name == "dc-metadata" || name == "x-metadata" {
		return
	}
	if name == "meta" {
		// One of the two attributes is there, so putting them together picks it.
		name, value = s.Attr("property")+s.Attr("name"), s.Attr("content")
	}
	if value == "" {
		value = s.All(property.MaxValue)
	}
	// 100 values of one property: a book with more authors than that does not name them in a record.
	if value = property.Text(value); value != "" && len(b.values[name]) < 100 && len(b.values) < maxItems {
		b.values[name] = append(b.values[name], value)
	}
}

func (b *book) describe(d *doctext.Document) {
	// The first title is the main one: publishers list subtitles and series behind it.
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
	d.Created = property.Date(first("date"))
	d.Modified = property.Date(first("dcterms:modified"))
	d.Language = first("language")
	d.Generator = first("generator")
}

// plain is a description without the tags that many have. Descriptions come from the shop's pages and carry HTML,
// escaped once in the XML, so that tags are text here.
func plain(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	out := flow.New(property.MaxValue)
	xhtml.Append(out, []byte(text), &doctext.Document{}, doctext.Options{})
	return property.Text(out.String())
}
