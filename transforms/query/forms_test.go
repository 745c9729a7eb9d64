package query

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestForms: a word finds its forms in the language of the document, and a word in quotation marks only itself.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		language, text, filter string
		want                   bool
	}{
		{"en", "Three bridges.", "bridge", true},
		{"en", "Three bridges.", `"bridge"`, false},
		{"en", "Three bridges.", `"bridges"`, true},
		{"en", "Three bridges.", "text:bridge", true},
		{"en", "Three bridges.", `text:"bridge"`, false},
		{"en", "Three bridges.", "bridge harbour", false},
		{"en", "Three bridges of the harbours.", "bridge harbour", true},
		{"en", "Three bridges.", "NOT bridge", false},
		{"en", "Three bridges.", "bridged*", false},
		{"", "Three bridges.", "bridge", false},
		{"ja", "Three bridges.", "bridge", false},
		{"fr", "Les climats.", "climat", true},
		{"fr", "Les responsabilités.", "responsabilite", true},
		{"de", "Alte Brücken", "brücke", true},
		{"ru", "Новые мосты", "мост", true},
		{"ar", "في المكتبة", "مكتبة", true},
		{"en", "Three bridges.", `"three bridge"`, false},
		{"en", "bridge", "bridge bridges", true},
		{"en", "In 2026", "2027", false},
	} {
		e, err := Parse(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		d := &schemas.Document{Language: c.language, Text: c.text}
		if got := Match(e, d); got != c.want {
			t.Errorf("%s in %q (%s): %v, want %v", c.filter, c.text, c.language, got, c.want)
		}
		again, err := Parse(e.String())
		if err != nil || Match(again, d) != c.want {
			t.Errorf("%s is written as %s: %v", c.filter, e, err)
		}
	}
}

func TestForms_areMarked(t *testing.T) {
	e, err := Parse("bridge")
	if err != nil {
		t.Fatal(err)
	}
	x := NewHighlighter(e).Excerpt("Three bridges and a bride", 100)
	if len(x.Marks) != 1 || x.Text[x.Marks[0].From:x.Marks[0].To] != "bridges" {
		t.Errorf("marks %v", x.Marks)
	}
}
