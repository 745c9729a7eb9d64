package enrich

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/doctext/ocr"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// ocrNeeds returns what each page of a PDF needs, decided once. It is nil for other bodies.
func (w *work) ocrNeeds() []ocr.Need {
	if d := w.document(); d != nil && w.needs == nil && len(d.PageMarks) > 0 {
		w.needs = ocr.Needs(d.Text, d.PageMarks)
	}
	return w.needs
}

// setNeedsOCR sets the pages that need OCR. A locked or broken document has none that could be judged.
func (w *work) setNeedsOCR() {
	needs := w.ocrNeeds()
	if len(needs) == 0 {
		return
	}
	pages := 0
	for i, need := range needs {
		if need == ocr.None {
			continue
		}
		pages++
		if n := len(w.d.NeedsOCR); n > 0 && w.d.NeedsOCR[n-1].Last == i && w.d.NeedsOCR[n-1].Reason == string(need) {
			w.d.NeedsOCR[n-1].Last++
			continue
		}
		w.d.NeedsOCR = append(w.d.NeedsOCR, schemas.OCRNeed{First: i + 1, Last: i + 1, Reason: string(need)})
	}
	w.d.NeedsOCRPages = &pages
}

// maxPageLanguages bounds the ranges of pages with a language: more are not a book in parts, but noise.
const maxPageLanguages = 200

// setPageLanguages sets the languages of a PDF's pages. The document's own counts as declared, since a page has little
// text. Pages in no language that is known are left out, and so are those without readable text.
func (w *work) setPageLanguages() {
	needs := w.ocrNeeds()
	if len(needs) == 0 {
		return
	}
	defer w.watch.turn(w.watch.turn(stageLanguage))
	text, main := w.doc.Text, w.language()
	for i := range needs {
		page, rest, _ := strings.Cut(text, "\f")
		text = rest
		// Of a document of one page that is the answer already.
		code := main
		if len(needs) > 1 {
			code = w.languageOfPage(page)
		}
		if code == "" || code == langid.Unknown || needs[i] != ocr.None {
			continue
		}
		list := w.d.PageLanguages
		if n := len(list); n > 0 && list[n-1].Last == i && list[n-1].Code == code {
			list[n-1].Last++
		} else if n < maxPageLanguages {
			w.d.PageLanguages = append(list, schemas.PageLanguage{First: i + 1, Last: i + 1, Code: code})
		}
	}
}

// languageOfPage returns the main language of a page, or "".
func (w *work) languageOfPage(text string) string {
	if found := w.e.pages.Detect(text, w.language()); len(found) > 0 {
		return found[0].Code
	}
	return ""
}
