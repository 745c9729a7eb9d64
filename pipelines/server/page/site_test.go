package page_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/pipelines/server/page"
)

// site is the server under test, as started by `serve`, with a collection that ingest makes of the project's archives.
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

// theSite is the same for all tests, since making a collection takes a second.
func theSite(t *testing.T) *site {
	t.Helper()
	started.Do(func() { common, failed = newSite() })
	if failed != nil {
		t.Fatal(failed)
	}
	return common
}

// newSite builds the program and runs a new user's commands: ingest, sources, serve.
func newSite() (*site, error) {
	dir, err := os.MkdirTemp("", "gleaner-pages")
	if err != nil {
		return nil, err
	}
	cleanup = append(cleanup, func() { _ = os.RemoveAll(dir) })
	in := func(name string) string { return filepath.Join(dir, name) }
	program, err := built()
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"ingest", "--output=" + in("harbour"), "--extract=all", "testdata/archives", "testdata/damaged"},
		{"sources", "--output=" + in("sources"), in("harbour")},
		{"ingest", "--output=" + in("revised"), "--format=jsonl,links", "testdata/damaged"},
		{"ingest", "--output=" + in("revised"), "--format=jsonl,links", "--add", "testdata/archives"},
		{"collection", "takedown", "--collection=" + in("revised"), "port.wrenmouth.example"},
	} {
		cmd := exec.Command(program, args...)
		cmd.Dir = root("") // so that archives have the names in the README
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 3 { // 3: done, with losses, which damaged has
			return nil, fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	s, err := serve(program, "--addr=127.0.0.1:0", "--state="+in("state"), "--sources="+in("sources"),
		"--inputs=testdata", "--replay=https://replay.example/{timestamp}/{url}", in("harbour"),
		in("revised"), in("empty"))
	if err != nil {
		return nil, err
	}
	if err := s.addSearch(); err != nil {
		return nil, err
	}
	return s, s.addJob()
}

// addSearch saves a search.
func (s *site) addSearch() error {
	body := strings.NewReader(`{"name":"The harbour in English","collection":"harbour","query":"query=harbour&lang=en"}`)
	r, err := s.client.Post(s.address+"/api/v1/saved", "application/json", body)
	if err != nil {
		return err
	}
	if err := r.Body.Close(); err != nil || r.StatusCode != http.StatusOK {
		return fmt.Errorf("the saved search: %s, %w", r.Status, err)
	}
	return nil
}

// built is the program, which is built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gleaner-program")
	if err != nil {
		return "", err
	}
	cleanup = append(cleanup, func() { _ = os.RemoveAll(dir) })
	program := filepath.Join(dir, "gleaner")
	// -trimpath is set as in the project's other tests, so that compiled packages are shared.
	build := exec.Command("go", "build", "-trimpath", "-o", program, "../../gleaner")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
})

// addJob runs a job, so that there is a page of one, and a dataset.
func (s *site) addJob() error {
	body := strings.NewReader(`{"verb":"query","values":{"name":["shown"],"limit":["3"]}}`)
	r, err := s.client.Post(s.address+"/api/v1/jobs", "application/json", body)
	if err != nil {
		return err
	}
	if err := r.Body.Close(); err != nil || r.StatusCode != http.StatusOK {
		return fmt.Errorf("the job: %s, %w", r.Status, err)
	}
	for range 600 {
		r, err := s.client.Get(s.address + "/api/v1/jobs/1")
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		if strings.Contains(string(b), `"state":"done"`) {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the job has not ended after a minute")
}

// root returns the absolute path of a file of the project.
func root(name string) string {
	path, err := filepath.Abs(filepath.Join("../../..", name))
	if err != nil {
		panic(err) // there is no working directory
	}
	return path
}

// serve starts the server, and waits until it is ready.
func serve(program string, args ...string) (*site, error) {
	address, err := launch(program, args...)
	if err != nil {
		return nil, err
	}
	s := &site{address: address, client: http.DefaultClient}
	return s, errors.Join(s.ready(), s.addSource())
}

// launch starts the server, whose address is the first line of its output.
func launch(program string, args ...string) (string, error) {
	cmd := exec.Command(program, append([]string{"serve"}, args...)...)
	cmd.Dir = root("")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	cleanup = append([]func(){func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }}, cleanup...)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("serve: %w", err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/"), nil
}

// addSource adds the page of the first source to the tested pages: its address is an id.
func (s *site) addSource() error {
	r, err := s.client.Get(s.address + "/api/v1/sources?verdict=valid")
	if err != nil {
		return err
	}
	var list struct {
		Sources []struct{ Link string }
	}
	err = json.NewDecoder(r.Body).Decode(&list)
	if err = errors.Join(err, r.Body.Close()); err != nil || len(list.Sources) == 0 {
		return fmt.Errorf("no source: %w", err)
	}
	shown = append(shown, struct{ name, path string }{"source", list.Sources[0].Link})
	return nil
}

// ready waits for the index: until it exists, pages report that it is missing.
func (s *site) ready() error {
	for range 200 {
		r, err := s.client.Get(s.address + "/api/v1/collections")
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		if strings.Contains(string(b), `"ready":true`) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("there is no index after ten seconds")
}

// gazette is the first page of a site, to which many pages link.
const gazette = "https://www.harbour-gazette.example/"

// shown are the pages that tests check.
var shown = []struct{ name, path string }{
	{"overview", "/harbour"},
	{"search", "/harbour/search?query=harbour"},
	{"resource", "/harbour/resource?url=" +
		url.QueryEscape("https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html")},
	{"replay", "/replay/20230801100000/https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html"},
	{"images", "/harbour/images"},
	{"hosts", "/harbour/hosts"},
	{"values", "/harbour/values?field=mime&query=bridge"},
	{"across", "/search?query=harbour&not=lang:fr"},
	{"values that are read", "/harbour/values?field=entity&query=bridge"},
	{"trends", "/harbour/trends?terms=harbour,bridge"},
	{"trends of a field", "/harbour/trends?field=lang&unit=year&shown=share"},
	{"sql", "/harbour/sql?sql=" + url.QueryEscape("select substr(timestamp, 1, 4) as year, count(*) as captures, "+
		"avg(length) as mean from documents group by year order by year")},
	{"take", "/harbour/take?query=harbour"},
	{"mistake in sql", "/harbour/sql?sql=" + url.QueryEscape("select host,\n  hots from documents")},
	{"graph", "/revised/graph"},
	{"graph of a search", "/revised/graph?lang=fr&shown=2&sort=pages"},
	{"graph without links", "/harbour/graph"},
	{"links in", "/revised/links?url=" + url.QueryEscape(gazette)},
	{"links out", "/revised/links?way=out&url=" + url.QueryEscape(gazette)},
	{"links of hosts", "/revised/links?from_host=www.harbour-gazette.example&lang=en"},
	{"resource with links", "/revised/resource?url=" + url.QueryEscape(gazette)},
	{"host", "/harbour/hosts/www.harbour-gazette.example"},
	{"entities", "/harbour/entities"},
	{"archives", "/harbour/archives"},
	{"runs", "/harbour/runs"},
	{"run", "/harbour/runs/1"},
	{"sources", "/sources"},
	{"datasets", "/datasets"},
	{"jobs", "/jobs"},
	{"saved", "/saved"},
	{"job", "/jobs/1"},
	{"new job", "/jobs/new?verb=ingest"},
	{"export", "/jobs/new?verb=query"},
	{"login", "/login"},
	{"collections", "/"},
	{"nothing", "/harbour/search?query=zzzqqq&lang=fr"},
	{"mistake", "/harbour/search?query=" + url.QueryEscape(`language = "fr" AND (mime:pdf`)},
	{"missing", "/harbour/resource?url=" + url.QueryEscape("https://www.harbour-gazette.example/2023/06/nope.html")},
	{"long", "/harbour/resource?url=" + url.QueryEscape("https://"+strings.Repeat("a", 63)+".example/"+
		strings.Repeat("x", 2000))},
	{"empty", "/empty"},
	{"arabic", "/harbour/search?query=" + url.QueryEscape("الرصيف")},
}

// get requests a page.
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

// textOf returns the text in a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// ticketed matches the source of a replayed page's frame.
var ticketed = regexp.MustCompile(`frame-src http://127\.0\.0\.1:[0-9]+/replay/[A-Z2-7]{26}/;`)

// TestPages_keepToThePolicy: pages contain nothing that the policy would refuse, and no duplicate ids.
func TestPages_keepToThePolicy(t *testing.T) {
	s := theSite(t)
	for _, p := range shown {
		t.Run(p.name, func(t *testing.T) {
			r, doc := s.get(t, p.path)
			got := r.Header.Get("Content-Security-Policy")
			// The frame of a replayed page is at another origin, and may load only its own page.
			if p.name == "replay" {
				got = ticketed.ReplaceAllString(got, "frame-src 'self';")
			}
			if got != page.Policy {
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

// TestPages_everyFigureLeadsToItsCaptures: the search that a figure links to finds exactly that many captures. It
// tests all table rows with a number whose first cell is a link to a search.
func TestPages_everyFigureLeadsToItsCaptures(t *testing.T) {
	s := theSite(t)
	tried := 0
	for _, path := range []string{
		"/harbour", "/harbour?unit=month", "/harbour/hosts/www.harbour-gazette.example", "/harbour/runs/1",
		"/harbour/search?query=harbour", "/harbour/trends?terms=harbour,lang=fr&unit=month&from=2020",
		"/harbour/trends?field=mime", "/harbour/search?query=harbour&not=lang:en%0Amime:application/pdf",
		"/harbour/values?field=tag", "/harbour/values?field=author&lang=en", "/search?query=harbour&lang=en",
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
			// Flags on the page of a run count all records, as its table says, and not only captures.
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

// figureOf returns the link of a row's first cell, and its first number.
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

// headOf returns the number of results that a search shows.
func headOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if attr(n, "role") == "status" {
			return textOf(n)
		}
	}
	return ""
}

// TestPages_everyLinkWorks follows all links from the overview, up to a limit, and the links of pages as JSON: none
// leads to an error.
func TestPages_everyLinkWorks(t *testing.T) {
	s := theSite(t)
	const most = 100
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

// TestPages_remedyLeads: the remedy of an error is a link to a page that does it.
func TestPages_remedyLeads(t *testing.T) {
	s := theSite(t)
	for _, c := range []struct{ path, remedy, wants string }{
		{
			"/harbour/resource?url=" + url.QueryEscape("https://www.harbour-gazette.example/nope"), "Search for other pages",
			"/harbour/search?host=www.harbour-gazette.example",
		},
		{"/harbour/resource?url=nope", "Search for a part of it", "/harbour/search"},
		{"/nosuch", "See the collections", "/"},
		{"/harbour/search?query=" + url.QueryEscape("language = "), "See how to write a query", "/help"},
		{"/harbour/nosuch", "Begin at the start", "/"},
	} {
		_, doc := s.get(t, c.path)
		link := ""
		for n := range doc.Descendants() {
			if n.Data == "a" && strings.Contains(textOf(n), c.remedy) {
				link = attr(n, "href")
			}
		}
		if link != c.wants {
			t.Errorf("%s: %q leads to %q, want %q", c.path, c.remedy, link, c.wants)
			continue
		}
		if r, _ := s.get(t, link); r.StatusCode != http.StatusOK {
			t.Errorf("%s: the remedy %s: %s", c.path, link, r.Status)
		}
	}
}

// TestPages_searchLeads: a URL in the search field leads to its versions, and text that cannot be read stays in it.
func TestPages_searchLeads(t *testing.T) {
	s := theSite(t)
	for typed, title := range map[string]string{
		"https://www.harbour-gazette.example/contact.html": "How to reach us",
		"www.harbour-gazette.example/contact.html":         "How to reach us",
		"www.harbour-gazette.example":                      "www.harbour-gazette.example",
		"site:example":                                     "Search",
		"bridge":                                           "Search: bridge · harbour · Gleaner",
		"language = ":                                      "The query cannot be read",
	} {
		r, doc := s.get(t, "/harbour/search?query="+url.QueryEscape(typed))
		found, kept := "", ""
		for n := range doc.Descendants() {
			if n.Data == "title" && found == "" {
				found = textOf(n)
			}
			if n.Data == "input" && attr(n, "name") == "query" {
				kept = attr(n, "value")
			}
		}
		if !strings.Contains(found, title) {
			t.Errorf("%q: %s %q, want %q", typed, r.Status, found, title)
		}
		if r.StatusCode == http.StatusBadRequest && kept != typed {
			t.Errorf("%q: the field has %q", typed, kept)
		}
	}
}

// expected are links that may lead nowhere: uncaptured pages, files of archives with too much damage, and resources
// that this server was not started with.
func expected(path string) bool {
	return strings.Contains(path, "/resource?") || strings.Contains(path, "/record?") ||
		strings.HasPrefix(path, "/jobs") ||
		strings.HasPrefix(path, "/datasets") || strings.HasPrefix(path, "/empty") || strings.HasPrefix(path, "/api/v1/export")
}

// TestPages_hostileWords: text from an address or a query is shown as text everywhere.
func TestPages_hostileWords(t *testing.T) {
	s := theSite(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{7}}`
	for _, path := range []string{
		"/harbour/search?query=", "/harbour/search?lang=", "/harbour/search?order=", "/harbour/hosts?find=",
		"/harbour/hosts/",
		"/harbour/resource?url=", "/", "/harbour/", "/harbour/search?cursor=", "/harbour?unit=", "/sources?find=",
		"/harbour/runs/", "/harbour/trends?terms=", "/harbour/trends?from=", "/harbour/sql?sql=",
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

// TestPages_areSmall: a page of results has 60 kB at most, our own script 3 kB, the style 14 kB.
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
