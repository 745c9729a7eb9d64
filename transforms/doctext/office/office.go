// Package office reads the text and metadata of office documents and electronic books. Its formats are:
//
//   - Office Open XML: DOCX, PPTX, XLSX, their templates and variants, and DOCX in one XML file;
//   - the XML of Office 2003;
//   - OpenDocument: ODT, ODS, ODP, also as flat XML;
//   - EPUB and RTF;
//   - the binary formats of Office 97 to 2003: DOC, XLS, PPT.
//
// The first bytes of a document decide its format, since the media types of servers are often wrong.
//
//	d, err := office.Read("application/rtf", body, doctext.Options{})
//	if err != nil {
//		return err // nothing at all could be read
//	}
//	fmt.Println(d.Title, d.Text, d.Problems)
//
// The text contains paragraphs, tables, lists, footnotes and endnotes, comments, text boxes and notes of slides. It
// also contains the titles and names in charts and diagrams. Headers, footers and the text of masters come once.
// Deleted text, codes of fields, readings of characters, pictures, other embedded documents and macros are left out.
//
// Read accesses nothing outside body, expands no entity and computes no formula. Besides doctext.Options, an archive
// is bounded to 20,000 entries. Each is unpacked to at most 200 times its size, or 1 MiB if that is more.
package office

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/cfb"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/message"
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
const Version = "7"

// ErrFormat is returned, wrapped, for documents of other formats, and for documents of which nothing can be read.
var ErrFormat = errors.New("not a document of these formats")

// Read reads the document body. It ignores the media type: on the web many DOC files are RTF or HTML, and many XLS
// files are XLSX. An error, which wraps ErrFormat, means that nothing could be read. Lesser faults are among the
// document's problems.
func Read(_ string, body []byte, o doctext.Options) (*doctext.Document, error) {
	d := &doctext.Document{}
	if err := read(body, d, o, nil, 0); err != nil {
		return nil, fmt.Errorf("office: %w: %w", ErrFormat, err)
	}
	return d, nil
}

// read reads a document, or one that is included in another, outer.
func read(body []byte, d *doctext.Document, o doctext.Options, outer *parts.Archive, depth int) error {
	switch {
	// Compound files come first. An encrypted DOCX is one too; package legacy reports that it is encrypted, or opens
	// it.
	case cfb.Is(body):
		inner, err := legacy.Read(body, d, o)
		// Otherwise compound files could contain each other for ever.
		if err != nil || !bytes.HasPrefix(inner, []byte("PK")) {
			return err
		}
		return read(inner, d, o, outer, depth)
	// An archive may begin with an uncompressed RTF document, which the next test would take for the whole.
	case bytes.HasPrefix(body, []byte("PK")): // a part may be stored uncompressed at the beginning
	// Some programs write a byte order mark or white space before the brace, so 64 bytes are searched.
	case bytes.Contains(body[:min(len(body), 64)], []byte(`{\rt`)):
		return rtf.Read(body, d, o)
	// The root element comes after an XML declaration and comments, which rarely exceed 1 KiB.
	case bytes.Contains(body[:min(len(body), 1024)], []byte("<office:document")):
		return odf.ReadFlat(body, d, o)
	case ooxml.IsFlat(body):
		return ooxml.ReadFlat(body, d, o, nil)
	}
	// An included document shares the byte budget of the outer one. Otherwise archives within archives would multiply
	// it.
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
	// Each reader recognises its format by required parts, and passes on other formats. Office Open XML is by far the
	// most frequent, so it comes first.
	err = ooxml.Read(a, d, o, embedder(a, d, o, depth))
	if errors.Is(err, ooxml.ErrFormat) {
		err = epub.Read(a, d, o)
	}
	if errors.Is(err, epub.ErrFormat) {
		err = odf.Read(a, d, o)
	}
	return err
}

// embedder reads documents that a text document includes in its text: HTML, RTF, text documents. They may be nested
// two deep.
func embedder(a *parts.Archive, d *doctext.Document, o doctext.Options, depth int) ooxml.Embed {
	// The inner document gets its own problems, since d takes only one of each kind. They are added below.
	return func(body []byte, out *flow.Text) {
		inner := &doctext.Document{}
		// Many programs include their page as MHTML, a message.
		page, contentType, _ := message.Page(body)
		switch {
		case depth >= 2:
			d.Add(doctext.KindLimit, "documents are included too deeply")
			return
		case read(body, inner, o, a, depth+1) == nil:
			out.Add(inner.Text)
		case page != nil:
			xhtml.Append(out, page, contentType, inner, o)
		// Anything else is HTML if there is a tag in it, and plain text otherwise.
		case bytes.IndexByte(body, '<') >= 0:
			xhtml.Append(out, body, "", inner, o)
		default:
			out.AddBytes(body)
		}
		for _, p := range inner.Problems {
			d.Add(p.Kind, p.Message)
		}
	}
}
