// Package ocr decides which pages of a document need optical character recognition (OCR).
//
//	for i, need := range ocr.Needs(doc.Text, doc.PageMarks) {
//		if need != "" {
//			fmt.Println("page", i+1, "needs OCR:", need)
//		}
//	}
//
// It recognises no text itself, and looks at no pixels. It compares the drawings on a page with the text that its fonts
// state.
package ocr

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// Version changes when the same document gets other answers.
const Version = "1"

// Need is the reason why a page needs OCR, or "".
type Need string

// The reasons.
const (
	None     Need = ""
	Image    Need = "image"           // a picture without text: a scan, or a photo
	Outlines Need = "outlines"        // letters are drawn as shapes
	Poor     Need = "poor_text"       // a scan with a text layer that an earlier OCR did badly
	Broken   Need = "broken_encoding" // fonts state no text for their glyphs, or a wrong one
)

const (
	// pagePicture is the part of a page that a scan covers at least, in percent: its margins may be cut off.
	pagePicture = 40
	// layerPicture is the same for a scan that has a text layer.
	layerPicture = 50
	// fewHidden is the number of glyphs in a text layer below which it counts as missing.
	fewHidden = 15
	// manyShapes are more shapes than drawings and ornaments have in rows.
	manyShapes = 60
	// unknownShare is the share of glyphs without a text, in percent, that makes a page unreadable.
	unknownShare = 20
)

// Needs returns what each page needs. Parameter text has a form feed between two pages, as doctext.Document.Text.
// Pages without marks are not judged.
func Needs(text string, marks []doctext.PageMarks) []Need {
	needs := make([]Need, len(marks))
	for i := range marks {
		page, rest, _ := strings.Cut(text, "\f")
		needs[i], text = need(page, marks[i]), rest
	}
	return needs
}

func need(text string, m doctext.PageMarks) Need {
	glyphs := m.Glyphs + m.Hidden
	switch {
	// Scans have stamps, numbers and running titles in their margins.
	case m.Inner == 0 && m.Hidden < fewHidden && m.Picture >= pagePicture:
		return Image
	case m.Shapes >= manyShapes && m.Shapes > 2*glyphs:
		return Outlines
	case glyphs == 0:
		return None
	case 100*m.Unknown > unknownShare*glyphs:
		return Broken
	}
	layer := m.Picture >= layerPicture && m.Hidden > m.Glyphs
	switch {
	case !isGarbled(text, layer):
		return None
	case layer:
		return Poor
	}
	return Broken
}
