package liveweb

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// mended is what a dataset of all platforms survives: servers that are busy, fail, hang up or are slow for a while.
var mended = []struct {
	name    string
	prepare func(*live, played)
}{
	{"nothing", func(*live, played) {}},
	{"429 and 503 of the page", func(l *live, p played) {
		l.faulty(p.page, says(429, "Retry-After", "30"), says(503, "Retry-After", "5"), says(503))
	}},
	{"429 and 503 of the API", func(l *live, p played) {
		for _, api := range p.apis {
			l.faulty(api, says(429), says(503, "Retry-After", "7"))
		}
	}},
	{"500, 502, 504 and resets of the API", func(l *live, p played) {
		for _, api := range p.apis {
			l.faulty(api, says(500), resets, says(502))
		}
	}},
	{"the API's answers are cut or slow", func(l *live, p played) {
		for i, api := range p.apis {
			l.faulty(api, stops(i%2 == 0))
		}
	}},
	{"resets of the file", func(l *live, p played) { l.faulty(p.file, resets, resets) }},
	{"429 of the file", func(l *live, p played) { l.faulty(p.file, says(429, "Retry-After", "3")) }},
	{"the file is cut", func(l *live, p played) { l.faulty(p.file, stops(true)) }},
	{"the file is slow", func(l *live, p played) { l.faulty(p.file, stops(false)) }},
	{"a signature that expires while the host asks to wait", func(l *live, p played) {
		l.faulty(p.file, says(503, "Retry-After", "60"))
	}},
}

// fatal is what ends a dataset, and with which status. "" is one that a platform has not, as no API has schema.org.
var fatal = []struct {
	name    string
	prepare func(*live, played)
	want    func(played) string
}{
	{"the page is gone", func(l *live, p played) { delete(l.pages, p.page) }, status("terminal-bad-status")},
	{"the page hangs up", func(l *live, p played) { l.faulty(p.page, often(resets)...) }, status("spn2-error")},
	{
		"the API is down", func(l *live, p played) { l.faulty(p.apis[0], often(says(503))...) },
		ofAPI("platform-http-error"),
	},
	{
		"the API says what is no JSON", func(l *live, p played) { l.html(p.apis[0], "Just a moment…") },
		ofAPI("platform-error"),
	},
	{"the API breaks off", func(l *live, p played) { l.faulty(p.apis[0], often(cut)...) }, ofAPI("platform-error")},
	{"another file", func(l *live, p played) { l.rewrite(p, strings.ToUpper(table)) }, func(p played) string {
		if p.name == "signposting" { // says neither size nor hash
			return p.want[:len("success-file")]
		}
		return ofFile("mismatch", "mismatch-md5")(p)
	}},
	{"the file is empty", func(l *live, p played) { l.rewrite(p, "") }, ofFile("empty-blob", "error-platform-download")},
	{
		"the file is gone", func(l *live, p played) { delete(l.pages, p.file) },
		ofFile("terminal-bad-status", "error-platform-download"),
	},
	{
		"the file breaks off", func(l *live, p played) { l.faulty(p.file, often(cut)...) },
		ofFile("wayback-content-error", "error-platform-download"),
	},
}

func status(s string) func(played) string { return func(played) string { return s } }

func ofAPI(s string) func(played) string {
	return func(p played) string {
		if len(p.apis) == 0 {
			return ""
		}
		return s
	}
}

// ofFile is a status of a file: of items of archive.org it is another one.
func ofFile(web, item string) func(played) string {
	return func(p played) string {
		if strings.Contains(p.want, "archiveorg") {
			return item
		}
		return web
	}
}

// cut is a body that says that it is longer than it is. Each time it begins again, so that nothing is gained by asking
// again.
func cut(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
	w.Header().Set("Content-Length", "32000")
	_, _ = w.Write([]byte("a,b\n"))
}

// rewrite has the first file be another one; addresses that are signed stay so.
func (p *platforms) rewrite(of played, body string) {
	old := p.pages[of.file]
	p.file(of.file, body)
	other := p.pages[of.file]
	p.pages[of.file] = func(w http.ResponseWriter, r *http.Request) {
		if of.signed && r.URL.Query().Get("X-Amz-Signature") == "" {
			old(w, r) // which says 403
			return
		}
		other(w, r)
	}
}

// statuses returns in one line a result's status, its strategy and the statuses of its files.
func (l *live) statuses(t *testing.T, url string) string {
	t.Helper()
	out := l.ingest(t, url)
	got := []string{out.Result.Status}
	if out.Result.Strategy != "" {
		got = append(got, out.Result.Strategy)
	}
	for _, f := range out.Result.Manifest {
		if f.Status != "" {
			got = append(got, f.Status)
		}
	}
	if strings.Contains(out.Result.Error, "X-Amz") || strings.Contains(out.Result.Error, "sesame") {
		t.Errorf("the message tells a secret: %s", out.Result.Error)
	}
	return strings.Join(got, " ")
}

// TestLive_everyPlatform: all that may go wrong, with each platform in each of its shapes. What passes is waited for,
// what does not ends with its status, and all that was fetched is read back.
func TestLive_everyPlatform(t *testing.T) {
	for _, p := range everyPlatform {
		t.Run(p.name, func(t *testing.T) {
			for _, f := range mended {
				t.Run(f.name, func(t *testing.T) {
					t.Parallel() // some wait for slow servers
					l := newLive(t, nil)
					f.prepare(l, p)
					if got := l.statuses(t, p.url); got != p.want {
						t.Errorf("%q, want %q", got, p.want)
					}
					l.check(t)
				})
			}
			for _, f := range fatal {
				want := f.want(p)
				if want == "" {
					continue
				}
				t.Run(f.name, func(t *testing.T) {
					t.Parallel()
					l := newLive(t, nil)
					f.prepare(l, p)
					if got, _, _ := strings.Cut(l.statuses(t, p.url), " "); got != want {
						t.Errorf("%q, want %q", got, want)
					}
					l.check(t)
				})
			}
		})
	}
}

// TestLive_warcio has warcio check all that a run over all platforms wrote, each of which went wrong in a few ways.
func TestLive_warcio(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	l := newLive(t, nil)
	for i, p := range everyPlatform {
		mended[i%len(mended)].prepare(l, p)
		if got := l.statuses(t, p.url); got != p.want {
			t.Errorf("%s: %q, want %q", p.name, got, p.want)
		}
	}
	for _, name := range l.check(t) {
		if out, err := exec.Command(python, "-m", "warcio.cli", "check", name).CombinedOutput(); err != nil {
			t.Errorf("warcio check: %v: %s", err, out)
		}
	}
}
