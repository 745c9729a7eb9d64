package page_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var pictures = flag.Bool("pictures", false, "make the pictures of docs/serve.md anew")

// wide are the pages that docs/serve.md shows at one width: those of searches, with a chart or a table.
var wide = []struct{ name, path string }{
	{"facets", "/harbour/values?field=entity"},
	{"trends", "/harbour/trends?" + url.Values{"terms": {`harbour, auction, "fish"`}, "unit": {"year"}}.Encode()},
	{"sql", "/harbour/sql?" + url.Values{"sql": {
		"select substr(timestamp, 1, 4) as year, count(*) as captures, count(distinct host) as hosts\nfrom documents " +
			"where timestamp is not null\ngroup by year order by year",
	}}.Encode()},
	{"take", "/harbour/take?query=harbour"},
	{"saved", "/saved"},
}

// pictured are the pages that docs/serve.md shows at two widths.
var pictured = []struct{ name, path string }{
	{"overview", "/harbour"},
	{"search", "/harbour/search?query=harbour"},
	{"resource", "/harbour/resource?url=" +
		url.QueryEscape("https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html")},
	{"replay", "/replay/20230801100000/https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html"},
	{"graph", "/revised/graph"},
	{"images", "/harbour/images"},
	{"host", "/harbour/hosts/www.harbour-gazette.example"},
	{"sources", "/sources?verdict=valid"},
	{"archives", "/harbour/archives"},
	{"run", "/harbour/runs/1"},
	{"job", "/jobs/new?verb=ingest"},
	{account, "/account"}, // this needs a server with accounts
}

const account = "account"

// TestBrowser_pictures makes the pictures of docs/serve.md if -pictures is set: each page wide and narrow, light and
// dark. Otherwise it checks that they exist, and that they are small enough for a repository.
func TestBrowser_pictures(t *testing.T) {
	dir := root("docs/pictures")
	if *pictures {
		takePictures(t, dir)
	}
	var all int64
	check := func(name string, looks []look) {
		for _, l := range looks {
			info, err := os.Stat(filepath.Join(dir, name+l.name+".webp"))
			if err != nil {
				t.Errorf("%v; go test ./pipelines/server/page -run pictures -pictures makes it", err)
				continue
			}
			all += info.Size()
		}
	}
	for _, p := range pictured {
		check(p.name, looks)
	}
	for _, p := range wide {
		check(p.name, looks[:2])
	}
	if all > 2_000_000 {
		t.Errorf("the pictures have %d bytes, want 2,000,000 at most", all)
	}
}

func takePictures(t *testing.T, dir string) {
	s, b := theSite(t), newBrowser(t)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range pictured {
		if p.name != account {
			takePicture(b, filepath.Join(dir, p.name), looks, func() { b.do(chromedp.Navigate(s.address + p.path)) })
		}
	}
	for _, name := range []string{"Fish auction", "Harbour, in English"} {
		body := fmt.Sprintf(`{"name":%q,"collection":"harbour","query":"query=harbour&lang=en"}`, name)
		r, err := s.client.Post(s.address+"/api/v1/saved", "application/json", strings.NewReader(body))
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("saving a search: %v, %v", r, err)
		}
		_ = r.Body.Close() // it is not read
	}
	for _, p := range wide {
		takePicture(b, filepath.Join(dir, p.name), looks[:2], func() { b.do(chromedp.Navigate(s.address + p.path)) })
	}
	// This is an account with a token, whose text the page shows.
	loggedIn(t, b)
	b.do(chromedp.SendKeys("#label", "nightly export\r"), chromedp.WaitVisible(".note pre"))
	takePicture(b, filepath.Join(dir, account), looks, func() {})
}

// look is how a picture is taken.
type look struct {
	name          string
	width, height int64
	dark          bool
}

var looks = []look{
	{"-wide", 1280, 1100, false},
	{"-wide-dark", 1280, 1100, true},
	{"-narrow", 360, 900, false},
	{"-narrow-dark", 360, 900, true},
}

// takePicture takes pictures of a page; file is the beginning of their names.
func takePicture(b *browser, file string, looks []look, open func()) {
	for _, look := range looks {
		b.looks(look.dark, look.width, look.height)
		open()
		b.await(`[...document.images].every((i) => i.complete)`)
		quality := int64(55)
		r, err := chromedp.Call(b.ctx, pages.CaptureScreenshot, pages.CaptureScreenshotParams{
			Format: pages.CaptureScreenshotFormatWebp, Quality: &quality,
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file+look.name+".webp", r.Data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}
