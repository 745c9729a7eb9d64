package pdf_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// large shows lines of large letters.
func large(lines int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(at("F1", 18, 72, 740-20*i, "The keeper writes down what he sees and hears"))
	}
	return b.String()
}

// TestRead_shown: the title is the text in the largest letters on the first page with text.
func TestRead_shown(t *testing.T) {
	const title = "The harbours of Wrenmouth"
	for _, tt := range []struct {
		name, want string
		pages      []string
	}{
		{"a line above the text", title, []string{at("F1", 18, 72, 740, title) + body(700)}},
		{"two lines, the second lower", title + " and their lights", []string{
			at("F1", 18, 72, 740, title) + at("F1", 17, 72, 715, "and their lights") + body(680),
		}},
		{"two paragraphs", title + " and their lights", []string{
			at("F1", 18, 72, 740, title) + at("F1", 18, 72, 690, "and their lights") + body(650),
		}},
		{"below the name of a series", title, []string{
			at("F1", 9, 72, 780, "Reports on the sea, 12") + at("F1", 18, 72, 740, title) + body(700),
		}},
		{"above names", title, []string{at("F1", 18, 72, 740, title) + at("F1", 12, 72, 715, "Ann Lee") + body(680)}},
		{"a drop cap", title, []string{at("F1", 18, 72, 740, title) + at("F1", 40, 40, 690, "T") + body(690)}},
		{"on a second page", title, []string{"", at("F1", 18, 72, 740, title) + body(700)}},
		{"larger on a later page", title, []string{
			at("F1", 18, 72, 740, title) + body(700), at("F1", 30, 72, 740, "Part two") + body(700),
		}},
		{"no larger text", "", []string{at("F1", 10, 72, 740, title) + body(700)}},
		{"a large sentence", "", []string{at("F1", 18, 72, 740, "Here you are,") + body(700)}},
		{"a large number", "", []string{at("F1", 18, 72, 740, "2023-12") + body(700)}},
		{"letters of a broken font", "", []string{at("F1", 18, 72, 740, "x x x x") + body(700)}},
		{"much large text", "", []string{large(9) + body(540)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			for _, p := range tt.pages {
				b.Page(p)
			}
			d, err := pdf.Read(b.Bytes(), doctext.Options{})
			if err != nil || d.Shown != tt.want {
				t.Errorf("shown is %q, want %q (%v)", d.Shown, tt.want, err)
			}
		})
	}
}
