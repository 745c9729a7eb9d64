package view

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestChoose: a place selects its version, and a time selects the newest version until then. A time before all versions
// selects the oldest that has a date.
func TestChoose(t *testing.T) {
	made := func(timestamp string, offset int64) *schemas.Document {
		return &schemas.Document{Timestamp: timestamp, Filename: "a.b.warc", Offset: offset}
	}
	undated := made("", 1)
	list := []*schemas.Document{
		undated, made("2020-02-28T23:59:59Z", 2), made("2020-02-29T10:00:00.25Z", 3), made("2020-02-29T10:00:00.5Z", 4),
		made("2021-01-01T00:00:00Z", 5), made("2021-01-01T00:00:00Z", 6),
	}
	for _, tt := range []struct {
		value string
		want  int64 // the offset; 0 is a mistake
	}{
		{"", 6},
		{"~1.0.a.b.warc", 1},
		{"~5.0.a.b.warc", 5},
		{"~5.1.a.b.warc", 0},
		{"~5.0.a.b", 0},
		{"~", 0},
		{"2020", 4},
		{"2020-02", 4},
		{"2020-02-28", 2},
		{"20200229100000", 4},
		{"20200229100000.25", 3},
		{"20200229100000.3", 3},
		{"20200229100000.5", 4},
		{"20200229100000.499999999", 3},
		{"2020-02-29T10:00:00Z", 4},
		{"2019", 2},
		{"1996", 2},
		{"2021-01-01", 6},
		{"2261", 6},
		{"9999", 0},
		{"20200230000000", 0},
		{"20200229100000.", 0},
		{"yesterday", 0},
		{"2020-02-29T10:00:00", 4},
	} {
		d, err := choose(list, "at", tt.value, "http://example.org/")
		if tt.want == 0 {
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("choose(%q) = %+v, %v; want a mistake", tt.value, d, err)
			}
			continue
		}
		if err != nil || d.Offset != tt.want {
			t.Errorf("choose(%q) = %+v, %v; want the one at %d", tt.value, d, err, tt.want)
		}
	}
	if d, err := choose(list[:1], "at", "2020", "http://example.org/"); err != nil || d != undated {
		t.Errorf("without dates: %+v, %v", d, err)
	}
	for _, d := range list {
		if got, err := choose(list[:d.Offset], "at", at(d), "http://example.org/"); err != nil || got != d {
			t.Errorf("%+v is chosen by its own %s: %+v, %v", d, at(d), got, err)
		}
	}
}

// TestChoosePair: without parameters a version is compared with the previous one.
func TestChoosePair(t *testing.T) {
	var list []*schemas.Document
	for i := range 4 {
		list = append(list, &schemas.Document{Timestamp: fmt.Sprintf("202%d-01-01T00:00:00Z", i)})
	}
	for _, tt := range []struct {
		shown           int
		from, to, wants string
	}{
		{3, "", "", "2>3"},
		{1, "", "", "0>1"},
		{0, "", "", ""},
		{0, "2021", "", "1>3"},
		{0, "", "2020", "3>0"},
		{0, "2020", "2022", "0>2"},
		{0, "2022", "2020", "2>0"},
		{0, "2020", "2020", "0>0"},
		{0, "x", "", "from"},
		{0, "2020", "x", "to"},
	} {
		f := &found{list: list}
		err := f.choosePair(t.Context(), nil, ResourceRequest{From: tt.from, To: tt.to}, list[tt.shown])
		got := ""
		var e *Error
		switch {
		case errors.As(err, &e):
			got = e.Param
		case f.from != nil && f.to != nil:
			got = f.from.Timestamp[3:4] + ">" + f.to.Timestamp[3:4]
		}
		if got != tt.wants {
			t.Errorf("from %q to %q beside %d: %q, %v; want %q", tt.from, tt.to, tt.shown, got, err, tt.wants)
		}
	}
}

// TestStampOf: a time is written with as many digits as it has, and read again as the same time.
func TestStampOf(t *testing.T) {
	for text, want := range map[string]string{
		"2020-02-29T10:00:00Z":           "20200229100000",
		"2020-02-29T10:00:00.5Z":         "20200229100000.5",
		"2020-02-29T10:00:00.000000001Z": "20200229100000.000000001",
		"2020-02-29T10:00:00.120Z":       "20200229100000.12",
		"2020-02-29T10:00:00+01:00":      "20200229090000",
		"0001-01-01T00:00:00.1Z":         "00010101000000.1",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		got := stampOf(at)
		from, to, err := periodOf(got)
		if got != want || err != nil || !from.Equal(at) || !to.After(at) || to.Sub(at) > time.Second {
			t.Errorf("%s is written as %s and read as %v to %v, %v; want %s", text, got, from, to, err, want)
		}
	}
}

// TestCrumbs: each folder of an address leads to a search that finds the address, and not those of another folder.
func TestCrumbs(t *testing.T) {
	for _, tt := range []struct{ name, url, labels string }{
		{"a host", "http://a.example/", "a.example"},
		{"without a slash", "http://a.example", "a.example"},
		{"a file", "http://a.example/b.html", "a.example"},
		{"folders", "http://a.example/b/c/d.html", "a.example|b|c"},
		{"a folder", "http://a.example/b/c/", "a.example|b"},
		{"escaped", "http://a.example/b%20c/caf%C3%A9/x", "a.example|b c|café"},
		{"an escaped slash", "http://a.example/b%2Fc/x", "a.example|b/c"},
		{"two slashes at first", "http://a.example//b/c/x", "a.example|b|c"},
		{"two slashes within", "http://a.example/b//c/x", "a.example|b|c"},
		{"a star", "http://a.example/b*/c/x", "a.example|b*|c"},
		{"a quotation mark", `http://a.example/b"c/x`, `a.example|b"c`},
		{"a backslash", `http://a.example/b\c/x`, `a.example|b\c`},
		{"a query", "http://a.example/b/c?d=/e/f", "a.example|b"},
		{"an address that does not parse", "http://a.example/%zz/x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &schemas.Document{URL: tt.url, Host: "a.example"}
			var labels []string
			for i, c := range crumbs("c", d) {
				if labels = append(labels, c.Label); i == 0 {
					continue
				}
				link, err := url.Parse(c.Link)
				if err != nil {
					t.Fatal(err)
				}
				e, err := query.Parse(link.Query().Get("query"))
				if err != nil || !query.Compile(e)(d) {
					t.Errorf("%s is not found by %s, %v", tt.url, link.Query().Get("query"), err)
				}
				other := &schemas.Document{URL: strings.ReplaceAll(strings.Replace(tt.url, "/b", "/X", 1), "*", "-")}
				if query.Compile(e)(other) {
					t.Errorf("%s is found by %s", other.URL, link.Query().Get("query"))
				}
			}
			if got := strings.Join(labels, "|"); got != tt.labels {
				t.Errorf("crumbs of %s: %s, want %s", tt.url, got, tt.labels)
			}
		})
	}
	if list := crumbs("c", &schemas.Document{URL: "mailto:ann@a.example"}); list == nil || len(list) > 0 {
		t.Errorf("a mail has %v", list)
	}
}

// TestMetadataOf: a value has its origin and its confidence, and a value that is missing has no row.
func TestMetadataOf(t *testing.T) {
	d := &schemas.Document{
		URL: "http://a.example/", Title: "Fish", Authors: []string{"Ann", "", "Li"}, Language: "ar", LanguageDeclared: " en ",
		LanguageConflict: true, Status: 301, RedirectURL: "http://a.example/b", MIMEDetected: "text/html",
		MIMEDeclared: "text/html", MIMEBasis: "html", Tags: []string{""}, Pages: 3, Simhash: "00ff",
		MetaSources:    map[string]string{"title": "opengraph", "authors": "a new one"},
		MetaConfidence: map[string]schemas.Float{"title": .5},
		Languages: []schemas.Language{
			{Code: "ar", Share: .7, Confidence: .9}, {Code: "en", Share: .3, Confidence: .8},
		},
		Quality: &schemas.Quality{Words: 12}, Crawl: map[string]string{"z": "1", "a": "2"},
		Errors: []schemas.StageError{{Stage: "pdf", Kind: "limit", Message: "too long"}},
		Custom: map[string][]string{"price": {"3", "4"}},
	}
	var rows []string
	for _, m := range metadataOf("c", d) {
		rows = append(rows, fmt.Sprintf("%s=%s (%s %g %s %v)", m.Field, strings.Join(m.Values, "+"), m.From, m.Confidence,
			m.Dir, m.Archived))
	}
	want := []string{
		"title=Fish (Open Graph 0.5 rtl true)",
		"authors=Ann+Li (a new one 0 rtl true)",
		"custom.price=3+4 ( 0 rtl true)",
		"language=Arabic (detected; the page or server says en 0.9 ltr false)",
		"languages=English, 30% of the text (detected 0.8 ltr false)",
		"mime_detected=text/html (html; the page or server says the same 0 ltr false)",
		"status=301 Moved Permanently (as archived 0 ltr false)",
		"redirect_url=http://a.example/b (as archived 0 ltr false)",
		"quality=12 (does not pass Gopher's rules 0 ltr false)",
		"pages=3 (of the document 0 ltr false)",
		"simhash=00ff (simhash of the text 0 ltr false)",
		"crawl.a=2 (as archived 0 ltr false)",
		"crawl.z=1 (as archived 0 ltr false)",
		"errors=pdf: too long (limit 0 ltr false)",
	}
	if got := strings.Join(rows, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	if rows := metadataOf("c", &schemas.Document{URL: "http://a.example/"}); len(rows) > 0 {
		t.Errorf("a document without values has %+v", rows)
	}
}
