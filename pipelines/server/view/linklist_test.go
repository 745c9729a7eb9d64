package view

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/access"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// linkedCapture is a capture of a test with the links on it: "target text", in the main text, or elsewhere if the text
// is "aside".
type linkedCapture struct {
	url, time, language string
	links               []string
}

// linkedViews are the views of a collection of these captures.
func linkedViews(t *testing.T, captures ...linkedCapture) *Views {
	t.Helper()
	return changedViews(t, func([]*schemas.Document) {}, captures...)
}

// changedViews are linkedViews of changed documents.
func changedViews(t *testing.T, change func([]*schemas.Document), captures ...linkedCapture) *Views {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	var documents []*schemas.Document
	var links [][]schemas.Link
	for i, c := range captures {
		d := &schemas.Document{
			URL: c.url, SURT: urlkey.SURT(c.url), Host: urlkey.Host(c.url), Domain: urlkey.RegistrableDomain(urlkey.Host(c.url)),
			Timestamp: c.time, Language: c.language, Filename: "a.warc.gz", Offset: int64(i), Text: "words",
		}
		documents = append(documents, d)
		var list []schemas.Link
		for _, text := range c.links {
			target, anchor, _ := strings.Cut(text, " ")
			l := schemas.Link{
				SURT: d.SURT, URL: d.URL, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp, Target: target, Text: anchor,
				Place: schemas.PlaceMain,
			}
			if anchor == "aside" {
				l.Place = schemas.PlaceOther
			}
			if host := urlkey.Host(target); host != "" && strings.Contains(target, "://") {
				l.TargetSURT, l.TargetHost, l.TargetDomain = urlkey.SURT(target), host, urlkey.RegistrableDomain(host)
			}
			list = append(list, l)
		}
		if len(list) > 0 {
			links = append(links, list)
		}
	}
	change(documents)
	collectiontest.Link(t, f, schemas.Range{File: "a.warc.gz", End: 1, Format: "warc+gzip"}, documents, links...)
	s, err := shelf.Open(t.Context(), []string{f.Path("")}, nil, shelf.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it is only read
	return New(s, Options{})
}

// smallWeb has unusual links: of versions, to the page itself, to a host without captures, and of other schemes. Names
// are of other scripts, and anchors are empty, from right to left, or have markup.
var smallWeb = []linkedCapture{
	{"http://a.example/", "2020-01-01T00:00:00Z", "en", []string{"http://b.example/ first", "http://a.example/ self"}},
	{"http://a.example/", "2021-01-01T00:00:00Z", "en", []string{
		"http://b.example/ second", "http://b.example/ again", "http://only.example/", "javascript:alert(1) run",
		"data:text/html,<script> data", "http://xn--mnchen-3ya.example/ M\u00fcnchen", "mailto:a@b.example mail",
	}},
	{"http://b.example/", "2021-06-01T00:00:00Z", "fr", []string{
		"http://a.example/ \u0639\u0631\u0628\u064a", "http://a.example/#part <script>alert(1)</script>",
		"ftp://files.example/ files",
	}},
	{"http://c.example/x", "2022-01-01T00:00:00Z", "fr", []string{"https://www.b.example/ c"}},
}

// targets are the targets and texts of a list.
func (l *LinkList) texts() (list []string) {
	for _, r := range l.Rows {
		list = append(list, r.Target+" "+r.Text)
	}
	return list
}

// TestLinks: links into and out of a page and between hosts, with filters, and page by page.
func TestLinks(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, c := range []struct {
		name                   string
		r                      LinksRequest
		links, pages, captures int64
		want                   []string
	}{
		{"in", LinksRequest{URL: "http://b.example/"}, 4, 2, 3, []string{
			"http://b.example/ second", "http://b.example/ again", "https://www.b.example/ c",
		}},
		{"in, all captures", LinksRequest{URL: "b.example", Every: "yes"}, 4, 2, 3, []string{
			"http://b.example/ first", "http://b.example/ second", "http://b.example/ again", "https://www.b.example/ c",
		}},
		{"in, to a page itself", LinksRequest{URL: "http://a.example/"}, 3, 2, 2, []string{
			"http://a.example/ self", "http://a.example/ \u0639\u0631\u0628\u064a",
			"http://a.example/#part <script>alert(1)</script>",
		}},
		{
			"in, of a search",
			LinksRequest{URL: "http://b.example/", SearchRequest: SearchRequest{Lang: "fr"}},
			1, 1, 1,
			[]string{
				"https://www.b.example/ c",
			},
		},
		{"in, no capture", LinksRequest{URL: "http://only.example/"}, 1, 1, 1, []string{"http://only.example/ "}},
		{"in, none", LinksRequest{URL: "http://nobody.example/"}, 0, 0, 0, nil},
		{"out", LinksRequest{URL: "http://a.example/", Way: "out"}, 7, 1, 1, smallWeb[1].withSpaces()},
		{"out, earlier", LinksRequest{URL: "http://a.example/", Way: "out", At: "2020"}, 2, 1, 1, smallWeb[0].links},
		{"from host", LinksRequest{FromHost: "b.example"}, 2, 1, 1, smallWeb[2].links[:2]},
		{
			"to host",
			LinksRequest{ToHost: "xn--mnchen-3ya.example"},
			1, 1, 1,
			[]string{"http://xn--mnchen-3ya.example/ M\u00fcnchen"},
		},
		{"from a host in capitals", LinksRequest{FromHost: "B.Example"}, 2, 1, 1, smallWeb[2].links[:2]},
		{"from a host with a dot", LinksRequest{FromHost: " b.example. "}, 2, 1, 1, smallWeb[2].links[:2]},
		{"from a host with a port", LinksRequest{FromHost: "b.example:80"}, 2, 1, 1, smallWeb[2].links[:2]},
		{"from host to host", LinksRequest{FromHost: "a.example", ToHost: "b.example"}, 3, 1, 2, []string{
			"http://b.example/ first", "http://b.example/ second", "http://b.example/ again",
		}},
		{"within a host", LinksRequest{FromHost: "a.example", ToHost: "a.example"}, 0, 0, 0, nil},
		{"other place", LinksRequest{FromHost: "a.example", Place: "other"}, 0, 0, 0, nil},
		{"in, other place", LinksRequest{URL: "http://b.example/", Place: "other"}, 0, 0, 0, nil},
		{"in, navigation, all captures", LinksRequest{URL: "b.example", Place: "navigation", Every: "yes"}, 0, 0, 0, nil},
		{"in, main text", LinksRequest{URL: "http://b.example/", Place: "main"}, 4, 2, 3, []string{
			"http://b.example/ second", "http://b.example/ again", "https://www.b.example/ c",
		}},
		{"out, other place", LinksRequest{URL: "http://a.example/", Way: "out", Place: "other"}, 0, 0, 0, nil},
		{
			"out, main text",
			LinksRequest{URL: "http://a.example/", Way: "out", Place: "main", At: "2020"},
			2, 1, 1,
			smallWeb[0].links,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := v.Links(ctx, c.r)
			if err != nil {
				t.Fatal(err)
			}
			if l.Links != c.links || l.Pages != c.pages || l.Captures != c.captures {
				t.Errorf("%d links, %d pages, %d captures; want %d, %d, %d", l.Links, l.Pages, l.Captures, c.links, c.pages,
					c.captures)
			}
			if got := l.texts(); !slices.Equal(got, c.want) {
				t.Errorf("rows %q, want %q", got, c.want)
			}
			now, release, err := v.Open(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			if n := countRows(t, now, l.statement()); n != len(c.want) {
				t.Errorf("%s has %d rows, want %d", l.statement(), n, len(c.want))
			}
			release()
			var all []string
			r := c.r
			for r.Limit = 1; ; r.Cursor = l.Next {
				if l, err = v.Links(ctx, r); err != nil {
					t.Fatal(err)
				}
				if all = append(all, l.texts()...); l.Next == "" {
					break
				}
			}
			if !slices.Equal(all, c.want) {
				t.Errorf("one by one %q, want %q", all, c.want)
			}
			for _, row := range l.Rows {
				if row.TargetLink != "" && !strings.HasPrefix(row.Target, "http") {
					t.Errorf("%s is linked: %s", row.Target, row.TargetLink)
				}
			}
		})
	}
}

// TestLinks_command: the command finds the links that are listed, also none.
func TestLinks_command(t *testing.T) {
	v := linkedViews(t,
		linkedCapture{"http://a.example/", "2020-01-01T00:00:00Z", "en", []string{"http://b.example/ aside"}},
		linkedCapture{"http://a.example/", "2021-01-01T00:00:00Z", "en", []string{"http://c.example/ main"}})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, c := range []struct {
		name string
		r    LinksRequest
		rows int // of the command; -1 for none
	}{
		{"place", LinksRequest{Place: schemas.PlaceMain}, 1},
		{"place of an older capture", LinksRequest{Place: schemas.PlaceOther}, 0},
		{"older capture", LinksRequest{Place: schemas.PlaceOther, At: "2020"}, 1},
		{"place of a newer capture", LinksRequest{Place: schemas.PlaceMain, At: "2020"}, 0},
		{"before the first capture", LinksRequest{At: "2019"}, -1},
		{"no capture that fits", LinksRequest{SearchRequest: SearchRequest{Lang: "fr"}}, -1},
		{"another page", LinksRequest{URL: "http://other.example/"}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.r.Way = "out"; c.r.URL == "" {
				c.r.URL = "http://a.example/"
			}
			l, err := v.Links(ctx, c.r)
			if err != nil {
				t.Fatal(err)
			}
			now, release, err := v.Open(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			if got := countRows(t, now, l.statement()); len(l.Rows) != max(0, c.rows) || l.Command != "" && got != c.rows {
				t.Errorf("%d links are listed, and %q finds %d; want %d", len(l.Rows), l.Command, got, c.rows)
			}
			if (l.Command == "") != (c.rows < 0) {
				t.Errorf("the command is %q", l.Command)
			}
		})
	}
}

// withSpaces are the links as texts returns them.
func (c linkedCapture) withSpaces() (list []string) {
	for _, l := range c.links {
		if !strings.Contains(l, " ") {
			l += " "
		}
		list = append(list, l)
	}
	return list
}

// TestLinks_many: a page with very many links, and a page to which very many link, are listed page by page.
func TestLinks_many(t *testing.T) {
	const n = 100_000
	one := linkedCapture{url: "http://a.example/", time: "2020-01-01T00:00:00Z"}
	for i := range n {
		one.links = append(one.links, fmt.Sprintf("http://h%d.example/ %d", i%1000, i))
	}
	v := linkedViews(t, one)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	start := time.Now()
	l, err := v.Links(ctx, LinksRequest{
		URL: one.url, Way: "out", SearchRequest: SearchRequest{Cursor: cursorAt(n - 10), Limit: 1000},
	})
	if err != nil || l.Links != n || len(l.Rows) != 10 || l.Next != "" {
		t.Errorf("the last links: %v, %+v", err, l)
	}
	if l, err = v.Links(ctx, LinksRequest{URL: "http://h7.example/"}); err != nil || l.Links != n/1000 ||
		len(l.Rows) != 50 {
		t.Errorf("links to one: %v, %+v", err, l)
	}
	t.Logf("%d links: both lists in %v, with the index", n, time.Since(start))
}

// TestLinks_mistakes: a request without a page or a host, or with both, is refused.
func TestLinks_mistakes(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, r := range []LinksRequest{
		{},
		{URL: "http://a.example/", FromHost: "b.example"},
		{URL: "http://a.example/", Way: "out", At: "yesterday"},
		{URL: "http://a.example/", SearchRequest: SearchRequest{Cursor: "x"}},
		{URL: "http://a.example/", SearchRequest: SearchRequest{Query: "lang ="}},
	} {
		if _, err := v.Links(ctx, r); mistakeOf(err) != Invalid {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := v.Links(t.Context(), LinksRequest{URL: "http://a.example/"}); mistakeOf(err) != LoggedOut {
		t.Errorf("without an account: %v", err)
	}
	without := pagesWith(t, "words")
	if l, err := without.Links(ctx, LinksRequest{URL: "http://example.org/1"}); err != nil || l.Missing == nil {
		t.Errorf("a collection without links: %+v, %v", l, err)
	}
}

// mistakeOf returns the kind of a view's error, or 0.
func mistakeOf(err error) Kind {
	if e, is := err.(*Error); is {
		return e.Kind
	}
	return 0
}

// TestLinks_sameMoment: a reader does not see the links of a denied capture whose page and time an allowed one has. An
// index of links knows only these two.
func TestLinks_sameMoment(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "access.yml")
	text := "default: allow\nrules:\n  - language: fr\n    action: deny\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"", "2020-01-01T00:00:00Z"} {
		v := linkedViews(t,
			linkedCapture{"http://a.example/", at, "en", []string{"http://open.example/ open"}},
			linkedCapture{"http://a.example/", at, "fr", []string{"http://hidden.example/ secret"}},
			linkedCapture{"http://b.example/", at, "en", []string{"http://other.example/ other"}})
		var err error
		if v.o.Access, err = access.Open(rules); err != nil {
			t.Fatal(err)
		}
		ctx := WithActor(t.Context(), Actor{Role: Viewer})
		for target, want := range map[string]int64{"http://hidden.example/": 0, "http://other.example/": 1} {
			l, err := v.Links(ctx, LinksRequest{URL: target})
			if err != nil || l.Links != want {
				t.Errorf("%q: %s has %d links, want %d; %v", at, target, l.Links, want, err)
			}
		}
		g, err := v.Graph(ctx, GraphRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range g.Rows {
			if h.Host == "hidden.example" {
				t.Errorf("%q: the graph has %+v", at, h)
			}
		}
	}
}

// TestInto_many: a list of more links than are held says so.
func TestInto_many(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	now, release, err := v.Open(WithActor(t.Context(), Actor{Role: Viewer}), "")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	x, err := now.Links()
	for err != nil && t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
		x, err = now.Links()
	}
	for most, want := range map[int]int64{1: 1, 3: 3, 4: 4, 5: 4, 0: 4} {
		l := &LinkList{Request: LinksRequest{URL: "http://b.example/", Way: "in", Every: "yes"}}
		l.Request.Limit = 10
		err := l.into(t.Context(), &linked{index: x, most: most})
		if err != nil || l.Links != want || int64(len(l.Rows)) != want || (l.Note != "") != (want < 4) {
			t.Errorf("of %d: %d links, %d rows, %q, %v", most, l.Links, len(l.Rows), l.Note, err)
		}
	}
}

// TestLinks_undated: statements find the links of captures without a date too.
func TestLinks_undated(t *testing.T) {
	v := linkedViews(
		t, linkedCapture{"http://a.example/", "", "en", []string{"http://b.example/ undated"}},
		linkedCapture{"http://a.example/", "2020-01-01T00:00:00Z", "en", []string{"http://b.example/ dated"}},
		linkedCapture{"http://c.example/", "", "fr", []string{"http://b.example/ french"}},
		linkedCapture{"http://d.example/", "2020-01-01T00:00:00Z", "fr", []string{"http://b.example/ late"}},
	)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, tt := range []struct {
		r    LinksRequest
		want int
	}{
		{LinksRequest{SearchRequest: SearchRequest{Lang: "en"}, URL: "http://b.example/"}, 2},
		{LinksRequest{SearchRequest: SearchRequest{Lang: "fr"}, URL: "http://b.example/"}, 2},
		{LinksRequest{SearchRequest: SearchRequest{Lang: "fr"}, URL: "http://c.example/", Way: "out"}, 1},
		{LinksRequest{URL: "http://c.example/", Way: "out"}, 1},
		{LinksRequest{URL: "http://a.example/", Way: "out"}, 1},
		{LinksRequest{SearchRequest: SearchRequest{Lang: "fr"}, FromHost: "c.example"}, 1},
	} {
		tt.r.Every = "yes"
		l, err := v.Links(ctx, tt.r)
		if err != nil || l.Missing != nil {
			t.Fatalf("%+v: %+v, %v", tt.r, l, err)
		}
		now, release, err := v.Open(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		rows := countRows(t, now, l.statement())
		release()
		if len(l.Rows) != tt.want || rows != tt.want {
			t.Errorf("%+v: the list has %d links and %s has %d, want %d", tt.r, len(l.Rows), l.statement(), rows, tt.want)
		}
	}
	if n := takenLinks(t, v, SearchRequest{Lang: "fr"}); n != 2 {
		t.Errorf("the table of links has %d rows, want 2", n)
	}
}

// takenLinks counts the rows of the table of links among the data sets of a search.
func takenLinks(t *testing.T, v *Views, r SearchRequest) (n int) {
	t.Helper()
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	all, err := v.Take(ctx, TakeRequest{SearchRequest: r})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all.Tables {
		if table.Label != linksTable {
			continue
		}
		u, err := url.Parse(table.Preview)
		if err != nil {
			t.Fatal(err)
		}
		now, release, err := v.Open(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		n = countRows(t, now, u.Query().Get("sql"))
		release()
	}
	return n
}

// TestResource_linksOfRevisit: the page of a revisit has the links of its original, as the list of all links has.
func TestResource_linksOfRevisit(t *testing.T) {
	const at2020, at2021, at2022, at2023 = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z",
		"2023-01-01T00:00:00Z"
	captures := []linkedCapture{
		{"http://a.example/", at2020, "en", []string{"http://b.example/ first"}},
		{"http://a.example/", at2021, "en", []string{"http://b.example/ second", "http://c.example/ more"}},
		{"http://a.example/", at2022, "", nil},
		{"http://a.example/", at2023, "en", nil},
	}
	first, second := captures[0].links, captures[1].links
	elsewhere := &schemas.Reference{URL: "http://x.example/"}
	refers := func(at string) func(d *schemas.Document) {
		return func(d *schemas.Document) { d.RefersTo = &schemas.Reference{URL: d.URL, Timestamp: at} }
	}
	for name, tt := range map[string]struct {
		revisit func(d *schemas.Document)
		want    []string
	}{
		"of the capture before":    {refers(at2021), second},
		"of an older capture":      {refers(at2020), first},
		"by its digest":            {func(d *schemas.Document) { d.Digest = "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P" }, first},
		"not modified":             {func(d *schemas.Document) { d.Status = 304 }, second},
		"of another page":          {func(d *schemas.Document) { d.RefersTo = elsewhere }, nil},
		"of a capture without any": {refers(at2023), nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := changedViews(t, func(docs []*schemas.Document) {
				for i, d := range docs {
					d.RecordType, d.Status, d.RecordID = schemas.TypeResponse, 200, fmt.Sprint("urn:x:", i)
				}
				docs[0].Digest = "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P"
				docs[2].RecordType, docs[2].Text = schemas.TypeRevisit, ""
				tt.revisit(docs[2])
			}, captures...)
			ctx := WithActor(t.Context(), Actor{Role: Viewer})
			// It waits for the index of links.
			if _, err := v.Links(ctx, LinksRequest{URL: "http://a.example/"}); err != nil {
				t.Fatal(err)
			}
			res, err := v.Resource(ctx, ResourceRequest{URL: "http://a.example/", At: at2022})
			if err != nil || res.Links.On == nil || res.Shown.Timestamp != at2022 {
				t.Fatal(err, "or no links, or another version")
			}
			if got := res.Links.On.texts(); !slices.Equal(got, tt.want) || res.Links.On.Links != int64(len(tt.want)) {
				t.Errorf("%d links, %q, want %q", res.Links.On.Links, got, tt.want)
			}
		})
	}
}
