package view

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestDecode: each request takes its parameters within the limits of its tags, and refuses others by name.
func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		request     func() any
		want        any    // nil if it is refused
		param       string // of the refusal
	}{
		{"nothing", "", func() any { return new(SearchRequest) }, &SearchRequest{}, ""},
		{
			"empty parameters of a form", "query=&lang=&limit=", func() any { return new(SearchRequest) },
			&SearchRequest{}, "",
		},
		{
			"text and number", "query=fish&limit=7", func() any { return new(SearchRequest) },
			&SearchRequest{Query: "fish", Limit: 7}, "",
		},
		{
			"embedded request", "query=fish&by=host", func() any { return new(FacetsRequest) },
			&FacetsRequest{SearchRequest: SearchRequest{Query: "fish"}, By: "host"}, "",
		},
		{
			"unknown parameters", "csrf=x&go=1&query=a", func() any { return new(SearchRequest) },
			&SearchRequest{Query: "a"}, "",
		},
		{"unit", "unit=month", func() any { return new(OverviewRequest) }, &OverviewRequest{Unit: "month"}, ""},
		{"the first of two", "limit=2&limit=x", func() any { return new(SearchRequest) }, &SearchRequest{Limit: 2}, ""},
		{"a list of units", "unit=year,month", func() any { return new(OverviewRequest) }, nil, "unit"},
		{"all units", "unit=year,month,day", func() any { return new(HostRequest) }, nil, "unit"},
		{"a list of formats", "format=jsonl,csv", func() any { return new(FeedsRequest) }, nil, "format"},
		{"a list of export formats", "format=csv,parquet", func() any { return new(ExportRequest) }, nil, "format"},
		{"a list of fields", "field=lang,host", func() any { return new(ValuesRequest) }, nil, "field"},
		{"a comma", "unit=,", func() any { return new(OverviewRequest) }, nil, "unit"},
		{"a part of a unit", "unit=mont", func() any { return new(OverviewRequest) }, nil, "unit"},
		{"another case", "unit=Month", func() any { return new(OverviewRequest) }, nil, "unit"},
		{"a blank", "unit=month+", func() any { return new(OverviewRequest) }, nil, "unit"},
		{"no number", "limit=seven", func() any { return new(SearchRequest) }, nil, "limit"},
		{"a fraction", "limit=1.5", func() any { return new(SearchRequest) }, nil, "limit"},
		{"below the least", "limit=-1", func() any { return new(SearchRequest) }, nil, "limit"},
		{"nought", "limit=0", func() any { return new(SearchRequest) }, nil, "limit"},
		{"above the most", "limit=1000000000", func() any { return new(SearchRequest) }, nil, "limit"},
		{"beyond 64 bits", "limit=99999999999999999999", func() any { return new(SearchRequest) }, nil, "limit"},
		{"a long text", "find=" + strings.Repeat("x", 301), func() any { return new(HostsRequest) }, nil, "find"},
		{
			"as long as it may be", "find=" + strings.Repeat("x", 300), func() any { return new(HostsRequest) },
			&HostsRequest{Find: strings.Repeat("x", 300)}, "",
		},
		{"bytes and not letters", "find=" + strings.Repeat("é", 151), func() any { return new(HostsRequest) }, nil, "find"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values, err := url.ParseQuery(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			got := tt.request()
			err = Decode(values, got)
			if tt.want == nil {
				if !isInvalid(err, tt.param) {
					t.Errorf("Decode(%q) = %+v, %v; want a refusal of %s", tt.query, got, err, tt.param)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("Decode(%q): %v; -want +got:\n%s", tt.query, err, diff)
			}
		})
	}
}

// TestEncode: a request is read again as it was written, whatever characters are in it.
func TestEncode(t *testing.T) {
	for _, r := range []SearchRequest{
		{},
		{Query: `a "b" & c=d?#%`, Lang: "de", Host: "*.example.org", Limit: 3, Order: "oldest", Fold: "none"},
		{Query: "été 東京 \u200f+ \x00", Year: "2020", Month: "2020-02", Day: "2020-02-29", Sample: "10%"},
		{Status: "-", RecordType: "revisit", Flag: "payload", Entity: "Ann O'Hara", Source: "x", MIME: "text/html"},
	} {
		values, err := url.ParseQuery(Encode(r).Encode())
		if err != nil {
			t.Fatal(err)
		}
		var again SearchRequest
		if err := Decode(values, &again); err != nil || again != r {
			t.Errorf("%+v became %+v, %v", r, again, err)
		}
	}
	for name := range Encode(SearchRequest{Query: "a"}) {
		if name != "query" {
			t.Errorf("the parameter %s is not set, and is written", name)
		}
	}
}

// TestPage: names of collections and hosts may have any characters, and stay one part of the path.
func TestPage(t *testing.T) {
	for want, got := range map[string]string{
		"/crawl":                           page("crawl", "", nil),
		"/a%2Fb%3F%23":                     page("a/b?#", "", nil),
		"/crawl/search":                    page("crawl", "search", SearchRequest{Collection: "crawl"}),
		"/crawl/search?query=a+b":          page("crawl", "search", SearchRequest{Collection: "crawl", Query: "a b"}),
		"/crawl/hosts/a.example":           hostLink("crawl", "a.example"),
		"/crawl/hosts/a%2Fb":               hostLink("crawl", "a/b"),
		"/crawl/hosts/..%2F..":             hostLink("crawl", "../.."),
		"/crawl/hosts/x?unit=day":          hostPage(HostRequest{Collection: "crawl", Host: "x", Unit: "day"}),
		"/sources":                         SourcesRequest{}.link(),
		"/sources?verdict=valid":           SourcesRequest{Verdict: "valid"}.link(),
		"/api/v1/search":                   api("search", SearchRequest{}),
		"/api/v1/search?collection=crawl":  api("search", SearchRequest{Collection: "crawl"}),
		"/crawl/values?field=host&query=a": SearchRequest{Collection: "crawl", Query: "a"}.valuesLink(fieldOf("host")),
		"/crawl/values?field=host":         SearchRequest{Collection: "crawl", Host: "b"}.valuesLink(fieldOf("host")),
		"/jobs/new?verb=ingest":            jobForm("ingest"),
	} {
		if got != want {
			t.Errorf("the link is %s, want %s", got, want)
		}
	}
}

// TestSearchRequest_where: parameters match literally, and only the text of the search box is a query.
func TestSearchRequest_where(t *testing.T) {
	for _, tt := range []struct {
		name  string
		r     SearchRequest
		want  string
		param string // of a refusal
	}{
		{"nothing", SearchRequest{}, "", ""},
		{"words", SearchRequest{Query: "fish auction"}, "fish AND auction", ""},
		{"one parameter", SearchRequest{Lang: "de"}, "language = de", ""},
		{"two", SearchRequest{Query: "fish", Lang: "de"}, "fish AND language = de", ""},
		{"an OR keeps its brackets", SearchRequest{Query: "a OR b", Lang: "de"}, "(a OR b) AND language = de", ""},
		{"without a language", SearchRequest{Lang: none}, "NOT language:*", ""},
		{"without a time", SearchRequest{Year: none}, "NOT timestamp:*", ""},
		{"a star", SearchRequest{Host: "*.example"}, `host = "\*.example"`, ""},
		{"a backslash and a star", SearchRequest{Host: `\*`}, `host = "\\\*"`, ""},
		{"a host as typed", SearchRequest{Host: " WWW.Example.org:80"}, "host = www.example.org", ""},
		{"a host in its script", SearchRequest{Host: "b\u00fccher.example"}, "host = xn--bcher-kva.example", ""},
		{"a domain as typed", SearchRequest{Domain: "Example.org"}, "domain = example.org", ""},
		{"a host left out", SearchRequest{Not: "host:Example.org"}, "NOT host = example.org", ""},
		{"a host of a damaged record", SearchRequest{Host: "A/b"}, "host = A/b", ""},
		{"no host", SearchRequest{Host: none}, "NOT host:*", ""},
		{"a year", SearchRequest{Year: "2020"}, "timestamp >= 2020 AND timestamp <= 2020", ""},
		{"a text for a status", SearchRequest{Status: "lost"}, "", "status"},
		{"no such year", SearchRequest{Year: "twenty"}, "", "year"},
		{"no such month", SearchRequest{Month: "2020-13"}, "", "month"},
		{"no such day", SearchRequest{Day: "2021-02-29"}, "", "day"},
		{"an open bracket", SearchRequest{Query: "(a"}, "", "query"},
		{"an unknown field", SearchRequest{Query: "nofield = 1"}, "", "query"},
		{"bytes that are not text", SearchRequest{Query: "host = \xff("}, "", "query"},
		{"a sample", SearchRequest{Sample: "150%"}, "", "sample"},
		{"all of it", SearchRequest{Sample: "100%"}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := tt.r.where()
			if tt.param != "" {
				if !isInvalid(err, tt.param) {
					t.Errorf("where() = %v, %v; want a refusal of %s", e, err, tt.param)
				}
				return
			}
			got := ""
			if e != nil {
				got = e.String()
			}
			if err != nil || got != tt.want {
				t.Errorf("where() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestAsInvalid: the column of a mistake counts from 1, and the shown value is valid UTF-8.
func TestAsInvalid(t *testing.T) {
	for text, column := range map[string]int{"fish )": 6, "): fish": 1, "host = \xff": 8} {
		_, err := (&SearchRequest{Query: text}).where()
		var e *Error
		if !errors.As(err, &e) || e.Column != column || e.Link != HelpPath || e.Value != strings.ToValidUTF8(text, "\uFFFD") {
			t.Errorf("%q: %+v, want the column %d, a link to the help and a valid value", text, e, column)
		}
	}
}

// TestCursor: a cursor is read as it was written; any other text is refused without a reason.
func TestCursor(t *testing.T) {
	if after, seen, err := parseCursor(""); after != nil || seen != 0 || err != nil {
		t.Errorf("no cursor: %v, %d, %v", after, seen, err)
	}
	want := query.Position{Key: query.Key{SURT: "org,example)/é", Filename: "a.warc", Offset: 1 << 40}, Score: 1.25}
	if got, seen, err := parseCursor(encodeCursor(want, 20)); err != nil || seen != 20 || *got != want {
		t.Errorf("%+v became %+v after %d, %v", want, got, seen, err)
	}
	for _, bad := range []string{
		"x", "====", "e30=", "bnVsbA==", "eyJLZXkiOjF9", "W10", "Ii0i", "eyJVbmtub3duIjoxfQ", "eyJTZWVuIjotMX0",
		strings.Repeat("A", maxCursor+1), "eyJTZWVuIjoxZTMwfQ", "e30ge30", "e30K9g",
	} {
		if after, seen, err := parseCursor(bad); !isInvalid(err, "cursor") {
			t.Errorf("parseCursor(%.30q) = %v, %d, %v", bad, after, seen, err)
		}
	}
	for _, n := range []int64{0, 1, 50, 1 << 40} {
		if got, err := offsetOf(cursorAt(n)); got != n || err != nil {
			t.Errorf("the offset %d became %d, %v", n, got, err)
		}
	}
	for _, bad := range []string{cursorAt(-1), cursorAt(1<<40 + 1), "LTE", "MS41", "x", "é"} {
		if got, err := offsetOf(bad); !isInvalid(err, "cursor") {
			t.Errorf("offsetOf(%q) = %d, %v", bad, got, err)
		}
	}
}

// TestSearch_position: each page of a list knows its first entry and how many come after its last.
func TestSearch_position(t *testing.T) {
	v, ctx := pagesWith(t, "the fish auction"), WithActor(t.Context(), Actor{Role: Viewer})
	for _, order := range []string{"newest", "oldest", "surt", "relevance"} {
		r := SearchRequest{Query: "fish", Limit: 30, Order: order}
		for first := int64(1); ; first += 30 {
			s, err := v.Search(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			if left := max(0, 100-first-29); s.First != first || s.Left != left || s.Total != 100 {
				t.Errorf("%s: the page begins with %d of %d and leaves %d, want %d of 100 and %d", order, s.First, s.Total,
					s.Left, first, left)
			}
			if r.Cursor = s.Next; s.Next == "" {
				break
			}
		}
	}
}
