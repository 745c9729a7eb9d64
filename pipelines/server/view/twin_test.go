package view

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// follow asks for the capture of a link.
func follow(t *testing.T, v *Views, link string) *Resource {
	t.Helper()
	var r ResourceRequest
	u, err := url.Parse(link)
	if err == nil {
		err = Decode(u.Query(), &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	res, err := v.Resource(WithActor(t.Context(), Actor{Role: Viewer}), r)
	if err != nil {
		t.Fatalf("%s: %v", link, err)
	}
	return res
}

// TestResource_downloads: links of any version lead to that version, however many newer ones there are.
func TestResource_downloads(t *testing.T) {
	for name, stamp := range map[string]func(i int) string{
		"a day apart": func(i int) string { return time.Date(2010, 1, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339) },
		"undated":     func(int) string { return "" },
		"one time":    func(int) string { return "2010-01-01T00:00:00Z" },
		"dated later": func(i int) string { return []string{"", "2010-01-01T00:00:00.5Z"}[i/300] },
	} {
		t.Run(name, func(t *testing.T) {
			v := manyPages(t, maxVersions+100, nil, func(i int, d *schemas.Document) {
				d.URL, d.SURT, d.Timestamp = "http://example.org/a", "org,example)/a", stamp(i)
				d.Text, d.MainHTML = fmt.Sprint("text ", i), "<p>x</p>"
			})
			ctx := WithActor(t.Context(), Actor{Role: Viewer})
			for _, i := range []int64{0, 7, 299, 300, maxVersions + 99} {
				place := placeOf(&schemas.Document{Filename: "a.warc", Offset: i})
				text, err := v.Text(ctx, PlaceRequest{URL: "http://example.org/a", Place: place})
				if err != nil || text != fmt.Sprint("text ", i) {
					t.Errorf("the text at %s is %q, %v", place, text, err)
				}
				res, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", At: place})
				if err != nil || res.Shown.Offset != i || res.More+res.Later+int64(len(res.Versions)) != maxVersions+100 {
					t.Fatalf("the page of %s: %v", place, err)
				}
				if again := follow(t, v, res.Downloads[0].Link); again.Shown.Offset != i {
					t.Errorf("the JSON of %s is that of %d", place, again.Shown.Offset)
				}
			}
			for _, place := range []string{"~9999.0.a.warc", "~0.9.a.warc", "~x.0.a.warc", "~0", "~0.0.b*.warc"} {
				if text, err := v.Text(ctx, PlaceRequest{URL: "http://example.org/a", Place: place}); err == nil {
					t.Errorf("at %s is %q", place, text)
				}
			}
		})
	}
}

// TestText_time: a time selects among all versions too.
func TestText_time(t *testing.T) {
	v := manyPages(t, maxVersions+100, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT, d.Text = "http://example.org/a", "org,example)/a", fmt.Sprint("text ", i)
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	text, err := v.Text(ctx, PlaceRequest{URL: "example.org/a", Place: "20260101000009"})
	if err != nil || text != "text 9" {
		t.Errorf("the text of a time is %q, %v", text, err)
	}
}

// TestResource_twins: captures of one URL and time are different versions, each with a link that leads to it.
func TestResource_twins(t *testing.T) {
	for name, twins := range map[string][]schemas.Document{
		"http and https":    {{URL: "http://example.org/a", Status: 301}, {URL: "https://www.example.org/a", Status: 200}},
		"to itself":         {{URL: "http://example.org/a", Status: 200}, {URL: "http://example.org/a", Status: 302}},
		"the same twice":    {{URL: "http://example.org/a", Status: 200}, {URL: "http://example.org/a", Status: 200}},
		"three, no status":  {{URL: "http://example.org/a"}, {URL: "http://example.org/A"}, {URL: "https://example.org/a"}},
		"an error in first": {{URL: "https://example.org/a", Status: 503}, {URL: "http://example.org/a", Status: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			n := 3 * len(twins)
			v := manyPages(t, n, nil, func(i int, d *schemas.Document) {
				one := twins[i%len(twins)]
				d.URL, d.SURT, d.Status = one.URL, "org,example)/a", one.Status
				d.Timestamp = fmt.Sprintf("2020-0%d-01T00:00:00Z", 1+i/len(twins))
			})
			ctx := WithActor(t.Context(), Actor{Role: Viewer})
			s, err := v.Search(ctx, SearchRequest{Fold: "none"})
			if err != nil || len(s.Hits) != n {
				t.Fatalf("%d hits, %v", len(s.Hits), err)
			}
			for _, h := range s.Hits {
				if got := follow(t, v, h.Link).Shown; got.Offset != h.Offset && (got.Status != h.Status || got.URL != h.URL) {
					t.Errorf("the hit %s with status %d leads to %s with %d", h.URL, h.Status, got.URL, got.Status)
				}
			}
			res, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", At: s.Hits[0].Place()})
			if err != nil {
				t.Fatal(err)
			}
			for _, version := range res.Versions {
				if got := follow(t, v, version.Link).Shown; got.Offset != version.Offset {
					t.Errorf("version %d leads to %d", version.Offset, got.Offset)
				}
			}
			seen := 1
			for ; res.Next != ""; res = follow(t, v, res.Next) {
			}
			for ; res.Previous != "" && seen <= n; res = follow(t, v, res.Previous) {
				seen++
			}
			if seen != n {
				t.Errorf("previous leads through %d of %d versions", seen, n)
			}
		})
	}
}
