package view

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/schemas"
)

// aboutTexts are the texts of every fifth page.
var aboutTexts = []string{
	"Nurses and doctors in every clinic now wear face coverings.",
	"The team won the final match of the football season.",
	"The council raises the tax on second homes next year.",
	"Les médecins et infirmières portent des masques à l'hôpital.",
	"A bridge over the river was closed after the storm.",
}

func aboutViews(t *testing.T) *Views {
	return manyPages(t, 50, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT = fmt.Sprintf("http://example.org/%d", i), fmt.Sprintf("org,example)/%d", i)
		d.Text, d.Language = aboutTexts[i%5], []string{"en", "en", "en", "fr", "en"}[i%5]
		d.Timestamp = fmt.Sprintf("2020-01-01T00:00:%02dZ", i)
	})
}

func TestSearch_about(t *testing.T) {
	v, ctx := aboutViews(t), WithActor(t.Context(), Actor{Role: Viewer})
	r := SearchRequest{About: "masks in hospitals", Limit: 7}
	seen := map[string]bool{}
	for page := 1; ; page++ {
		s, err := v.Search(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		if page == 1 && (s.Total != 50 || s.First != 1 || len(s.Ways) != 2 || !s.Ways[1].Selected ||
			len(s.Elsewhere.Downloads) > 0 || !strings.Contains(s.Elsewhere.Command, "--about=")) {
			t.Errorf("the answer is %+v", s)
		}
		for _, h := range s.Hits {
			if seen[h.URL] {
				t.Errorf("page %d repeats %s", page, h.URL)
			}
			seen[h.URL] = true
			if h.Why != "meaning" || h.Alike < .1 || h.End == 0 || len(h.Snippet) == 0 {
				t.Errorf("a hit is %+v", h)
			}
		}
		if r.Cursor = s.Next; s.Next == "" {
			break
		}
	}
	if len(seen) < 20 || !seen["http://example.org/3"] || !seen["http://example.org/0"] {
		t.Errorf("found %d pages: %v", len(seen), seen)
	}
	s, err := v.Search(ctx, SearchRequest{About: "xqzvw"})
	if err != nil || len(s.Hits) != 0 || len(s.Unknown) != 1 || !strings.Contains(s.Unsure, "knows no word") {
		t.Errorf("of an unknown word: %+v, %v", s, err)
	}
	s, err = v.Search(ctx, SearchRequest{About: "masks in hospitals", Lang: "fr", Facets: "no"})
	if err != nil || len(s.Hits) != 10 || s.Hits[0].Language != "fr" {
		t.Errorf("in French: %+v, %v", s, err)
	}
}

// TestSearch_spelling: a search that finds nothing leads to the one in the capital letters that captures have.
func TestSearch_spelling(t *testing.T) {
	v, ctx := aboutViews(t), WithActor(t.Context(), Actor{Role: Viewer})
	for query, want := range map[string]string{
		"language = FR": "with language = fr instead of language = FR", "language = fr": "", "language = XX": "",
		`url:example language = FR`: "with language = fr instead of language = FR",
	} {
		s, err := v.Search(ctx, SearchRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, i := range s.Instead {
			if i.Value == "query" && strings.HasPrefix(i.Label, "with language") {
				got = i.Label
				again, err := v.Search(ctx, SearchRequest{Query: strings.ReplaceAll(query, "FR", "fr"), Fold: "none"})
				if err != nil || again.Captures != i.Count {
					t.Errorf("%s: %d captures offered, %+v", query, i.Count, again)
				}
			}
		}
		if got != want {
			t.Errorf("%s: %+v, want %q", query, s.Instead, want)
		}
	}
}

func TestSearch_like(t *testing.T) {
	v, ctx := aboutViews(t), WithActor(t.Context(), Actor{Role: Viewer})
	res, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/4"})
	if err != nil {
		t.Fatal(err)
	}
	link, err := url.Parse(res.Like)
	if err != nil {
		t.Fatal(err)
	}
	s, err := v.Search(ctx, SearchRequest{Like: link.Query().Get("like"), Limit: 9})
	if err != nil || len(s.Hits) != 9 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, h := range s.Hits {
		if !strings.HasSuffix(h.URL, "4") && !strings.HasSuffix(h.URL, "9") || h.URL == "http://example.org/4" {
			t.Errorf("%s is like the page about a bridge", h.URL)
		}
	}
}

func TestSearch_aboutIsForSearches(t *testing.T) {
	v, ctx := aboutViews(t), WithActor(t.Context(), Actor{Role: Viewer})
	for _, like := range []string{"x", "2020/", "/http://example.org/", "soon/http://example.org/"} {
		if _, err := v.Search(ctx, SearchRequest{Like: like}); !isInvalid(err, "like") {
			t.Errorf("like=%s: %v", like, err)
		}
	}
	if _, err := v.Search(ctx, SearchRequest{About: "a", Like: "2020/http://example.org/"}); !isInvalid(err, "like") {
		t.Errorf("about and like: %v", err)
	}
	// Plain words can be asked by meaning, a filter cannot.
	for text, want := range map[string]int{"face coverings": 2, "language = fr": 0, `"face coverings"`: 0, "": 0} {
		s, err := v.Search(ctx, SearchRequest{Query: text})
		if err != nil || len(s.Ways) != want {
			t.Errorf("%q has the ways %v, %v", text, s.Ways, err)
		}
	}
}

// TestTrends_about: the first line has the captures near a topic, beside the captures with a text.
func TestTrends_about(t *testing.T) {
	v, ctx := aboutViews(t), WithActor(t.Context(), Actor{Role: Viewer})
	r := TrendsRequest{SearchRequest: SearchRequest{About: "masks in hospitals"}, Terms: "football", Unit: "day"}
	a, err := v.Trends(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Lines) != 2 || !a.Lines[0].Near || a.Lines[0].Total != 20 || a.Lines[1].Total != 10 || a.Captures != 50 ||
		a.Bound == 0 || a.Nearest < a.Bound || !strings.Contains(a.Lines[0].Link, "about=masks") ||
		!strings.Contains(a.Command, "--about='masks in hospitals'") || !strings.Contains(a.API, "about=") {
		t.Errorf("%+v", a)
	}
	r.Near = "0.99"
	if a, err = v.Trends(ctx, r); err != nil || a.Lines[0].Total != 0 || !strings.Contains(a.NoNear, "nearest") {
		t.Errorf("with a high bound: %+v, %v", a, err)
	}
	r.Near, r.About = "", "xqzvw"
	if a, err = v.Trends(ctx, r); err != nil || a.Lines[0].Total != 0 || !strings.Contains(a.Unsure, "knows no word") {
		t.Errorf("of an unknown word: %+v, %v", a, err)
	}
	r.About, r.Field, r.Terms = "masks in hospitals", "lang", ""
	if a, err = v.Trends(ctx, r); err != nil || len(a.Lines) != 3 || a.Lines[1].Total+a.Lines[2].Total != 50 {
		t.Errorf("by language: %+v, %v", a, err)
	}
	for _, near := range []string{"0", "-1", "1.1", "NaN", "x", "Inf"} {
		r.Near = near
		if _, err := v.Trends(ctx, r); !isInvalid(err, "near") {
			t.Errorf("near=%s: %v", near, err)
		}
	}
	for _, r := range []TrendsRequest{
		{Near: "0.5"},
		{SearchRequest: SearchRequest{About: "?!"}},
		{SearchRequest: SearchRequest{Like: "x"}},
		{SearchRequest: SearchRequest{About: "a", Like: "2020/http://example.org/"}},
	} {
		if _, err := v.Trends(ctx, r); !isInvalid(err, "near") && !isInvalid(err, "about") && !isInvalid(err, "like") {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// TestAbout_refused: an export of a filter refuses a ranking, and does not leave it out.
func TestAbout_refused(t *testing.T) {
	v := aboutViews(t)
	var err error
	if v.o.Saved, err = saved.Open(filepath.Join(t.TempDir(), "saved.json")); err != nil {
		t.Fatal(err)
	}
	ctx := WithActor(t.Context(), Actor{Name: "ada", Role: Viewer})
	for param, r := range map[string]SearchRequest{
		"about": {About: "masks in hospitals", Lang: "fr"},
		"like":  {Like: "2020-01-01T00:00:01Z/http://example.org/1"},
	} {
		for name, ask := range map[string]func() (any, error){
			"export":   func() (any, error) { return v.Export(ctx, ExportRequest{SearchRequest: r, Format: "urls"}) },
			"take":     func() (any, error) { return v.Take(ctx, TakeRequest{SearchRequest: r}) },
			"notebook": func() (any, error) { return v.Notebook(ctx, TakeRequest{SearchRequest: r}) },
			"save":     func() (any, error) { return v.Save(ctx, SaveRequest{Name: "x", Query: Encode(r).Encode()}) },
			"facets":   func() (any, error) { return v.Facets(ctx, FacetsRequest{SearchRequest: r, By: "language"}) },
			"graph":    func() (any, error) { return v.Graph(ctx, GraphRequest{SearchRequest: r}) },
			"links":    func() (any, error) { return v.Links(ctx, LinksRequest{SearchRequest: r, FromHost: "a"}) },
		} {
			got, err := ask()
			if e := (*Error)(nil); !errors.As(err, &e) || e.Kind != Invalid || e.Param != param {
				t.Errorf("%s with %s: %+v, %v; want it refused", name, param, got, err)
			}
		}
		if list := v.o.Saved.List(saved.Owner{Name: "ada"}); len(list) > 0 {
			t.Errorf("saved with %s: %+v", param, list)
		}
	}
}

// TestSearch_aboutEnd: pages of a long list neither repeat nor lose an entry, and its end is said.
func TestSearch_aboutEnd(t *testing.T) {
	const n = 1100
	v := manyPages(t, n, nil, func(i int, d *schemas.Document) {
		d.Text = fmt.Sprintf("Nurses and doctors number %d wear masks in hospital %d. ", i, i%7)
		d.Text, d.Language = d.Text+strings.Repeat("masks ", i%90), "en"
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, limit := range []int{100, 170, 1000} {
		r, seen, note := SearchRequest{About: "masks in hospital", Limit: limit}, map[string]bool{}, ""
		for page := 0; page < 20; page++ {
			s, err := v.Search(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range s.Hits {
				if seen[h.URL] {
					t.Fatalf("pages of %d: page %d repeats %s", limit, page, h.URL)
				}
				seen[h.URL] = true
			}
			if note = s.Note; s.Next == "" {
				if s.Left != 0 || s.Total != n {
					t.Errorf("at the end %d of %d are left", s.Left, s.Total)
				}
				break
			}
			if r.Cursor = s.Next; note != "" {
				t.Errorf("page %d says %q", page, note)
			}
		}
		if len(seen) != 1000 || !strings.Contains(note, "1000 of 1100") {
			t.Errorf("pages of %d: %d entries, and %q", limit, len(seen), note)
		}
	}
}
