package view

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// odd are sources whose fields have all that breaks tables, XML and lines.
func odd() []schemas.Source {
	return []schemas.Source{
		{
			ID: "1", URL: "http://a.example/feed?a=1&b=2", Type: "rss", Title: `A "feed", <b>`, Link: "http://a.example/",
			Verdict: "valid",
		},
		{ID: "2", URL: "http://b.example/feed", Type: "atom", Title: "two\nlines\r\nof \x00\x01 it \xff", Language: "de"},
		{ID: "3", URL: "http://c.example/feed", Type: "rss", Title: "=1+cmd|'/c calc'!A1", Class: "@main", Verdict: "-1"},
		{ID: "4", URL: "http://d.example/sitemap.xml", Type: "sitemap", Title: "not a feed"},
		{ID: "5", URL: "http://e.example/feed", Type: "rss", Refresh: schemas.SourceRefresh{Rate: 1.0 / 3}},
		{ID: "6", URL: "http://f.example/feed", Type: "json", Title: "-->]]><!--", Link: `javascript:alert("x")`},
	}
}

// fileOf writes the sources in a format.
func fileOf(t *testing.T, format string, list []schemas.Source) []byte {
	t.Helper()
	var b bytes.Buffer
	err := feedForms[format].write(&b, "2026-01-02T03:04:05Z", func(yield func(schemas.Source) error) error {
		for _, s := range list {
			if err := yield(s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFeeds_lines: each source is one line, and is read as it was.
func TestFeeds_lines(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(string(fileOf(t, "jsonl", odd())), "\n"), "\n")
	if len(lines) != len(odd()) {
		t.Fatalf("%d lines of %d sources", len(lines), len(odd()))
	}
	for i, want := range odd() {
		var got schemas.Source
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || got.URL != want.URL ||
			got.Title != strings.ToValidUTF8(want.Title, "\uFFFD") {
			t.Errorf("line %d is %+v, %v", i, got, err)
		}
		if strings.Contains(lines[i], `\u0026`) || strings.Contains(lines[i], `\u003c`) {
			t.Errorf("line %d is escaped for HTML: %s", i, lines[i])
		}
	}
}

// TestFeeds_table: a table has a row of ten cells for each source, none of which is a formula.
func TestFeeds_table(t *testing.T) {
	data := fileOf(t, "csv", odd())
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 1+len(odd()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if len(row) != 10 {
			t.Errorf("a row of %d cells: %q", len(row), row)
		}
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	if got := rows[5][7]; got != "0.3333" {
		t.Errorf("a third of an item a day is %s", got)
	}
	if bytes.Count(data, []byte("\n")) < len(rows) || bytes.Contains(data, []byte("\"\n\"")) {
		t.Errorf("lines do not end as RFC 4180 asks: %q", data)
	}
}

// TestFeeds_opml: a list of subscriptions is well-formed XML of the feeds alone, each with a text.
func TestFeeds_opml(t *testing.T) {
	var opml struct {
		Version  string    `xml:"version,attr"`
		Outlines []outline `xml:"body>outline"`
	}
	data := fileOf(t, "opml", odd())
	if err := xml.Unmarshal(data, &opml); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if opml.Version != "2.0" || len(opml.Outlines) != 5 {
		t.Fatalf("version %s with %d outlines", opml.Version, len(opml.Outlines))
	}
	if a := opml.Outlines[0]; a.Text != `A "feed", <b>` || a.XMLURL != "http://a.example/feed?a=1&b=2" ||
		a.HTMLURL != "http://a.example/" {
		t.Errorf("the first is %+v", a)
	}
	for _, o := range opml.Outlines {
		if o.Text == "" || o.Text != o.Title || o.Type != "rss" {
			t.Errorf("a subscription is %+v", o)
		}
	}
	if err := xml.Unmarshal(fileOf(t, "opml", nil), &opml); err != nil {
		t.Errorf("without sources: %v", err)
	}
}

// TestFeeds_broken: a file that breaks off does not look complete.
func TestFeeds_broken(t *testing.T) {
	errRead := errors.New("read")
	for format, form := range feedForms {
		var b bytes.Buffer
		err := form.write(&b, "", func(yield func(schemas.Source) error) error {
			if err := yield(odd()[0]); err != nil {
				return err
			}
			return errRead
		})
		if !errors.Is(err, errRead) || !strings.Contains(b.String(), "a.example") || strings.Contains(b.String(), "</opml>") {
			t.Errorf("%s: %v after %q", format, err, b.String())
		}
		if err := form.write(full{}, "", func(yield func(schemas.Source) error) error {
			for range 1000 {
				if err := yield(odd()[0]); err != nil {
					return err
				}
			}
			return nil
		}); !errors.Is(err, errFull) {
			t.Errorf("%s to a full disk: %v", format, err)
		}
	}
}

var errFull = errors.New("no room")

// full takes no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestChecksOf: a check fails by the reasons of the verdict alone, and is unknown where nothing is captured.
func TestChecksOf(t *testing.T) {
	result := func(s schemas.Source) string {
		text := ""
		for _, c := range checksOf(s) {
			text += c.Result[:1]
			if c.Name == "" || c.Found == "" || strings.Contains(c.Found, "%!") {
				t.Errorf("a check without words: %+v", c)
			}
		}
		return text
	}
	for _, tt := range []struct {
		name string
		s    schemas.Source
		want string
	}{
		{"nothing known", schemas.Source{}, "uuuuuuuuu"},
		{"items only", schemas.Source{Evidence: schemas.Evidence{Items: 3}}, "ppppuuuuu"},
		{"pages too", schemas.Source{Evidence: schemas.Evidence{Items: 3, Captured: 2}}, "ppppppppp"},
		{"empty", schemas.Source{Reasons: []string{"empty"}}, "fuuuuuuuu"},
		{"spam", schemas.Source{Reasons: []string{"spam"}, Evidence: schemas.Evidence{Items: 3}}, "pppfuuuuu"},
		{"gone", schemas.Source{Reasons: []string{"gone"}, Evidence: schemas.Evidence{Items: 3, Captured: 1}}, "ppppfpppp"},
		{
			"two reasons",
			schemas.Source{Reasons: []string{"comments", "no text"}, Evidence: schemas.Evidence{Items: 1}},
			"ppfpuuuuf",
		},
		{
			"a reason of a later version",
			schemas.Source{Reasons: []string{"x"}, Evidence: schemas.Evidence{Items: 1}},
			"ppppuuuuu",
		},
	} {
		if got := result(tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSourcesRequest: each filter has a link that removes it alone, and begins at the first page.
func TestSourcesRequest(t *testing.T) {
	r := SourcesRequest{Verdict: "valid", Language: "de", Find: "fish & chips", Cursor: "x", Order: "next"}
	list := r.filters()
	var got []string
	for _, f := range list {
		got = append(got, f.Param+" "+f.Label+" "+f.Link)
	}
	want := []string{
		"verdict valid /sources?find=fish+%26+chips&lang=de&order=next",
		"lang German /sources?find=fish+%26+chips&order=next&verdict=valid",
		"find fish & chips /sources?lang=de&order=next&verdict=valid",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("filters\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	chosen := 0
	for _, o := range r.orders() {
		if o.Selected {
			chosen++
		}
		if strings.Contains(o.Link, "cursor") || o.Selected != (o.Value == "next") {
			t.Errorf("the order %+v", o)
		}
	}
	if chosen != 1 {
		t.Errorf("%d orders are chosen", chosen)
	}
	for _, d := range r.downloads() {
		if !strings.Contains(d.Link, "verdict=valid") || strings.Contains(d.Link, "cursor") {
			t.Errorf("the download %+v is not of the whole list", d)
		}
	}
}

// TestSourcesRequest_site: a site is found whatever its case and script.
func TestSourcesRequest_site(t *testing.T) {
	for typed, want := range map[string]string{
		"example.org": "example.org", "Example.ORG": "example.org", " example.org. ": "example.org",
		"blog.example.org": "blog.example.org", "www.example.org": "www.example.org",
		"b\u00fccher.example": "xn--bcher-kva.example", "B\u00dcCHER.example": "xn--bcher-kva.example",
		"xn--bcher-kva.example":                        "xn--bcher-kva.example",
		"\u043f\u0440\u0438\u043c\u0435\u0440.example": "xn--e1afmkfd.example",
		"": "",
	} {
		if got := (SourcesRequest{Site: typed}).filter().Site; got != want {
			t.Errorf("site=%s searches %q, want %q", typed, got, want)
		}
	}
}
