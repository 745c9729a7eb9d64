package playback_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/playback"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/replay"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// capture is a capture of the tests. Head is the HTTP header after the status line.
type capture struct {
	url, date, head, body string
	status                int
}

// shown keeps what the player gives to the pages.
type shown struct {
	data   any
	err    error
	status int
}

func (s *shown) Write(_ http.ResponseWriter, _ *http.Request, _ int, data any) { s.data = data }
func (s *shown) Error(_ http.ResponseWriter, _ *http.Request, status int, err error) {
	s.status, s.err = status, err
}

// player is a player of captures.
type player struct {
	*testing.T
	*playback.Player
	*shown
}

// play writes an archive of captures and a collection of it, and returns a player.
func play(t *testing.T, list ...capture) *player {
	t.Helper()
	return playAll(t, list)
}

// playAll makes a collection of each list.
func playAll(t *testing.T, lists ...[]capture) *player {
	t.Helper()
	dir := t.TempDir()
	var out []string
	for i, list := range lists {
		name := string(rune('a'+i)) + ".warc"
		archive, docs := written(list, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		f := folder.Open(t.Context(), filepath.Join(dir, fmt.Sprintf("crawl-%d", i)), nil)
		collectiontest.Fill(t, f, schemas.Range{File: name, End: 1}, holdings.FormatJSONL, docs)
		out = append(out, f.Path(""))
	}
	store := blob.New(blob.Options{})
	s, err := shelf.Open(t.Context(), out, store, shelf.Options{Poll: time.Hour, NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it is only read
	v := view.New(s, view.Options{Store: store, Archives: dir})
	p := &player{T: t, shown: &shown{}}
	p.Player = playback.New(playback.Options{
		Views: v, Captures: memento.New(v), Pages: p.shown, Origin: "http://replay.example",
	})
	return p
}

// written writes an archive of captures.
func written(list []capture, name string) (string, []*schemas.Document) {
	var archive strings.Builder
	var docs []*schemas.Document
	for i, c := range list {
		c.status = cmp.Or(c.status, http.StatusOK)
		block := fmt.Sprintf("HTTP/1.1 %d X\r\n%s\r\n%s", c.status, c.head, c.body)
		docs = append(docs, &schemas.Document{
			URL: c.url, SURT: urlkey.SURT(c.url), Timestamp: c.date, Filename: name, Offset: int64(archive.Len()),
			Status: c.status, RecordType: "response",
		})
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n"+
			"WARC-Record-ID: <urn:x:%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n", c.url, c.date, i, len(block), block)
	}
	return archive.String(), docs
}

func (p *player) request(base, path string) *http.Request {
	return httptest.NewRequestWithContext(view.WithActor(p.Context(), view.Actor{Role: view.Viewer}), "GET", base+path, nil)
}

// open requests a page of the server.
func (p *player) open(path string) *http.Response {
	p.Helper()
	*p.shown = shown{}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, p.request("http://server.example", path))
	return w.Result()
}

// page requests a page of the server, which must be one with a frame.
func (p *player) page(path string) *view.Replayed {
	p.Helper()
	r := p.open(path)
	d, is := p.data.(*view.Replayed)
	if !is {
		p.Fatalf("%s: %s, %v, %T", path, r.Status, p.err, p.data)
	}
	return d
}

// part requests a path of the replay's origin.
func (p *player) part(path string) (*http.Response, string) {
	p.Helper()
	path = strings.TrimPrefix(path, "http://replay.example")
	w := httptest.NewRecorder()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.Part(w, r, "http://replay.example") })
	p.Ticketed(h).ServeHTTP(w, p.request("http://replay.example", path))
	r := w.Result()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		p.Fatal(err)
	}
	return r, string(body)
}

const (
	htmlHead = "Content-Type: text/html\r\n"
	png      = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	u        = "http://example.org/"
)

// site is a page with parts, of which one is missing, in two versions.
func site(t *testing.T) *player {
	return play(t,
		capture{u, "2014-01-01T00:00:00Z", htmlHead, `<link rel=stylesheet href=s.css><img src=a.png><img src=gone.png>` +
			`<script src=x.js></script><a href="b//c?d=%2F|e">b</a><p>old`, 0},
		capture{u, "2020-01-01T00:00:00Z", htmlHead, `<p>new`, 0},
		capture{u + "s.css", "2014-01-02T00:00:00Z", "Content-Type: text/css\r\n", `a{b:url(b.png)}`, 0},
		capture{u + "a.png", "2013-01-02T00:00:00Z", "Content-Type: image/png\r\n", png + "old", 0},
		capture{u + "a.png", "2014-01-02T00:00:00Z", htmlHead, "<p>not found", 404},
		capture{u + "a.png", "2019-01-02T00:00:00Z", "Content-Type: image/png\r\n", png + "new", 0},
		capture{u + "b//c?d=%2F|e", "2014-01-02T00:00:00Z", htmlHead, "<p>linked", 0},
		capture{u + "moved", "2014-01-02T00:00:00Z", "Location: /\r\n", "", 302},
		capture{"http://www.example.org/self", "2014-01-02T00:00:00Z", "Location: https://example.org/self\r\n", "", 301},
		capture{"https://example.org/self", "2014-01-02T00:00:05Z", htmlHead, "<p>self", 0},
		capture{u + "d.svg", "2014-01-02T00:00:00Z", "Content-Type: image/svg+xml\r\n", `<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`, 0},
		capture{u + "p.pdf", "2014-01-02T00:00:00Z", "Content-Type: application/pdf\r\n", "%PDF-1.4\n%%EOF\n", 0},
		capture{u + "t.txt", "2014-01-02T00:00:00Z", "Content-Type: text/plain\r\n", "<script>x()</script> & words", 0},
		capture{u + "feed", "2014-01-02T00:00:00Z", "Content-Type: application/rss+xml\r\n", `<rss version="2.0"><channel>` +
			`<title>T</title><item><title>One &lt;script></title><link>javascript:x()</link></item>` +
			`<item><title>Two</title><link>http://example.org/two</link></item></channel></rss>`, 0},
	)
}

// TestPlayer_several: pages and their parts come from the collection with the nearest capture.
func TestPlayer_several(t *testing.T) {
	crawl := func(year string) []capture {
		return []capture{
			{u, year + "-01-01T00:00:00Z", htmlHead, "<img src=a.png><p>page of " + year, 0},
			{u + "a.png", year + "-01-02T00:00:00Z", "Content-Type: image/png\r\n", png + year, 0},
		}
	}
	for _, order := range [][]string{{"2025", "2026"}, {"2026", "2025"}} {
		p := playAll(t, crawl(order[0]), crawl(order[1]))
		for i, year := range order {
			d := p.page("/replay/" + year + "0101000000/" + u)
			if want := fmt.Sprintf("crawl-%d", i); d.Collection != want || !strings.HasPrefix(d.Timestamp, year) {
				t.Errorf("%s of %v: %s of %s, want %s", year, order, d.Timestamp, d.Collection, want)
			}
			if _, body := p.part(d.Frame); !strings.Contains(body, "page of "+year) {
				t.Errorf("the frame of %s is %.200s", year, body)
			}
			image := strings.Replace(d.Frame, string(replay.Page)+"/", string(replay.Image)+"/", 1) + "a.png"
			if _, body := p.part(image); body != png+year {
				t.Errorf("the image of %s is %q, from %s", year, body, image)
			}
		}
		if to := p.open("/replay/" + u).Header.Get("Location"); to != "/replay/20260101000000/"+u {
			t.Errorf("the newest of %v is %s", order, to)
		}
	}
}

func TestPlayer_page(t *testing.T) {
	p := site(t)
	// Each capture has one address.
	for path, want := range map[string]string{
		"/replay/" + u:                                   "/replay/20200101000000/" + u,
		"/replay/20130101000000/" + u:                    "/replay/20140101000000/" + u,
		"/replay/20140102000000/" + u + "moved":          "/replay/20140102000000/" + u,
		"/replay/http%3A%2F%2Fexample.org%2F":            "/replay/20200101000000/" + u,
		"/replay/20140101000000/http:/example.org/moved": "/replay/20140102000000/http://example.org/moved",
	} {
		if r := p.open(path); r.StatusCode != http.StatusFound || r.Header.Get("Location") != want {
			t.Errorf("%s: %s to %q, want %q", path, r.Status, r.Header.Get("Location"), want)
		}
	}
	d := p.page("/replay/20140101000000/" + u)
	// The sheet and its image, two images; one of them is missing, and so is the sheet's.
	if d.Parts != 4 || d.Missing != 2 || d.Scripts != 1 || d.URL != u {
		t.Errorf("%d of %d parts are missing, %d scripts: %v", d.Missing, d.Parts, d.Scripts, d.Named)
	}
	if !strings.HasPrefix(d.Frame, d.Origin) || !strings.HasPrefix(d.Origin, "http://replay.example/replay/") {
		t.Errorf("the frame is %q, the policy allows %q", d.Frame, d.Origin)
	}
	if p.page("/replay/20140102000005/https://example.org/self"); p.err != nil {
		t.Error(p.err)
	}
	if p.open("/replay/" + u + "nothing"); p.status != http.StatusNotFound {
		t.Errorf("a missing page: %d %v", p.status, p.err)
	}
}

func TestPlayer_parts(t *testing.T) {
	p := site(t)
	ticket := p.page("/replay/20140101000000/" + u).Origin
	for _, test := range []struct {
		path, media, has string
		status           int
	}{
		{"20140101000000if_/" + u, "text/html", "<p>old", 200},
		{"20140101000000cs_/" + u + "s.css", "text/css", `a{b:url("/replay/`, 200},
		// The nearest capture is an error page, which is not an image.
		{"20140101000000im_/" + u + "a.png", "image/png", png + "old", 200},
		{"20200101000000im_/" + u + "a.png", "image/png", png + "new", 200},
		{"20140101000000im_/" + u + "gone.png", "text/plain", "", 404},
		{"20140101000000if_/" + u + "b//c?d=%2F|e", "text/html", "linked", 200},
		{"20140101000000if_/" + u + "moved", "", "", 302},
		{"20140101000000if_/http://www.example.org/self", "text/html", "<p>self", 200},
		{"20140101000000im_/" + u + "d.svg", "image/svg+xml", "<svg", 200},
		// A kind answers only with its own types.
		{"20140101000000im_/" + u, "text/plain", "", 404},
		{"20140101000000cs_/" + u, "text/plain", "", 404},
		{"20140101000000fo_/" + u + "a.png", "text/plain", "", 404},
		{"20140101000000oe_/" + u + "d.svg", "text/plain", "", 404},
		{"20140101000000id_/" + u, "text/plain", "", 404},
		{"20140101000000/" + u, "text/plain", "", 404},
		{"2014if_/" + u, "text/plain", "", 404},
		// Payloads that are not pages have views of their own.
		{"20140101000000if_/" + u + "d.svg", "text/html", `<img src="/replay/`, 200},
		{"20140101000000if_/" + u + "p.pdf", "text/html", "Download it", 200},
		{"20140101000000if_/" + u + "t.txt", "text/html", "&lt;script&gt;x()&lt;/script&gt; &amp; words", 200},
		{"20140101000000if_/" + u + "feed", "text/html", `<a href="http://server.example/replay/20140102000000/http://example.org/two"`, 200},
		{"20140101000000if_/" + u + "nothing", "text/html", "No capture of this URL", 404},
	} {
		r, body := p.part(ticket + test.path)
		if r.StatusCode != test.status || !strings.HasPrefix(r.Header.Get("Content-Type"), test.media) ||
			!strings.Contains(body, test.has) {
			t.Errorf("%s: %s %s %.300q", test.path, r.Status, r.Header.Get("Content-Type"), body)
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "sandbox") && r.StatusCode != http.StatusNotFound ||
			!strings.Contains(policy, "default-src 'none'") && r.StatusCode == http.StatusOK ||
			strings.Contains(policy, "allow-scripts") || strings.Contains(policy, "allow-same-origin") {
			t.Errorf("%s: policy %q", test.path, policy)
		}
		if strings.Contains(body, "<script") {
			t.Errorf("%s has a script: %q", test.path, body)
		}
	}
}

// TestPlayer_percent: each address is one that servers accept, also if a percent sign begins no escape.
func TestPlayer_percent(t *testing.T) {
	image := "Content-Type: image/png\r\n"
	p := play(t,
		capture{u, "2014-01-01T00:00:00Z", htmlHead, `<link rel=stylesheet href="50%.css"><img src="100%.png">` +
			`<img src="%u2019.png"><img srcset="a%zz.png 2x"><a href="50%-off">b</a>`, 0},
		capture{u + "50%.css", "2014-01-01T00:00:00Z", "Content-Type: text/css\r\n", `a{b:url(b%.png)}`, 0},
		capture{u + "b%.png", "2014-01-01T00:00:00Z", image, png, 0},
		capture{u + "100%.png", "2014-01-01T00:00:00Z", image, png, 0},
		capture{u + "%u2019.png", "2014-01-01T00:00:00Z", image, png, 0},
		capture{u + "a%zz.png", "2014-01-01T00:00:00Z", image, png, 0},
		capture{u + "50%-off", "2014-01-01T00:00:00Z", htmlHead, "<p>sale", 0},
		capture{u + "moved", "2014-01-01T00:00:00Z", "Location: /50%-off\r\n", "", 302},
	)
	d := p.page("/replay/20140101000000/" + u)
	_, body := p.part(d.Frame)
	list := regexp.MustCompile(`/replay/[^" ]+`).FindAllString(body, -1)
	_, sheet := p.part(list[0])
	list = append(list, regexp.MustCompile(`/replay/[^" ]+`).FindAllString(sheet, -1)...)
	if len(list) != 6 {
		t.Fatalf("%d addresses in %s and %s", len(list), body, sheet)
	}
	list = append(list, p.open("/replay/20140101000000/"+u+"moved").Header.Get("Location"))
	for _, path := range list {
		if _, err := url.ParseRequestURI(path); err != nil {
			t.Error(err)
		} else if _, ticket, _ := strings.Cut(path, "_/"); ticket == "" {
			if f := p.page(path); f.Download != "/memento/20140101000000/"+u+"50%25-off" {
				t.Errorf("%s: the download is %s", path, f.Download)
			}
		} else if r, _ := p.part(path); r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}

// TestPlayer_tickets: without the ticket of a page, nothing is answered.
func TestPlayer_tickets(t *testing.T) {
	p := site(t)
	ticket := p.page("/replay/20140101000000/" + u).Origin
	if again := p.page("/replay/20140101000000/" + u).Origin; again != ticket {
		t.Errorf("one user has the tickets %s and %s", ticket, again)
	}
	for _, origin := range []string{
		"http://replay.example/replay/AAAAAAAAAAAAAAAAAAAAAAAAAA/", "http://replay.example/replay//", "http://replay.example/replay/",
	} {
		if r, body := p.part(origin + "20140101000000if_/" + u); r.StatusCode != http.StatusNotFound ||
			strings.Contains(body, "old") {
			t.Errorf("%s: %s %q", origin, r.Status, body)
		}
	}
}
