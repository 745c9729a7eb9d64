package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestValues: all values are listed in pages, each with as many captures as the search that it leads to.
func TestValues(t *testing.T) {
	v := pagesOf(t, nil, func(i int, d *schemas.Document) {
		if i < 90 {
			d.MIMEDetected = fmt.Sprintf("application/x-%02d", i%60)
		}
		d.Status = 200 + i%2*204
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	r := ValuesRequest{SearchRequest: SearchRequest{Fold: "none"}, Field: "mime"}
	list, seen, captures := &Values{Next: "first"}, map[string]bool{}, int64(0)
	for list.Next != "" {
		var err error
		if list, err = v.Values(ctx, r); err != nil {
			t.Fatal(err)
		}
		for _, value := range list.Values {
			seen[value.Value] = true
			captures += value.Count
			s, err := v.Search(ctx, SearchRequest{Fold: "none", MIME: value.Value})
			if err != nil || s.Captures != value.Count || !strings.Contains(value.Link, "fold=none&mime=") {
				t.Errorf("%s: %d captures, the search finds %d, %v; %s", value.Value, value.Count, s.Captures, err, value.Link)
			}
		}
		r.Cursor = list.Next
	}
	if len(seen) != 61 || captures != 100 || list.Total != 61 || list.Captures != 100 {
		t.Errorf("%d values of %d captures, total %d of %d; want 61 of 100", len(seen), captures, list.Total, list.Captures)
	}
	for _, tt := range []struct {
		r        ValuesRequest
		total    int64
		captures int64
	}{
		{ValuesRequest{Field: "mime", Find: "X-0", SearchRequest: SearchRequest{Fold: "none"}}, 10, 100},
		{ValuesRequest{Field: "mime", Find: "nothing like it"}, 0, 100},
		{ValuesRequest{Field: "status", SearchRequest: SearchRequest{Fold: "none", Status: "404"}}, 1, 50},
		{ValuesRequest{Field: "status", Find: "not found", SearchRequest: SearchRequest{Fold: "none"}}, 1, 100},
		{ValuesRequest{Field: "host", SearchRequest: SearchRequest{Query: "status = 500"}}, 0, 0},
	} {
		list, err := v.Values(ctx, tt.r)
		if err != nil || list.Total != tt.total || list.Captures != tt.captures {
			t.Errorf("%+v: %d values of %d captures, %v; want %d of %d", tt.r, list.Total, list.Captures, err, tt.total, tt.captures)
		}
	}
	for _, field := range []string{"", "year", "title", "url"} {
		if _, err := v.Values(ctx, ValuesRequest{Field: field}); !isInvalid(err, "field") {
			t.Errorf("field %q: %v", field, err)
		}
	}
	// The form that looks for a value keeps the search.
	list, err := v.Values(ctx, ValuesRequest{Field: "mime", SearchRequest: SearchRequest{Query: "status = 200", Cursor: ""}})
	if err != nil || list.Hidden()["query"] != "status = 200" || list.Hidden()["field"] != "mime" {
		t.Errorf("hidden fields are %v, %v", list.Hidden(), err)
	}
}
