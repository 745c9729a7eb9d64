package page_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sanitize"
)

// vector is markup that runs a script in a browser if it is shown unsanitised.
type vector struct{ name, markup string }

// article puts markup into the main part of a page.
func article(markup string) string {
	text := strings.Repeat("<p>The harbour of the old town was rebuilt after the storm of the year before, and the "+
		"fishermen "+
		"who had left for the north came back with their families in the spring, as the mayor had hoped.</p>\n", 4)
	return "<!doctype html><html lang=en><head><title>The harbour</title></head><body><article><h1>The harbour</h1>\n" +
		text + markup + "\n" + text + "</article></body></html>"
}

// furthest returns ten vectors, or three without GLEANER_SLOW=1, from package sanitize's set. They run, and sanitising
// leaves most of them.
func furthest(t *testing.T) []vector {
	t.Helper()
	files, err := filepath.Glob(root("transforms/sanitize/testdata/xss/*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files of vectors", err, len(files))
	}
	var all []vector
	left := map[string]int{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq("\n"+string(data), "\n: ") {
			head, markup, _ := strings.Cut(part, "\n")
			words := strings.Fields(head)
			// Bytes that text cannot show have a notation that this test does not read.
			if len(words) != 3 || words[2] != "runs" || strings.Contains(markup, "⟨") {
				continue
			}
			p := page.Parse([]byte(article(markup)), page.Options{URL: "https://attack.example/"})
			r := maintext.Extract(p, maintext.Options{})
			if r.Page == nil {
				continue
			}
			all = append(all, vector{words[0], markup})
			safe, _ := sanitize.HTML(r.Page, r.Ranges, sanitize.Options{})
			left[words[0]] = strings.Count(safe, "<")
		}
	}
	slices.SortStableFunc(all, func(a, b vector) int { return cmp.Compare(left[b.name], left[a.name]) })
	if len(all) < 10 {
		t.Fatalf("%d vectors", len(all))
	}
	// All ten take a minute, most of it in Chromium.
	if os.Getenv("GLEANER_SLOW") == "" {
		return all[:3]
	}
	return all[:10]
}

// pdf has a script action that runs when it is opened.
const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n" +
	"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\n" +
	"trailer<</Root 1 0 R>>\n%%EOF\n"

// hostile is an archive of captures that run scripts if they are shown unsanitised.
func hostile(t *testing.T) (archive []byte, addresses []string) {
	t.Helper()
	var b bytes.Buffer
	add := func(path, media, body string) {
		u := "https://attack.example/" + path
		addresses = append(addresses, u)
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nX-Note: <script>mark()</script>\r\nContent-Length: "+
			"%d\r\n\r\n%s",
			media, len(body), body)
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: 2026-01-02T03:04:%02dZ\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			len(addresses), len(addresses), u, len(block), block)
	}
	for _, v := range furthest(t) {
		add(v.name, "text/html", article(v.markup))
	}
	// These words become titles, descriptions and addresses.
	evil := `"><script>mark()</script><img src=x onerror=mark()>`
	add("page?q="+url.QueryEscape(evil), "text/html", strings.Replace(article("<script>mark()</script><a "+
		"href='javascript:mark()'>x</a>"),
		"<title>", `<meta name=description content='`+evil+`'><meta name=author content='`+evil+
			`'><title>&lt;script>mark()&lt;/script>`, 1))
	add("drawing.svg", "image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg" onload="mark()"><script>mark()</script><text>harbour</text></svg>`)
	add("paper.pdf", "application/pdf", pdf)
	return b.Bytes(), addresses
}

// hostileSite serves that archive's collection.
func hostileSite(t *testing.T) (*site, []string) {
	t.Helper()
	archive, addresses := hostile(t)
	return servedArchive(t, archive), addresses
}

var links = regexp.MustCompile(`(?:href|src)="(/[^"]+)"`)

// TestBrowser_archivedCodeDoesNotRun opens captures that try to run scripts, in every page and download that they link
// to: nothing runs. First it shows the unsanitised captures, to prove that the test would notice scripts.
func TestBrowser_archivedCodeDoesNotRun(t *testing.T) {
	b := newBrowser(t)
	// Each call of mark, in a page or a frame of it, appears in the console.
	const source = `window.mark = window.alert = () => console.error("RAN in " + location.href)`
	if _, err := chromedp.Call(b.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: source}); err != nil {
		t.Fatal(err)
	}
	raw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(article("<img src=x: onerror=mark()>"))) // the client is there
	}))
	defer raw.Close()
	b.do(chromedp.Navigate(raw.URL))
	b.ran(true)
	s, addresses := hostileSite(t)
	begin := []string{
		"/evil", "/evil/search?query=harbour", "/evil/search?fold=none&limit=100", "/evil/hosts",
		"/evil/hosts/attack.example",
		"/evil/entities", "/evil/runs", "/evil/runs/1",
	}
	for i, u := range addresses {
		begin = append(begin, "/evil/resource?url="+url.QueryEscape(u), "/evil/html?url="+url.QueryEscape(u),
			fmt.Sprintf("/memento/202601020304%02d/%s", i+1, u), "/cdx?url="+url.QueryEscape(u), "/timemap/link/"+u)
	}
	seen := map[string]bool{}
	for _, path := range begin {
		r, err := http.Get(s.address + path)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		_, err = body.ReadFrom(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			t.Fatal(err)
		}
		list := []string{path}
		// These are downloads and frames of a capture's page.
		if strings.HasPrefix(path, "/evil/resource") {
			for _, m := range links.FindAllStringSubmatch(body.String(), -1) {
				if strings.HasPrefix(m[1], "/api/") || strings.HasPrefix(m[1], "/evil/html") {
					list = append(list, strings.ReplaceAll(m[1], "&amp;", "&"))
				}
			}
		}
		for _, one := range list {
			if !seen[one] {
				seen[one] = true
				// A download is not a page, and causes an error of the navigation.
				if err := b.try(chromedp.Navigate(s.address + one)); err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") {
					t.Errorf("%s: %v", one, err)
				}
			}
		}
	}
	b.ran(false)
	if len(seen) < 50 {
		t.Errorf("%d pages and downloads were opened, which are too few", len(seen))
	}
	t.Logf("%d pages and downloads were opened", len(seen))
}

// ran requires that a script of an archive has run, or has not, and clears the console messages.
func (b *browser) ran(want bool) {
	b.Helper()
	time.Sleep(300 * time.Millisecond) // messages may arrive later
	b.lock.Lock()
	defer b.lock.Unlock()
	ran := slices.DeleteFunc(b.said, func(text string) bool { return !strings.Contains(text, "RAN in ") })
	if want != (len(ran) > 0) {
		b.Errorf("scripts ran: %q, want %t", ran, want)
	}
	b.said = nil
}
