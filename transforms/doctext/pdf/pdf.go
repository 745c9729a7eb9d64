// Package pdf reads the text and the metadata of PDF files.
//
//	doc, err := pdf.Read(body, doctext.Options{})
//
// Package object reads the file's objects, even from damaged or truncated files. Package font converts shown strings
// to text. This package executes the text operators of content streams. It puts the glyphs in reading order by their
// place on the page: words by gaps, lines by baselines, columns by white space. It draws nothing, and recognises no
// text in pictures.
//
// The format is that of ISO 32000-2:2020; section numbers refer to it.
package pdf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/font"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// ErrFormat means that the input is not a PDF file: it has no objects.
var ErrFormat = errors.New("pdf: no PDF file")

// reader reads one file.
type reader struct {
	file    *object.File
	options doctext.Options
	doc     *doctext.Document
	text    strings.Builder
	fonts   map[uintptr]loadedFont
	layers  layers       // optional content
	used    map[int]bool // content streams used by pages
	glyphs  []glyph      // of the last page; its memory is used again
	marks   structure
	tags    *tags
	content int64 // work on content streams that may still be done
	toShow  int   // bytes of strings that may still be shown
	placed  int   // strings shown, including invisible ones
	// textless are the forms that show no text at the given depth or deeper.
	textless map[shape]int
	shown    int // glyphs shown
	unknown  int // glyphs shown without known text
	// incomplete means that pages are lost.
	incomplete bool
}

// loadedFont holds the dictionary too, so that its address is not used again.
type loadedFont struct {
	dict object.Dict
	font *font.Font
}

// Read returns the text and the metadata of the PDF file body. It does not change body. The only error is ErrFormat;
// other faults of the file are among the document's problems. The options and a small multiple of the body's length
// bound time and memory.
func Read(body []byte, o doctext.Options) (*doctext.Document, error) {
	o = o.WithDefaults()
	r := &reader{
		file:    object.Open(body, object.Limits{MaxBytes: o.MaxBytes, MaxEntry: o.MaxEntry, MaxDepth: o.MaxDepth}),
		options: o,
		doc:     &doctext.Document{},
		fonts:   map[uintptr]loadedFont{},
		used:    map[int]bool{},
		// Work is bounded by the file's length as well as by the options, so that small files are quick even if
		// hostile.
		content: min(o.MaxBytes, baseWork+workFactor*int64(len(body))),

		textless: map[shape]int{},
		marks:    structure{letters: map[look]int{}},
		toShow:   (baseWork + workFactor*len(body)) / showFactor,
	}
	// Empty is right only after a repair. Open has repaired the file if necessary.
	if r.file.Empty() {
		return nil, ErrFormat
	}
	// Pages come before the metadata: walking the tree may repair the file, which may find another trailer.
	pages := r.pages()
	r.doc.Pages = len(pages)
	r.metadata()
	if r.file.Locked {
		r.doc.Add(doctext.KindEncrypted, "a password is needed")
		return r.doc, nil
	}
	r.layers = r.readLayers()
	if r.tags = r.readTags(); r.tags != nil && r.doc.Language == "" {
		r.doc.Language = r.tags.usualLanguage()
	}
	for i, p := range pages {
		// One form feed divides all pages, even empty ones, so that pages can be counted in the text.
		if i > 0 {
			r.text.WriteByte('\f')
		}
		r.readPage(&r.text, p)
		// Metadata and pages are complete, but the text is truncated. Package reader cuts it again at a whole
		// character.
		if r.text.Len() >= o.MaxText {
			r.doc.Add(doctext.KindLimit, fmt.Sprintf("text after %d bytes, on page %d, is left out", o.MaxText, i+1))
			break
		}
	}
	if r.incomplete {
		r.readLost()
	}
	r.doc.Text = cutText(r.text.String(), o.MaxText)
	r.doc.Blocks = r.marks.blocks(r.doc.Text, r.bookmarks(pages))
	r.doc.Shown = r.marks.shown(r.doc.Text)
	r.problems(len(pages))
	return r.doc, nil
}

// problems notes why the file was not read whole.
func (r *reader) problems(pages int) {
	if pages == 0 {
		r.doc.Add(doctext.KindDamaged, "no pages")
	}
	if r.file.Repaired != "" {
		r.doc.Add(doctext.KindDamaged, r.file.Repaired)
	}
	if r.file.Broken {
		r.doc.Add(doctext.KindDamaged, "compressed data are damaged: a part of them is lost")
	}
	// KindLimit means that work ended early for any reason.
	if r.file.Cut || r.content <= 0 {
		r.doc.Add(doctext.KindLimit, "a bound on objects or bytes was reached")
	}
	root := r.file.Dict(r.file.Trailer["Root"])
	if needs, _ := r.file.Resolve(root["NeedsRendering"]).(bool); needs {
		r.doc.Add(doctext.KindUnsupported, "a form in XFA, of which the pages show a notice")
	} else if r.file.Dict(root["Collection"]) != nil {
		r.doc.Add(doctext.KindUnsupported, "a portfolio, of which the attached files are not read")
	}
	// Pages without any glyph are scans. Glyphs without text are another problem.
	if pages > 0 && strings.Trim(r.doc.Text, "\f\n") == "" && r.shown == 0 {
		r.doc.Add(doctext.KindNoText, "no page has text")
	}
	// A font of bullets has fewer than one in ten.
	if r.unknown > r.shown/10 {
		r.doc.Add(doctext.KindUnsupported, fmt.Sprintf("%d of %d glyphs have no known text", r.unknown, r.shown))
	}
}

// cutText returns at most limit bytes of s, in whole characters. ToValidUTF8 drops a split character.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "")
}
