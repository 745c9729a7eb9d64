package ocr_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/ocr"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

const (
	prose = "The committee met on Thursday and decided that the work on the bridge would begin in the spring. "
	shift = "Wkh frpplwwhh phw rq Wkxuvgdb dqg ghflghg wkdw wkh zrun rq wkh eulgjh zrxog ehjlq lq wkh vsulqj. "
)

func TestNeeds(t *testing.T) {
	tests := []struct {
		name, text string
		marks      doctext.PageMarks
		want       ocr.Need
	}{
		{"text", prose, doctext.PageMarks{Glyphs: 90, Inner: 90}, ocr.None},
		{"nothing drawn", "", doctext.PageMarks{}, ocr.None},
		{"scan", "", doctext.PageMarks{Picture: 100}, ocr.Image},
		{"scan with a stamp in its margin", "page 3", doctext.PageMarks{Glyphs: 5, Picture: 96}, ocr.Image},
		{"title on a picture", "Thank you", doctext.PageMarks{Glyphs: 8, Inner: 8, Picture: 100}, ocr.None},
		{"scan with a good layer", prose, doctext.PageMarks{Hidden: 90, Picture: 100}, ocr.None},
		{
			"scan with a bad layer", strings.Repeat("Tbe cornrnittee rnet ori Tlinrsdny arid dccidod tlint ", 3),
			doctext.PageMarks{Hidden: 130, Picture: 100},
			ocr.Poor,
		},
		{"wrong letters", shift, doctext.PageMarks{Glyphs: 90, Inner: 90}, ocr.Broken},
		{"no letters", "\ufffd\ufffd", doctext.PageMarks{Glyphs: 90, Inner: 90, Unknown: 88}, ocr.Broken},
		{
			"characters for private use", strings.Repeat("\ue001\ue002 ", 30),
			doctext.PageMarks{Glyphs: 60, Inner: 60},
			ocr.Broken,
		},
		{"letters as shapes", "", doctext.PageMarks{Shapes: 900}, ocr.Outlines},
		{"a chart with labels", "North South", doctext.PageMarks{Glyphs: 10, Inner: 10, Shapes: 40}, ocr.None},
		{"another script", "日本語の文章です。日本語の文章です。", doctext.PageMarks{Glyphs: 18, Inner: 18}, ocr.None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ocr.Needs(tt.text, []doctext.PageMarks{tt.marks})
			if !slices.Equal(got, []ocr.Need{tt.want}) {
				t.Errorf("Needs = %q, want %q", got, tt.want)
			}
		})
	}
}

// Pages are divided by form feeds, and each is judged alone.
func TestNeeds_pages(t *testing.T) {
	text := prose + "\f\f" + prose
	marks := []doctext.PageMarks{{Glyphs: 90, Inner: 90}, {Picture: 100}, {Glyphs: 90, Inner: 90}}
	if got, want := ocr.Needs(text, marks), []ocr.Need{ocr.None, ocr.Image, ocr.None}; !slices.Equal(got, want) {
		t.Errorf("Needs = %q, want %q", got, want)
	}
}

func ExampleNeeds() {
	b := pdftest.New()
	picture := b.Stream("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", "x")
	b.Resources = fmt.Sprintf("<</XObject<</I %d 0 R>>>>", picture)
	b.Page("612 0 0 792 0 0 cm /I Do")
	doc, err := pdf.Read(b.Bytes(), doctext.Options{})
	fmt.Println(ocr.Needs(doc.Text, doc.PageMarks), err)
	// Output: [image] <nil>
}
