package view

import (
	"net/url"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestLead: a typed URL or host leads to its page, and words are searched for.
func TestLead(t *testing.T) {
	hosts := []string{"www.harbour.example", "data.gov.uk", "127.0.0.1", "bücher.example"}
	v := pagesOf(t, nil, func(i int, d *schemas.Document) { d.Host = hosts[i%len(hosts)] })
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	collection := v.shelf.Find("").Name()
	resource := func(address string) string {
		return "/" + collection + "/resource?url=" + url.QueryEscape(address)
	}
	search := func(filter string) string { return "/" + collection + "/search?query=" + url.QueryEscape(filter) }
	host := func(name string) string { return "/" + collection + "/hosts/" + url.PathEscape(name) }
	for typed, want := range map[string]string{
		"http://data.gov.uk/about":      resource("http://data.gov.uk/about"),
		"HTTPS://other.example/a?b=c#d": resource("HTTPS://other.example/a?b=c#d"),
		" http://data.gov.uk/ ":         resource("http://data.gov.uk/"),
		"data.gov.uk/about":             resource("http://data.gov.uk/about"),
		"data.gov.uk:8080/about":        resource("http://data.gov.uk:8080/about"),
		"www.data.gov.uk/about":         resource("http://www.data.gov.uk/about"),
		"data.gov.uk/":                  resource("http://data.gov.uk/"),
		"data.gov.uk":                   host("data.gov.uk"),
		"Data.Gov.UK":                   host("data.gov.uk"),
		"www.data.gov.uk":               host("data.gov.uk"),
		"harbour.example":               host("www.harbour.example"),
		"127.0.0.1":                     host("127.0.0.1"),
		"127.0.0.1/index.html":          resource("http://127.0.0.1/index.html"),
		"bücher.example":                host("bücher.example"),
		"site:gov.uk":                   search(`host = "gov.uk" OR host = "*.gov.uk"`),
		"Site:UK":                       search(`host = "uk" OR host = "*.uk"`),
		"*.gov.uk":                      search(`host = "*.gov.uk"`),
		"site:*.gov.uk":                 search(`host = "gov.uk" OR host = "*.gov.uk"`),
		"example.net":                   "", // no host of the collection: words
		"other.example/about":           "",
		"bridge":                        "",
		"bridge.":                       "",
		"1.5":                           "",
		"bridge ferry":                  "",
		`"data.gov.uk"`:                 "",
		"site:":                         "",
		"site:a b":                      "",
		`site:x"y`:                      "",
		"host:data.gov.uk":              "",
		"language = fr AND data.gov.uk": "",
		"http:":                         "",
		"javascript://data.gov.uk/%0aa": "",
		"":                              "",
	} {
		got, err := v.Lead(ctx, SearchRequest{Collection: collection, Query: typed})
		if err != nil || got != want {
			t.Errorf("%q leads to %q, %v; want %q", typed, got, err, want)
		}
		if strings.HasPrefix(want, "/"+collection+"/search") {
			u, _ := url.Parse(got)
			if _, err := v.Search(ctx, SearchRequest{Query: u.Query().Get("query")}); err != nil {
				t.Errorf("%q leads to a search that fails: %v", typed, err)
			}
		}
	}
	if got, err := v.Lead(ctx, SearchRequest{Query: "http://data.gov.uk/", Lang: "fr"}); err != nil || got != "" {
		t.Errorf("with a filter beside it a search leads to %q, %v", got, err)
	}
}

// TestHelp: each example of the help page can be read, and each field says what it is.
func TestHelp(t *testing.T) {
	v, ctx := typedPages(t), WithActor(t.Context(), Actor{Role: Viewer})
	h, err := v.Help(ctx, HelpRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range h.Examples {
		if _, err := v.Search(ctx, SearchRequest{Query: e.Query}); err != nil {
			t.Errorf("example %s: %v", e.Query, err)
		}
		if e.Link == "" {
			t.Errorf("example %s has no link", e.Query)
		}
	}
	for _, f := range h.Fields {
		if f.Kind == "" || !strings.Contains(f.Name, ".") && f.Text == "" {
			t.Errorf("field %s has the kind %q and the text %q", f.Name, f.Kind, f.Text)
		}
	}
	if len(h.Fields) < 50 {
		t.Errorf("%d fields", len(h.Fields))
	}
	if _, err := v.Help(t.Context(), HelpRequest{}); err == nil {
		t.Error("strangers get the help page")
	}
}
