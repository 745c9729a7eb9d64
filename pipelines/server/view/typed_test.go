package view

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

// typedPages are pages with values of custom columns.
func typedPages(t *testing.T) *Views {
	t.Helper()
	types := map[string]string{"stars": "integer", "seen": "time", "sold": "boolean"}
	return pagesOf(t, map[string]any{holdings.OptionCustomTypes: types}, func(i int, d *schemas.Document) {
		d.CustomIntegers = map[string][]int64{"stars": {int64(i % 10), 12}}
		d.CustomTimes = map[string][]string{"seen": {"2026-03-04T10:30:00Z"}}
		d.Authors = []string{"Ann", "Li Wei"}[:1+i%2]
		d.Flags = []schemas.Flag{"timestamp"}
	})
}

// TestTyped_refused: in all places for filters, a text instead of a number is refused, with a hint at valid values.
func TestTyped_refused(t *testing.T) {
	v, ctx := typedPages(t), WithActor(t.Context(), Actor{Role: Viewer})
	for filter, want := range map[string]string{
		"custom.stars = many": "custom.stars has values of the type integer", "custom.stars > 1.5": "takes a whole number",
		"NOT (status = 200 OR custom.seen < soon)": "custom.seen has values of the type time",
		"custom.sold > true":                       "type boolean",
		"custom_integers.stars = many":             "takes a whole number",
	} {
		r := SearchRequest{Query: filter}
		for name, ask := range map[string]func() error{
			"search": func() error { _, err := v.Search(ctx, r); return err },
			"facets": func() error { _, err := v.Facets(ctx, FacetsRequest{SearchRequest: r, By: "host"}); return err },
			"export": func() error { _, err := v.Export(ctx, ExportRequest{SearchRequest: r}); return err },
		} {
			var e *Error
			if err := ask(); !isInvalid(err, "query") || !errors.As(err, &e) || !strings.Contains(e.Detail, want) {
				t.Errorf("%s of %s: %v, want %q", name, filter, err, want)
			}
		}
	}
}

// TestTyped_answers: searches, counts and exports have the same captures, of all and of a sample.
func TestTyped_answers(t *testing.T) {
	v, ctx := typedPages(t), WithActor(t.Context(), Actor{Role: Viewer})
	count := func(r SearchRequest) (search, facets, export int64) {
		t.Helper()
		s, err := v.Search(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		f, err := v.Facets(ctx, FacetsRequest{SearchRequest: r, By: "host"})
		if err != nil {
			t.Fatal(err)
		}
		e, err := v.Export(ctx, ExportRequest{SearchRequest: r, Format: "urls"})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		var b bytes.Buffer
		if _, err := e.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		return s.Captures, f.Captures, int64(strings.Count(b.String(), "\n"))
	}
	whole := map[string]int64{
		"": 100, "custom.stars < 3": 30, "custom.stars = 12": 100, "custom.seen = 2026-03": 100, "custom.stars > 12": 0,
	}
	for filter, want := range whole {
		if a, b, c := count(SearchRequest{Query: filter}); a != want || b != want || c != want {
			t.Errorf("%q: %d by search, %d by facets, %d exported, want %d", filter, a, b, c, want)
		}
	}
	some, b, c := count(SearchRequest{Query: "custom.stars < 3", Sample: "30%"})
	if some != b || some != c || some == 0 || some >= 30 {
		t.Errorf("a sample: %d by search, %d by facets, %d exported", some, b, c)
	}
	if again, _, _ := count(SearchRequest{Query: "custom.stars < 3", Sample: "30%"}); again != some {
		t.Errorf("the same sample has %d captures, and had %d", again, some)
	}
	if more, _, _ := count(SearchRequest{Query: "custom.stars < 3", Sample: "60%"}); more < some {
		t.Errorf("a greater sample has %d captures, and the smaller %d", more, some)
	}
	for by, want := range map[string][]FacetGroup{
		"custom.stars":  {{[]string{"12"}, 30}, {[]string{"0"}, 10}, {[]string{"1"}, 10}, {[]string{"2"}, 10}},
		"authors":       {{[]string{"Ann"}, 30}, {[]string{"Li Wei"}, 10}},
		"custom":        {{[]string{"seen"}, 30}, {[]string{"stars"}, 30}},
		"flags":         {{[]string{"timestamp"}, 30}},
		"filename,host": {{[]string{"a.warc", "example.org"}, 30}},
	} {
		f, err := v.Facets(ctx, FacetsRequest{SearchRequest: SearchRequest{Query: "custom.stars < 3"}, By: by})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, f.Groups); diff != "" {
			t.Errorf("by %s: -want +got:\n%s", by, diff)
		}
	}
	if _, err := v.Search(ctx, SearchRequest{Sample: "much"}); !isInvalid(err, "sample") {
		t.Errorf("a sample that is none: %v", err)
	}
}

func isInvalid(err error, param string) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Invalid && e.Param == param
}
