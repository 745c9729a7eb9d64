package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestSearch_command: the command names the folder that the server shows, and not the collection's name.
func TestSearch_command(t *testing.T) {
	v := pagesOf(t, nil, func(int, *schemas.Document) {})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	folder := v.shelf.Find("").Path()
	for query, want := range map[string]string{
		"":                     "query --collection=" + folder,
		"status = 200":         " --where='status = 200'",
		`host = "example.org"`: " --where='host = example.org'",
	} {
		s, err := v.Search(ctx, SearchRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		got := s.Elsewhere.Command
		if !strings.HasPrefix(got, "query --collection="+folder) || !strings.Contains(got, want) {
			t.Errorf("the command of %q is %s, want %s", query, got, want)
		}
	}
}

// TestForm_addsToWhatIsThere: on a collection with documents the form of ingest adds, since it would be refused else.
func TestForm_addsToWhatIsThere(t *testing.T) {
	v := pagesOf(t, nil, func(int, *schemas.Document) {})
	if !v.filled() {
		t.Error("a collection with documents counts as empty")
	}
	for _, verb := range []string{"", "ingest"} {
		if got := v.started(FormRequest{Verb: verb}).Values["add"]; !slices.Equal(got, []string{"true"}) {
			t.Errorf("verb %q: add is %q", verb, got)
		}
	}
	if got := v.started(FormRequest{Verb: "query"}).Values["add"]; got != nil {
		t.Errorf("a query has add %q", got)
	}
}
