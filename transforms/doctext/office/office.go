// Package office reads the text and metadata of office documents and electronic books: Office Open XML (DOCX, PPTX,
// XLSX and their templates and variants), the XML of Office 2003 and DOCX in one file of XML, OpenDocument (ODT, ODS,
// ODP, also as flat XML), EPUB, RTF, and the binary formats of Office 97 to 2003 (DOC, XLS, PPT). What a document says
// it is counts less than what it begins with: the media types of servers are often wrong.
//
//	d, err := office.Read("application/rtf", body, doctext.Options{})
//	if err != nil {
//		return err // nothing at all could be read
//	}
//	fmt.Println(d.Title, d.Text, d.Problems)
//
// What is text: paragraphs, tables, lists, footnotes and endnotes, headers and footers once, comments, text boxes, the
// titles and names in charts and diagrams, notes of slides, text of their masters once. What is not: text that was
// deleted, codes of fields, readings of characters, pictures, other documents that are embedded, macros.
//
// Nothing outside of body is read, no entity expanded, no formula computed. Bounds, beside those of doctext.Options:
// 20,000 entries of an archive, each unpacked to at most 200 times its size above 1 MiB.
package office

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/cfb"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/epub"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/legacy"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/odf"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/ooxml"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/rtf"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xhtml"
)

// Version changes whenever the same document may give another result.
const Version = "3"

// ErrFormat is returned, wrapped, for what is not a document of these formats, or of which nothing is left.
var ErrFormat = errors.New("not a document of these formats")

// Reads reports whether documents of a media type are read here.
func Reads(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	for _, prefix := range []string{
		"application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.", "application/vnd.sun.xml.",
		"application/vnd.ms-word", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
		"application/vnd.ms-spreadsheetml",
	} {
		if strings.HasPrefix(mime, prefix) {
			return true
		}
	}
	// Besides the registered types, those by which servers and Apache Tika name the same files.
	switch mime {
	case "application/msword", "application/epub+zip", "application/rtf", "text/rtf", "application/x-rtf", "text/richtext",
		"application/msexcel", "application/mspowerpoint", "application/x-tika-ooxml", "application/x-ole-storage",
		"application/x-cfb":
		return true
	}
	return false
}

// Read reads the document body, whatever its media type: all formats tell what they are. The error, which wraps
// ErrFormat, is for what nothing can be read of; all else is among the document's problems. The media type is not
// looked at: of DOC files on the web many are RTF or HTML, and of XLS files many are XLSX.
func Read(_ string, body []byte, o doctext.Options) (*doctext.Document, error) {
	d := &doctext.Document{}
	if err := read(body, d, o, nil, 0); err != nil {
		return nil, fmt.Errorf("office: %w: %w", ErrFormat, err)
	}
	return d, nil
}

// read reads a document, or one that is a part of another, outer.
func read(body []byte, d *doctext.Document, o doctext.Options, outer *parts.Archive, depth int) error {
	switch {
	// Compound files first: an encrypted DOCX is one, too, and legacy says that it is encrypted, or opens it.
	case cfb.Is(body):
		inner, err := legacy.Read(body, d, o)
		// A compound file in a compound file could go on for ever.
		if err != nil || !bytes.HasPrefix(inner, []byte("PK")) {
			return err
		}
		return read(inner, d, o, outer, depth)
	// An archive may hold an RTF document uncompressed at its beginning, which the next test would
	// take for the whole.
	case bytes.HasPrefix(body, []byte("PK")): // a part may be stored as it is, in front
	// 64 bytes: some programs write a byte order mark or white space before the brace.
	case bytes.Contains(body[:min(len(body), 64)], []byte(`{\rt`)):
		return rtf.Read(body, d, o)
	// The root element comes after an XML declaration and comments, which rarely take more than 1
	// KiB.
	case bytes.Contains(body[:min(len(body), 1024)], []byte("<office:document")):
		return odf.ReadFlat(body, d, o)
	case ooxml.IsFlat(body):
		return ooxml.ReadFlat(body, d, o, nil)
	}
	// An included document shares the budget of the outer one (bytes that all entries inflate to):
	// archives within archives would otherwise multiply it.
	open := parts.Open
	if outer != nil {
		open = func(body []byte, d *doctext.Document, _ doctext.Options) (*parts.Archive, error) {
			return outer.Nested(body, d)
		}
	}
	a, err := open(body, d, o)
	if err != nil {
		return err
	}
	// Each reader knows its own format by the parts that it must have, and passes on what is not its
	// own. Office Open XML is by far the most frequent, so it is asked first.
	err = ooxml.Read(a, d, o, embedder(a, d, o, depth))
	if errors.Is(err, ooxml.ErrFormat) {
		err = epub.Read(a, d, o)
	}
	if errors.Is(err, epub.ErrFormat) {
		err = odf.Read(a, d, o)
	}
	return err
}

// embedder reads documents that a text document includes as parts of its text: HTML, RTF, text documents, one in the
// other no deeper than two.
func embedder(a *parts.Archive, d *doctext.Document, o doctext.Options, depth int) ooxml.Embed {
	// The inner document gets its own problems, since d takes only one of a kind: they are added
	// below.
	return func(body []byte, out *flow.Text) {
		inner := &doctext.Document{}
		switch {
		case depth >= 2:
			d.Add(doctext.KindLimit, "documents are included too deeply")
			return
		case read(body, inner, o, a, depth+1) == nil:
			out.Add(inner.Text)
		// Neither a package nor RTF nor XML: HTML when there is a tag in it, and plain text
		// otherwise.
		case bytes.IndexByte(body, '<') >= 0:
			xhtml.Append(out, body, inner, o)
		default:
			out.AddBytes(body)
		}
		for _, p := range inner.Problems {
			d.Add(p.Kind, p.Message)
		}
	}
}
