package recipe

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestRecipe_omit(t *testing.T) {
	entities := func(spans ...schemas.Span) []schemas.Entity { return []schemas.Entity{{Text: "Ann", Mentions: spans}} }
	tests := []struct {
		name string
		o    Recipe
		want schemas.Document
	}{
		{"plain", Recipe{}, schemas.Document{Text: "t", MainHTML: "h", Entities: entities(schemas.Span{Start: 0, End: 3})}},
		{"markdown", Recipe{Text: TextMarkdown}, schemas.Document{Text: "t", MainHTML: "h", Entities: entities()}},
		{"none", Recipe{Text: TextNone}, schemas.Document{MainHTML: "h", Entities: entities()}},
		{
			"without HTML",
			Recipe{Text: TextPlain, Without: []string{columnHTML}},
			schemas.Document{Text: "t", Entities: entities(schemas.Span{Start: 0, End: 3})},
		},
		{
			"neither",
			Recipe{Text: TextNone, Without: WithoutColumns()},
			schemas.Document{Entities: entities()},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := schemas.Document{Text: "t", MainHTML: "h", Entities: entities(schemas.Span{Start: 0, End: 3})}
			comments := &schemas.Comments{Text: "c", Count: 2}
			d.Comments = comments
			d.Posts = []schemas.Post{{Kind: "post", Author: "Ann", Text: "c"}}
			tt.o.Omit(&d)
			// Their number is not text, so it is kept.
			want := schemas.Comments{Text: "c", Count: 2}
			if tt.o.Text == TextNone {
				want.Text = ""
			}
			if *d.Comments != want || comments.Text != "c" {
				t.Errorf("omit with %+v: comments %+v, want %+v", tt.o, *d.Comments, want)
			}
			posts := []schemas.Post{{Kind: "post", Author: "Ann", Text: want.Text}}
			if diff := cmp.Diff(posts, d.Posts); diff != "" {
				t.Errorf("omit with %+v: posts (-want +got):\n%s", tt.o, diff)
			}
			d.Comments, d.Posts = nil, nil
			if diff := cmp.Diff(tt.want, d); diff != "" {
				t.Errorf("omit with %+v (-want +got):\n%s", tt.o, diff)
			}
		})
	}
}

// Defaults must not be recorded: otherwise existing folders would be redone.
func TestRecipe_defaultsOfTextAreNotNoted(t *testing.T) {
	plain := Recipe{Text: TextPlain, Profile: "balanced", Comments: "separate"}
	if a, b := (Recipe{}).UnitKey(""), plain.UnitKey(""); a != b {
		t.Error("--text=plain --profile=balanced --comments=separate make other units than no such flags")
	}
	for _, o := range []Recipe{
		{Text: TextNone},
		{Text: TextMarkdown},
		{Profile: "recall"},
		{Without: WithoutColumns()},
		{Comments: "keep"},
		{Comments: "drop"},
	} {
		if o.UnitKey("") == plain.UnitKey("") {
			t.Errorf("%+v make the units that the defaults make", o)
		}
		if o.TakesAway(Recipe{}) == "" {
			t.Errorf("%+v take nothing away from documents that were made by default", o)
		}
	}
}
