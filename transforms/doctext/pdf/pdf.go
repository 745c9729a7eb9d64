// Package pdf reads the text and the metadata of PDF files.
//
//	doc, err := pdf.Read(body, doctext.Options{})
//
// Package object reads the file's objects, also of files that are damaged or cut; package font turns what fonts show
// into text. Here content streams are carried out as far as text is concerned, and the glyphs that they show are put in
// reading order by where they stand on the page: words by gaps, lines by baselines, columns by white space. Nothing is
// drawn, and no text is recognised in pictures.
//
// The format is that of ISO 32000-2:2020, whose sections are quoted.
package pdf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/font"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// ErrFormat says that the bytes are not PDF file: no object was found in them.
var ErrFormat = errors.New("pdf: no PDF file")

// reader reads one file.
type reader struct {
	file    *object.File
	options doctext.Options
	doc     *doctext.Document
	text    strings.Builder
	fonts   map[uintptr]loadedFont
	hidden  map[object.Ref]bool // optional content that is not shown
	used    map[int]bool        // content streams that pages have
	glyphs  []glyph             // of the last page; its memory is used again
	content int64               // work on content streams that may still be done
	toShow  int                 // bytes of strings that may still be shown
	placed  int                 // strings that were shown, also where nobody sees them
	// textless are the forms that show no text, at this depth and deeper.
	textless map[shape]int
	shown    int // glyphs that were shown
	unknown  int // those of them without text
	// incomplete tells that pages are lost.
	incomplete bool
}

// loadedFont holds the dictionary too: as long as it is held, its address is its own.
type loadedFont struct {
	dict object.Dict
	font *font.Font
}

// Read returns the text and the metadata of the PDF file body, which it does not change. The error is ErrFormat;
// whatever else is wrong with the file is among the document's problems. Time and memory are bounded by the options and
// by a small multiple of the body's length.
func Read(body []byte, o doctext.Options) (*doctext.Document, error) {
	o = o.WithDefaults()
	r := &reader{
		file:    object.Open(body, object.Limits{MaxBytes: o.MaxBytes, MaxEntry: o.MaxEntry, MaxDepth: o.MaxDepth}),
		options: o,
		doc:     &doctext.Document{},
		fonts:   map[uintptr]loadedFont{},
		used:    map[int]bool{},
		// Work is bounded by the file's length as well as by the options, so that small files are
		// quick, however hostile.
		content: min(o.MaxBytes, baseWork+workFactor*int64(len(body))),

		textless: map[shape]int{},
		toShow:   (baseWork + workFactor*len(body)) / showFactor,
	}
	// Empty holds after the repair only, which Open has done by then.
	if r.file.Empty() {
		return nil, ErrFormat
	}
	// Pages come before the metadata: walking the tree may repair the file, which may find another
	// trailer.
	pages := r.pages()
	r.doc.Pages = len(pages)
	r.metadata()
	if r.file.Locked {
		r.doc.Add(doctext.KindEncrypted, "a password is needed")
		return r.doc, nil
	}
	r.hidden = r.hiddenContent()
	for i, p := range pages {
		// One form feed between pages, also between empty ones, so that pages can be counted in the
		// text.
		if i > 0 {
			r.text.WriteByte('\f')
		}
		r.readPage(&r.text, p)
		// Metadata and pages are complete, the text is cut: reader cuts it once more at whole
		// characters.
		if r.text.Len() >= o.MaxText {
			r.doc.Add(doctext.KindLimit, fmt.Sprintf("text after %d bytes, on page %d, is left out", o.MaxText, i+1))
			break
		}
	}
	if r.incomplete {
		r.readLost()
	}
	r.doc.Text = cutText(r.text.String(), o.MaxText)
	r.problems(len(pages))
	return r.doc, nil
}

// problems notes what kept the file from being read whole.
func (r *reader) problems(pages int) {
	if pages == 0 {
		r.doc.Add(doctext.KindDamaged, "no pages")
	}
	if r.file.Repaired != "" {
		r.doc.Add(doctext.KindDamaged, r.file.Repaired)
	}
	// A document is "cut" where work ended early, wherever that was.
	if r.file.Cut || r.content <= 0 {
		r.doc.Add(doctext.KindLimit, "a bound on objects or bytes was reached")
	}
	// Pages that show no glyph at all are scans; glyphs without text are another problem.
	if pages > 0 && strings.Trim(r.doc.Text, "\f\n") == "" && r.shown == 0 {
		r.doc.Add(doctext.KindNoText, "no page has text")
	}
	// One in ten is more than a font of bullets brings.
	if r.unknown > r.shown/10 {
		r.doc.Add(doctext.KindUnsupported, fmt.Sprintf("%d of %d glyphs have no known text", r.unknown, r.shown))
	}
}

// cutText returns at most limit bytes of s, whole characters. ToValidUTF8 drops the character that the cut has torn.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "")
}
