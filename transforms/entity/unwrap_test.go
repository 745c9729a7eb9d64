package entity

import (
	"strings"
	"testing"
	"time"
)

// TestUnwrap: line ends within a paragraph of prose become spaces, those of lists and tables stay.
func TestUnwrap(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{
			"prose", "On Tuesday the mayor of the town met Ann\nLee, who came from the harbour of New\nYork to see her.",
			"On Tuesday the mayor of the town met Ann Lee, who came from the harbour of New York to see her.",
		},
		{
			"German",
			"Am Dienstag traf die Bürgermeisterin der Stadt Anna\nSeghers, die mit dem großen Schiff aus New\nYork kam.",
			"Am Dienstag traf die Bürgermeisterin der Stadt Anna Seghers, die mit dem großen Schiff aus New York kam.",
		},
		{
			"Russian", "Во вторник мэр города встретила в порту Анну\nИванову, которая приехала из Нижнего\nНовгорода.",
			"Во вторник мэр города встретила в порту Анну Иванову, которая приехала из Нижнего Новгорода.",
		},
		{
			"an indented paragraph",
			"   This memo was written by the people of Tim\n   Berners-Lee, who is known for other things.",
			"   This memo was written by the people of Tim    Berners-Lee, who is known for other things.",
		},
		{
			"two paragraphs",
			"The mayor of the town met with the people of Ann\nLee.\n\nShe came with all of them from New\nYork.",
			"The mayor of the town met with the people of Ann Lee.\n\nShe came with all of them from New\nYork.",
		},
		{
			"pages",
			"the mayor of the town met with the people of Ann\nLee\fthe mayor of the town met with the people of Ann\nLee",
			"the mayor of the town met with the people of Ann Lee\fthe mayor of the town met with the people of Ann Lee",
		},
		{"a list of names", "Maria Gonzalez, University of Springfield, Ohio\nAnn Lee, World Health Organization\nBo Li", ""},
		{"short lines", "she went to the\nharbour of New\nYork in the rain", ""},
		{"items", "- the people of the harbour met with the mayor of\n- New York was far from all of them at that", ""},
		{"numbers", "1. the people of the harbour met with the mayor of\n2. New York was far from all of them at that", ""},
		{"letters", "a) the people of the harbour met with the mayor of\nb) New York was far from all of them at that", ""},
		{"a row", "the people of the harbour met\twith the mayor of the\nNew York was far from all of them at that", ""},
		{"columns", "the people of the harbour     were with the mayor\nNew York was far     from all of them at that", ""},
		{"quoted", "> the people of the harbour met with the mayor of\n> New York was far from all of them at that", ""},
		{"a short line", "the mayor\nAnn Lee was at the harbour of the town on that day with", ""},
		{"numbers", "they came to the harbour of the town and paid about 12\n500 people of the town were there on that day", ""},
		{"a heading above", "TIDES FOR THE FIRST WEEK OF JUNE, BAR\nHeights in metres above the datum, in local time", ""},
		{"a heading", "The People Of The Harbour And Of The Town Of New\nYork, Ohio And Maine", ""},
		{"long lines", strings.Repeat("the people of the town ", 8) + "\n" + strings.Repeat("they were there ", 9), ""},
		{"Chinese", strings.Repeat("昨天上午在北京召开的会议上", 4) + "\n" + strings.Repeat("市长张三说今年", 8), ""},
		{"nothing", "", ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.text
		}
		if got := Unwrap(tt.text); got != want {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}

// TestUnwrap_linear: the time grows with the text, whatever divides it.
func TestUnwrap_linear(t *testing.T) {
	for _, divider := range []string{"\n\n", "\f", "\n"} {
		text := strings.Repeat("a"+divider, 4<<20)
		start := time.Now()
		if got := Unwrap(text); got != text {
			t.Errorf("%q: the text changed", divider)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q: %v for %d bytes", divider, took, len(text))
		}
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add("On Tuesday the mayor of the town met Ann\nLee, who came from the harbour\n\n\fof New\nYork")
	f.Fuzz(func(t *testing.T, text string) {
		got := Unwrap(text)
		if strings.ReplaceAll(got, "\n", " ") != strings.ReplaceAll(text, "\n", " ") {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// TestExtract_spaces: names with other spaces between their words are the same.
func TestExtract_spaces(t *testing.T) {
	text := "Maria Gonzalez, Maria  Gonzalez and Maria\u00a0Gonzalez"
	in := Input{Text: text, Language: "en", Names: []Name{
		{0, 14, typePerson, .9}, {16, 31, typePerson, .9}, {36, 51, typePerson, .9},
	}}
	if got := Extract(in, Options{}); len(got) != 1 || got[0].Text != "Maria Gonzalez" || got[0].Count != 3 {
		t.Errorf("%+v, want one person three times", got)
	}
}
