package liveweb

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/dataset/harvest"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// still is a clock that goes only when somebody waits.
type still struct {
	mu  sync.Mutex
	now time.Time
}

func (c *still) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *still) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

// live is a live web over platforms that are played.
type live struct {
	*platforms
	web *Web
	dir string // of the WARC files
	h   *harvest.Harvest
}

func newLive(t *testing.T, change func(*Options)) *live {
	t.Helper()
	clock := &still{now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	p, address := newPlatforms(t, clock)
	l := &live{platforms: p, dir: t.TempDir()}
	var err error
	if l.h, err = harvest.Open(l.dir, harvest.Options{Stamp: clock.now}); err != nil {
		t.Fatal(err)
	}
	o := Options{Harvest: l.h, Fetch: fetch.Options{
		UserAgent: "gleaner-test/1", Clock: clock, SpoolDir: t.TempDir(), Hosts: map[string]string{},
		Timeout: 2 * time.Second, Stall: 200 * time.Millisecond, Retries: 3,
	}}
	for _, host := range hosts {
		o.Fetch.Hosts[host] = "http://" + address
	}
	if change != nil {
		change(&o)
	}
	if l.web, err = New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = l.web.Close(), l.h.Close() })
	return l
}

func (l *live) ingest(t *testing.T, url string) *fileset.Outcome {
	t.Helper()
	out, err := fileset.Ingest(t.Context(), schemas.FilesetRequest{Type: "dataset", BaseURL: url}, l.web,
		fileset.Options{Platforms: platform.All()})
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return out
}

const (
	zenodoThen    = "https://zenodo.org/record/10"
	zenodoNow     = "https://doi.org/10.5281/zenodo.20"
	figshare      = "https://figshare.com/articles/dataset/Slug/10/1"
	dataverseThen = "https://demo.dataverse.org/dataset.xhtml?persistentId=doi:10.5072/FK2/J8SJZB"
	dataverseNow  = "https://demo.dataverse.org/dataset.xhtml?persistentId=doi:10.5072/FK2/NOWNOW"
	archiveorg    = "https://archive.org/details/CATS"
	tableThen     = "zenodo.org/api/files/b/table.csv"
	readmeThen    = "zenodo.org/api/files/b/readme.txt"
	signedTable   = "s3-eu-west-1.amazonaws.com/pfigshare-u-files/77/table.csv"
)

// TestLive: each platform, then and now, and all that goes wrong, with the status that it ends with. Everything that
// was fetched is read back.
func TestLive(t *testing.T) {
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	tests := []struct {
		name, url, want string
		prepare         func(*live)
	}{
		{"zenodo then", zenodoThen, "success web-fileset success success", nil},
		{"zenodo now", zenodoNow, "success-file web-file success", nil},
		{"figshare", figshare, "success-file web-file success", nil},
		{"dataverse then", dataverseThen, "success-file web-file success", nil},
		{"dataverse now", dataverseNow, "success web-fileset success success", nil},
		{"archive.org", archiveorg, "success-file archiveorg-file success", nil},

		{"429", zenodoThen, "success web-fileset success success", func(l *live) {
			l.faulty(tableThen, says(429, "Retry-After", "30"))
			l.faulty("zenodo.org/api/records/10", says(429))
		}},
		{"503", zenodoThen, "success web-fileset success success", func(l *live) {
			l.faulty("zenodo.org/record/10", says(503, "Retry-After", "5"), says(503))
		}},
		{"500, 502, 504", zenodoNow, "success-file web-file success", func(l *live) {
			l.faulty("zenodo.org/records/20", says(500), says(502), says(504))
		}},
		{"resets", figshare, "success-file web-file success", func(l *live) { l.faulty(signedTable, resets, resets) }},
		{"a signature that expires while the host asks to wait", figshare, "success-file web-file success", func(l *live) {
			l.faulty(signedTable, says(503, "Retry-After", "60"))
		}},
		{"cut once", zenodoThen, "success web-fileset success success", func(l *live) { l.faulty(readmeThen, stops(true)) }},
		{
			"slow once", zenodoThen, "success web-fileset success success",
			func(l *live) { l.faulty(readmeThen, stops(false)) },
		},
		{"cut for ever", zenodoThen, "wayback-content-error web-fileset success wayback-content-error", func(l *live) {
			l.faulty(readmeThen, often(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
				w.Header().Set("Content-Length", "32000")
				_, _ = io.WriteString(w, "read me ")
			})...)
		}},
		{"of another hash", zenodoThen, "mismatch web-fileset mismatch success", func(l *live) {
			l.file(tableThen, strings.Replace(table, "1", "9", 1))
		}},
		{"longer", zenodoThen, "mismatch web-fileset mismatch success", func(l *live) { l.file(tableThen, table+"5,6\n") }},
		{"shorter", zenodoThen, "mismatch web-fileset mismatch success", func(l *live) { l.file(tableThen, table[:5]) }},
		{"empty", zenodoThen, "empty-blob web-fileset empty-blob success", func(l *live) { l.file(tableThen, "") }},
		{"a file is gone", zenodoThen, "terminal-bad-status web-fileset terminal-bad-status success", func(l *live) {
			delete(l.pages, tableThen)
		}},
		{
			"an item's file is gone", archiveorg, "error-platform-download archiveorg-file error-platform-download",
			func(l *live) {
				delete(l.pages, "ia800000.us.archive.org/1/items/CATS/cats.csv")
			},
		},
		{"an API is down", zenodoThen, "platform-http-error", func(l *live) {
			l.faulty("zenodo.org/api/records/10", often(says(502))...)
		}},
		{"an API says 404", zenodoThen, "platform-404", func(l *live) { delete(l.pages, "zenodo.org/api/records/10") }},
		{"an API says 410", zenodoThen, "platform-restricted", func(l *live) {
			l.faulty("zenodo.org/api/records/10", often(says(410))...)
		}},
		{"the page is gone", zenodoThen, "terminal-bad-status", func(l *live) { delete(l.pages, "zenodo.org/record/10") }},
		{"a loop", "https://doi.org/a", "redirect-loop", func(l *live) {
			l.redirect("doi.org/a", "/b")
			l.redirect("doi.org/b", "/a")
		}},
		{"endless redirects", "https://doi.org/0", "redirects-exceeded", func(l *live) {
			for i := range 40 {
				l.redirect("doi.org/"+strings.Repeat("0", i+1), "/"+strings.Repeat("0", i+2))
			}
		}},
		{"a redirect to nowhere", "https://doi.org/a", "bad-redirect", func(l *live) {
			l.faulty("doi.org/a", says(302), says(302))
			l.redirect("doi.org/a", "/")
		}},
		{
			"a redirect out of the web", "https://doi.org/a", "bad-redirect",
			func(l *live) { l.redirect("doi.org/a", "gopher://x/") },
		},
		{"a redirect into the network", "https://doi.org/a", "skip-url-blocklist", func(l *live) {
			l.redirect("doi.org/a", "http://169.254.169.254/latest/meta-data/")
		}},
		{"robots.txt forbids", zenodoThen, "blocked-robots", func(l *live) {
			l.pages["zenodo.org/robots.txt"] = page("user-agent: gleaner-test\ndisallow: /record/")
		}},
		{"robots.txt forbids the API", zenodoThen, "blocked-robots", func(l *live) {
			l.pages["zenodo.org/robots.txt"] = page("user-agent: *\ndisallow: /api/")
		}},
		{"no HTTP", "https://doi.org/a", "spn2-error", func(l *live) {
			l.faulty("doi.org/a", often(resets)...)
			l.pages["doi.org/a"] = nil
		}},
		{"ftp", "ftp://example.com/a", "not-implemented", nil},
		{"a password in the URL", "https://user:sesame@doi.org/a?sesame", "bad-request", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // some wait for slow servers
			l := newLive(t, nil)
			if tt.prepare != nil {
				tt.prepare(l)
			}
			if got := l.statuses(t, tt.url); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			l.check(t)
		})
	}
}

// check closes the WARC files and reads them.
func (l *live) check(t *testing.T) (names []string) {
	t.Helper()
	if err := l.h.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(l.dir, "[^.]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".warc.gz") {
			t.Errorf("left behind: %s", name)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := archive.Input{Name: name, Size: int64(len(b)), End: int64(len(b))}
		f, err := archive.Detect(name, bytes.NewReader(b), in.Size)
		if err != nil {
			t.Fatal(err)
		}
		r, err := archive.NewReader(bytes.NewReader(b), in, f, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		captures := 0
		for _, err := range r.Captures() {
			if captures++; err != nil {
				t.Fatal(err)
			}
		}
		if n := r.Counts(); captures == 0 || n.Rejects > 0 || len(n.ByQuirk) > 0 ||
			n.ByFlag[string(schemas.FlagPayload)] > 0 {
			t.Errorf("%d captures, rejects %v, flags %v, quirks %v", captures, n.ByReject, n.ByFlag, n.ByQuirk)
		}
	}
	return names
}

func TestLive_budget(t *testing.T) {
	l := newLive(t, func(o *Options) { o.Fetch.Budget.Requests = 4 })
	out := l.ingest(t, zenodoThen) // robots.txt, the page, the API, one file
	if s := out.Result.Status; s != "too-much-spn" || out.Result.Manifest[0].Status != "success" {
		t.Errorf("status %q: %+v", s, out.Result.Manifest)
	}
}

func TestLive_pagesAreBounded(t *testing.T) {
	l := newLive(t, func(o *Options) { o.MaxPage = 100 })
	out, err := fileset.Ingest(t.Context(), schemas.FilesetRequest{Type: "dataset", BaseURL: zenodoThen}, l.web,
		fileset.Options{Platforms: platform.All(), MaxPage: 100})
	if err != nil || out.Result.Status != "body-too-large" {
		t.Errorf("%+v, %v", out, err)
	}
}
