// Package epub reads electronic books: the chapters in the order of their spine, and the metadata of the package
// document. References can only name parts of the archive.
//
// The formats are EPUB 3.3 (https://www.w3.org/TR/epub-33/) and its predecessor OPF 2.0.
package epub

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xhtml"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// ErrFormat is returned for archives that hold no book.
var ErrFormat = errors.New("not EPUB")

// maxItems bounds the manifest, the spine and the metadata.
const maxItems = 20_000

// book is the package document. The manifest maps ids to names of parts, and the spine orders the parts by these ids.
// Metadata is kept by the local names of its elements, several values for each.
type book struct {
	items  map[string]string // names of parts by id
	texts  map[string]bool   // ids of items whose media type is that of a chapter
	spine  []string          // ids
	values map[string][]string
	tdm    string // the prefix of properties of TDMRep
}

// Read reads the book in the archive.
func Read(a *parts.Archive, doc *doctext.Document, o doctext.Options) error {
	o = o.WithDefaults()
	// An archive without a package document may still be a damaged book. Its pages are then read in the order of the
	// archive.
	name := packageDocument(a, o)
	if name == "" && !a.Has("META-INF/container.xml") {
		return ErrFormat
	}
	b := readPackage(a, name, doc, o)
	b.describe(doc)
	locked := encrypted(a, o)
	out := flow.New(o.MaxText)
	for _, chapter := range b.chapters(a, doc) {
		if out.Full() {
			break
		}
		// File encryption.xml also names fonts, which publishers obfuscate without protecting the book. So only
		// encrypted chapters count.
		if locked[strings.ToLower(chapter)] {
			doc.Add(doctext.KindEncrypted, "chapters are encrypted")
			continue
		}
		out.Paragraph()
		xhtml.Append(out, a.Read(chapter), "", doc, o)
	}
	if doc.Text = out.String(); out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	return nil
}

// chapters returns the existing parts of the spine, each once. Without a spine it returns all pages in the order of
// the file. A spine that repeats a chapter a million times costs nothing.
func (b *book) chapters(a *parts.Archive, doc *doctext.Document) []string {
	var names []string
	seen := map[string]bool{}
	for _, id := range b.spine {
		switch name := b.items[id]; {
		case !a.Has(name):
			doc.Add(doctext.KindDamaged, "a chapter of the spine is missing: "+id)
		case !seen[name] && (b.texts[id] || isPage(name)):
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

// isText reports whether a media type is that of chapters, in any version of the format.
func isText(media string) bool {
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml", "application/xml",
		"text/xml":
		return true
	}
	return false
}

// isPage reports whether a part is a page by its name, as media types may be wrong.
func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".xhtml", ".html", ".htm", ".xml":
		// META-INF holds the container, rights and signatures, never chapters.
		return !strings.HasPrefix(strings.ToLower(name), "meta-inf/")
	}
	return false
}

// encrypted returns the parts that META-INF/encryption.xml lists as encrypted.
func encrypted(a *parts.Archive, o doctext.Options) map[string]bool {
	locked := map[string]bool{}
	src := a.Read("META-INF/encryption.xml")
	// Most books have no such file, or only a signature in it. This saves a scan.
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
