package page_test

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// claim is a link with a count beside it: the page it leads to must have as many of the noun.
type claim struct{ link, number, noun string }

// nouns are the headings of numbers that are counted, and what the linked page calls them.
var nouns = map[string]string{
	"captures": "capture", "with text": "capture", "urls": "url", "names": "name", "hosts": "host", "rejects": "reject",
	"languages": "language", "records": "record", "versions": "version", "sources": "source", "pages": "url",
	"archives": "archive", "files": "file",
}

var numbered = regexp.MustCompile(`^([\d,]+)(?:\s+([a-zA-Z ]+))?$`)

// claimsOf returns the claims of a page.
func claimsOf(doc *html.Node) (list []claim) {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" || !within(n, "main") || !strings.HasPrefix(attr(n, "href"), "/") {
			continue
		}
		c := claim{link: attr(n, "href")}
		if m := numbered.FindStringSubmatch(strings.TrimSpace(textOf(n))); m != nil {
			c.number, c.noun = m[1], nouns[strings.ToLower(m[2])]
			if c.noun == "" && m[2] != "" {
				c.noun = nouns[strings.ToLower(m[2])+"s"]
			}
			if m[2] == "" && n.Parent.Data == "dd" {
				c.noun = nouns[strings.TrimSpace(textOf(n.Parent.Parent.FirstChild))]
			}
		} else if n.Parent.Data == "th" && !strings.Contains(textOf(n), " more") {
			c.number, c.noun = cellOf(n.Parent)
		}
		if c.number != "" && c.noun != "" {
			list = append(list, c)
		}
	}
	return list
}

// cellOf returns the first number of a row whose column has one of the nouns.
func cellOf(th *html.Node) (number, noun string) {
	var heads []string
	for n := range th.Parent.Parent.Parent.Descendants() {
		if n.Data == "th" && attr(n, "scope") == "col" {
			heads = append(heads, strings.ToLower(strings.TrimSpace(textOf(n))))
		}
	}
	i := 0
	for n := th.NextSibling; n != nil; n = n.NextSibling {
		if n.Data != "td" {
			continue
		}
		if i++; i < len(heads) && nouns[heads[i]] != "" {
			return strings.TrimSpace(textOf(n)), nouns[heads[i]]
		}
	}
	return "", ""
}

func within(n *html.Node, tag string) bool {
	for p := range n.Ancestors() {
		if p.Data == tag {
			return true
		}
	}
	return false
}

// saidOf returns what a page states at its top, or at the part that the link names.
func saidOf(doc *html.Node, fragment string) string {
	var b strings.Builder
	for n := range doc.Descendants() {
		class := strings.Fields(attr(n, "class"))
		top := slices.Contains(class, "head") || slices.Contains(class, "lead")
		if fragment == "" && top || fragment != "" && attr(n, "id") == fragment {
			for c := range n.Descendants() {
				if c.Type == html.TextNode {
					b.WriteString(strings.ToLower(c.Data) + " ")
				}
			}
		}
	}
	return b.String()
}

// TestPages_countsAgree follows the links of all pages: the count beside a link is the count of the page it leads to.
func TestPages_countsAgree(t *testing.T) {
	s := theSite(t)
	most := 120
	if os.Getenv("GLEANER_SLOW") != "" {
		most = 1000
	}
	if pages, tried := walkCounts(t, s, most, "/harbour", "/revised", "/"); tried < 300 {
		t.Errorf("only %d counts with links were found on %d pages", tried, pages)
	}
}

// TestPages_countsAgreeOf does the same with a collection of a server that runs, for example of a million rows:
// GLEANER_WALK=http://127.0.0.1:8080/rows-1m.
func TestPages_countsAgreeOf(t *testing.T) {
	given, err := url.Parse(os.Getenv("GLEANER_WALK"))
	if err != nil || given.Host == "" {
		t.Skip("GLEANER_WALK has no server")
	}
	s := &site{address: given.Scheme + "://" + given.Host, client: http.DefaultClient}
	walkCounts(t, s, 1000, cmp.Or(given.Path, "/"))
}

// walkCounts follows links from some pages. It returns the numbers of pages and of compared counts.
func walkCounts(t *testing.T, s *site, most int, todo ...string) (pages, tried int) {
	t.Helper()
	seen, docs := map[string]bool{}, map[string]*html.Node{}
	get := func(path string) *html.Node {
		if docs[path] == nil {
			r, doc := s.get(t, path)
			// Entities of a large collection are counted when the first reader asks.
			for n := 0; n < 60 && r.StatusCode == http.StatusServiceUnavailable && !expected(path); n++ {
				time.Sleep(time.Second)
				r, doc = s.get(t, path)
			}
			if docs[path] = doc; r.StatusCode != http.StatusOK && !expected(path) && !isLimit(doc) {
				t.Errorf("%s: %s", path, r.Status)
			}
		}
		return docs[path]
	}
	for i := 0; i < len(todo) && i < most; i++ {
		doc := get(todo[i])
		// This page says that its figures are of a part.
		claims := claimsOf(doc)
		if strings.Contains(textOf(doc), "captures were counted: the collection has more") {
			claims = nil
		}
		for _, c := range claims {
			path, fragment, _ := strings.Cut(c.link, "#")
			if expected(path) {
				continue
			}
			tried++
			want := regexp.MustCompile(`(^|[^\d,.])` + c.number + ` ` + c.noun + `s?\b`)
			if said := saidOf(get(path), fragment); !want.MatchString(said) {
				t.Errorf("%s: %s %ss lead to %s, which says %q", todo[i], c.number, c.noun, c.link,
					strings.Join(strings.Fields(said), " "))
			}
		}
		for n := range doc.Descendants() {
			link, _, _ := strings.Cut(attr(n, "href"), "#")
			if n.Data == "a" && strings.HasPrefix(link, "/") && !expected(link) && !seen[link] &&
				!strings.Contains(link, "/api/") && !strings.Contains(link, "cursor=") && !strings.Contains(link, "openapi") {
				seen[link] = true
				todo = append(todo, link)
			}
		}
	}
	t.Logf("%d pages, %d counts", min(most, len(todo)), tried)
	return min(most, len(todo)), tried
}

// isLimit reports whether a page of a server that the caller named says that a statement takes more than it may, or how
// to make a Source DB. Both are right of a large collection without one, and not of the collection of these tests.
func isLimit(doc *html.Node) bool {
	said := textOf(doc)
	return os.Getenv("GLEANER_WALK") != "" && (strings.Contains(said, "The statement was interrupted") || strings.Contains(said, "The statement is too large") ||
		strings.Contains(said, "No Source DB"))
}

// TestPages_unknownParameters: a page says which parameters it does not have, and only these.
func TestPages_unknownParameters(t *testing.T) {
	s := theSite(t)
	for path, want := range map[string]string{
		"/harbour?unit=month":                            "",
		"/harbour?units=month":                           `no parameter "units"`,
		"/harbour/search?query=bridge&lang=en":           "",
		"/harbour/search?query=bridge&language=en":       `no parameter "language"`,
		"/harbour/search?q=bridge&utm_source=x":          `no parameters "q", "utm_source"`,
		"/harbour/hosts?%3Cscript%3Ealert(1)=1":          `no parameter "<script>alert(1)"`,
		"/harbour/archives?state=bad":                    "",
		"/harbour/values?field=mime&find=t&fold=none":    "",
		"/harbour/values?field=mime&finds=t":             `no parameter "finds"`,
		"/jobs?nosuch=done":                              `no parameter "nosuch"`,
		"/harbour/hosts/www.harbour-gazette.example?a=1": `no parameter "a"`,
	} {
		_, doc := s.get(t, path)
		said := ""
		for n := range doc.Descendants() {
			if attr(n, "role") == "status" && attr(n, "class") == "note" {
				said += textOf(n)
			}
		}
		if (want == "") != (said == "") || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", path, said, want)
		}
	}
}
