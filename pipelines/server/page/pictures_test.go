package page_test

import (
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var pictures = flag.Bool("pictures", false, "make the pictures of docs/serve.md anew")

// pictured are the pages that docs/serve.md shows.
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
	for _, p := range pictured {
		for _, look := range []string{"-wide", "-wide-dark", "-narrow", "-narrow-dark"} {
			info, err := os.Stat(filepath.Join(dir, p.name+look+".webp"))
			if err != nil {
				t.Errorf("%v; go test ./pipelines/server/page -run pictures -pictures makes it", err)
				continue
			}
			all += info.Size()
		}
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
			takePicture(b, dir, p.name, func() { b.do(chromedp.Navigate(s.address + p.path)) })
		}
	}
	// This is an account with a token, whose text the page shows.
	loggedIn(t, b)
	b.do(chromedp.SendKeys("#label", "nightly export\r"), chromedp.WaitVisible(".note pre"))
	takePicture(b, dir, account, func() {})
}

// takePicture takes the four pictures of a page.
func takePicture(b *browser, dir, name string, open func()) {
	for _, look := range []struct {
		name          string
		width, height int64
		dark          bool
	}{
		{"-wide", 1280, 1100, false},
		{"-wide-dark", 1280, 1100, true},
		{"-narrow", 360, 900, false},
		{"-narrow-dark", 360, 900, true},
	} {
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
		if err := os.WriteFile(filepath.Join(dir, name+look.name+".webp"), r.Data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}
