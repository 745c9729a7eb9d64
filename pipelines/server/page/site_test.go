package page_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/page"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// site is the server under test, as `serve` makes it, over what ingest makes of the project's archives.
type site struct {
	address string
	client  *http.Client
}

var (
	started sync.Once
	common  *site
	failed  error
	cleanup []func()
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range cleanup {
		f()
	}
	os.Exit(code)
}

// theSite is the same for all tests, since to make a collection takes a second.
func theSite(t *testing.T) *site {
	t.Helper()
	started.Do(func() { common, failed = newSite() })
	if failed != nil {
		t.Fatal(failed)
	}
	return common
}

func newSite() (*site, error) {
	dir, err := os.MkdirTemp("", "gleaner-pages")
	if err != nil {
		return nil, err
	}
	cleanup = append(cleanup, func() { _ = os.RemoveAll(dir) })
	out := filepath.Join(dir, "harbour")
	if err := ingest(out, "../../../testdata/archives", "../../../testdata/damaged"); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	store := blob.New(blob.Options{})
	books, err := shelf.Open(ctx, []string{out, filepath.Join(dir, "empty")}, store, shelf.Options{Reserved: server.Reserved})
	if err != nil {
		stop()
		return nil, err
	}
	views := view.New(books, view.Options{Store: store, Replay: "https://replay.example/{timestamp}/{url}"})
	s := httptest.NewServer(server.New(server.Options{Views: views, Pages: page.Of(views), Open: true}))
	cleanup = append(cleanup, s.Close, stop, func() { _ = books.Close() })
	return &site{address: s.URL, client: s.Client()}, nil
}

func ingest(out string, archives ...string) error {
	p, err := job.MakePlan(context.Background(), job.Request{
		Inputs: archives, Runner: "direct", UnitSize: 64 << 20,
		Options: job.Options{
			Output: out, Formats: []string{"jsonl"}, Compression: "zstd", Extract: enrich.Extractors(), Accuracy: "default",
			MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000, Workers: 2,
		},
	})
	if err == nil {
		_, err = p.Run(context.Background())
	}
	return err
}

// shown are the pages that tests look at.
var shown = []struct{ name, path string }{
	{"overview", "/harbour"},
	{"search", "/harbour/search?query=harbour"},
	{"resource", "/harbour/resource?url=" + url.QueryEscape("https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html")},
	{"hosts", "/harbour/hosts"},
	{"host", "/harbour/hosts/www.harbour-gazette.example"},
	{"runs", "/harbour/runs"},
	{"run", "/harbour/runs/1"},
	{"sources", "/sources"},
	{"collections", "/"},
	{"nothing", "/harbour/search?query=zzzqqq&lang=fr"},
	{"mistake", "/harbour/search?query=" + url.QueryEscape(`language = "fr" AND (mime:pdf`)},
	{"missing", "/harbour/resource?url=" + url.QueryEscape("https://www.harbour-gazette.example/2023/06/nope.html")},
	{"empty", "/empty"},
	{"arabic", "/harbour/search?query=" + url.QueryEscape("الرصيف")},
}

// get asks for a page.
func (s *site) get(t *testing.T, path string) (*http.Response, *html.Node) {
	t.Helper()
	r, err := s.client.Get(s.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	doc, err := html.Parse(r.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r, doc
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// textOf is the text in a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// TestPages_keepToThePolicy: on no page there is anything that the policy would refuse, or that is said twice.
func TestPages_keepToThePolicy(t *testing.T) {
	s := theSite(t)
	for _, p := range shown {
		t.Run(p.name, func(t *testing.T) {
			r, doc := s.get(t, p.path)
			if got := r.Header.Get("Content-Security-Policy"); got != page.Policy {
				t.Errorf("policy %q", got)
			}
			ids := map[string]bool{}
			for n := range doc.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				if n.Data == "style" || n.Data == "script" && (attr(n, "src") == "" || n.FirstChild != nil) {
					t.Errorf("an inline <%s>", n.Data)
				}
				for _, a := range n.Attr {
					if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
						t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
					}
				}
				if id := attr(n, "id"); id != "" {
					if ids[id] {
						t.Errorf("the id %q is there twice", id)
					}
					ids[id] = true
				}
			}
		})
	}
}

var counted = regexp.MustCompile(`([\d,]+) captures?`)

// TestPages_everyFigureLeadsToItsCaptures: the search that a figure links to finds exactly so many captures. All rows of
// tables are tried whose first cell is a link to a search, and that have a number.
func TestPages_everyFigureLeadsToItsCaptures(t *testing.T) {
	s := theSite(t)
	tried := 0
	for _, path := range []string{
		"/harbour", "/harbour?unit=month", "/harbour/hosts/www.harbour-gazette.example", "/harbour/runs/1",
		"/harbour/search?query=harbour",
	} {
		_, doc := s.get(t, path)
		for n := range doc.Descendants() {
			var link, number string
			switch {
			case n.Data == "tr":
				link, number = figureOf(n)
			case n.Data == "dd" || n.Data == "li" && attr(n.Parent, "aria-label") == "":
				for c := range n.Descendants() {
					if c.Data == "a" {
						link, number = attr(c, "href"), strings.TrimSuffix(strings.TrimSuffix(textOf(c), " captures"), " capture")
						break
					}
				}
			}
			// Flags on the page of a run are those of all records, as its table says, and not of captures alone.
			if strings.Contains(path, "/runs/") && strings.Contains(link, "flag=") {
				continue
			}
			if !strings.Contains(link, "/search?") || strings.Trim(number, "0123456789,") != "" || number == "" {
				continue
			}
			tried++
			_, found := s.get(t, link)
			head := headOf(found)
			if m := counted.FindStringSubmatch(head); m == nil || m[1] != number {
				t.Errorf("%s: %s leads to %s, which says %q", path, number, link, head)
			}
		}
	}
	t.Logf("%d figures", tried)
	if tried < 60 {
		t.Errorf("only %d figures with links were found", tried)
	}
}

// figureOf is the link of a row's first cell, and its first number.
func figureOf(row *html.Node) (link, number string) {
	for c := range row.Descendants() {
		switch {
		case c.Data == "a" && link == "":
			link = attr(c, "href")
		case c.Data == "td" && attr(c, "class") == "n" && number == "":
			number = textOf(c)
		}
	}
	return link, number
}

// headOf is what a search says that it found.
func headOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if attr(n, "role") == "status" {
			return textOf(n)
		}
	}
	return ""
}

// TestPages_everyLinkWorks follows all links from the overview, as far as there are no more than so many, and the links
// of pages as JSON: none leads to an error.
func TestPages_everyLinkWorks(t *testing.T) {
	s := theSite(t)
	const most = 150
	seen, todo := map[string]string{"/harbour": "start"}, []string{"/harbour"}
	for i := 0; i < len(todo) && i < most; i++ {
		r, doc := s.get(t, todo[i])
		if r.StatusCode != http.StatusOK && !expected(todo[i]) {
			t.Errorf("%s: %s, linked from %s", todo[i], r.Status, seen[todo[i]])
			continue
		}
		for n := range doc.Descendants() {
			link, _, _ := strings.Cut(attr(n, "href"), "#")
			if n.Data != "a" || !strings.HasPrefix(link, "/") || seen[link] != "" {
				continue
			}
			seen[link] = todo[i]
			todo = append(todo, link)
		}
	}
	t.Logf("%d pages, %d links", min(most, len(todo)), len(todo))
}

// expected are links that may lead nowhere: pages that others link to and that were not captured, files of archives that
// are too damaged, and what this server was not started with.
func expected(path string) bool {
	return strings.Contains(path, "/resource?") || strings.Contains(path, "/record?") || strings.HasPrefix(path, "/jobs") ||
		strings.HasPrefix(path, "/datasets") || strings.HasPrefix(path, "/sources") || strings.Contains(path, "/entities") || strings.HasPrefix(path, "/empty") || strings.HasPrefix(path, "/api/v1/export")
}

// TestPages_hostileWords: what comes from an address or a query is text wherever it is shown.
func TestPages_hostileWords(t *testing.T) {
	s := theSite(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{7}}`
	for _, path := range []string{
		"/harbour/search?query=", "/harbour/search?lang=", "/harbour/search?order=", "/harbour/hosts?find=", "/harbour/hosts/",
		"/harbour/resource?url=", "/", "/harbour/", "/harbour/search?cursor=", "/harbour?unit=", "/sources?find=", "/harbour/runs/",
	} {
		r, doc := s.get(t, path+url.QueryEscape(evil))
		if r.StatusCode >= 500 && !expected(path) {
			t.Errorf("%s: %s", path, r.Status)
		}
		for n := range doc.Descendants() {
			if n.Data == "img" || n.Data == "script" && n.Type == html.ElementNode && attr(n, "src") == "" {
				t.Errorf("%s: the page has a <%s>", path, n.Data)
			}
		}
	}
}

// TestPages_areSmall: a page of results has 60 kB at most, our own script 3 kB, the style 12 kB.
func TestPages_areSmall(t *testing.T) {
	s := theSite(t)
	for _, p := range shown {
		r, err := s.client.Get(s.address + p.path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if len(b) > 60_000 {
			t.Errorf("%s has %d bytes", p.name, len(b))
		}
	}
}
