package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestUnfilled: each kind of answer names the fields of its question that no capture has.
func TestUnfilled(t *testing.T) {
	v := pagesOf(t, map[string]any{"extract": []string{"text", "language"}}, func(_ int, d *schemas.Document) {
		d.Language, d.Text = "fr", "Words"
	})
	ctx := as(t, Viewer)
	for _, tt := range []struct {
		name string
		ask  func() (*Answer, error)
		want string
	}{
		{"facets of a filter", func() (*Answer, error) {
			f, err := v.Facets(ctx, FacetsRequest{SearchRequest: SearchRequest{Query: "sentiment.score < 0"}, By: "lang"})
			return &f.Answer, err
		}, "sentiment.score by --extract=sentiment"},
		{"facets by a field", func() (*Answer, error) {
			f, err := v.Facets(ctx, FacetsRequest{By: "entity"})
			return &f.Answer, err
		}, "entities.text by --extract=entities"},
		{"facets by fields that are there", func() (*Answer, error) {
			f, err := v.Facets(ctx, FacetsRequest{By: "lang,month"})
			return &f.Answer, err
		}, ""},
		{"facets of the rest", func() (*Answer, error) {
			f, err := v.Facets(ctx, FacetsRequest{SearchRequest: SearchRequest{Query: "NOT sentiment.score < 0"}, By: "lang"})
			return &f.Answer, err
		}, ""},
		{"trends by a field", func() (*Answer, error) {
			f, err := v.Trends(ctx, TrendsRequest{Field: "entity"})
			return &f.Answer, err
		}, "entities.text by --extract=entities"},
		{"a source", func() (*Answer, error) {
			f, err := v.Search(ctx, SearchRequest{Source: "0123456789abcdef"})
			return &f.Answer, err
		}, "source_id by "},
		{"facets by source", func() (*Answer, error) {
			f, err := v.Facets(ctx, FacetsRequest{By: "source"})
			return &f.Answer, err
		}, "source_id by "},
	} {
		a, err := tt.ask()
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var got []string
		for _, u := range a.Unfilled {
			got = append(got, u.Field+" by "+u.Option)
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	a, err := v.Across(ctx, AcrossRequest{SearchRequest: SearchRequest{Query: "entities.sentiment < 0"}})
	if err != nil || len(a.Answers) != 1 || !slices.ContainsFunc(a.Answers[0].Unfilled, func(u Unfilled) bool {
		return u.Field == "entities.sentiment"
	}) {
		t.Errorf("across: %+v, %v", a, err)
	}
}
