package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeClock is moved by those who sleep.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *fakeClock { return &fakeClock{now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

// serve starts a server, and returns options by which it is example.com.
func serve(t *testing.T, do http.HandlerFunc) Options {
	t.Helper()
	s := httptest.NewServer(do)
	t.Cleanup(s.Close)
	return optionsFor(t, s.Listener.Addr().String())
}

func optionsFor(t *testing.T, address string) Options {
	return Options{
		UserAgent: "gleaner-test/1", Clock: newClock(), SpoolDir: t.TempDir(), Timeout: 2 * time.Second,
		Stall: 2 * time.Second,
		Hosts: map[string]string{"example.com": "http://" + address, "www.example.com": "http://" + address},
	}
}

// speak starts a server that answers each connection with the next of the texts, after a request came.
func speak(t *testing.T, texts ...string) Options {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for i := 0; ; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, texts[min(i, len(texts)-1)])
			_ = conn.Close()
		}
	}()
	o := optionsFor(t, l.Addr().String())
	o.IgnoreRobots = true
	return o
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func get(t *testing.T, c *Client, r Request) (*Exchange, string) {
	t.Helper()
	x, err := c.Fetch(t.Context(), r)
	if err != nil {
		t.Fatalf("Fetch(%q): %v", r.URL, err)
	}
	t.Cleanup(func() { _ = x.Close() })
	body, err := io.ReadAll(x.Body.Open())
	if err != nil || int64(len(body)) != x.Body.Size() || sha1.Sum(body) != x.Body.SHA1() {
		t.Fatalf("%v; a body of %d bytes whose size is %d", err, len(body), x.Body.Size())
	}
	return x, string(body)
}

func TestFetch_keepsTheHeadAsItCame(t *testing.T) {
	head := "HTTP/1.1 200  Fine\r\nserver:x\r\nX-Odd:  a \r\ncontent-length: 4\r\nX-Odd: b\r\n\r\n"
	o := speak(t, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"+head+"body")
	x, body := get(t, client(t, o), Request{URL: "https://Example.com./a?q=ä b#f", ETag: `"1"`, Accept: "text/html"})
	if string(x.Head) != head || body != "body" || x.Status != 200 || x.Header.Get("X-Odd") != "a" {
		t.Errorf("head %q, body %q, status %d, %v", x.Head, body, x.Status, x.Header)
	}
	want := "GET /a?q=%C3%A4%20b HTTP/1.1\r\nHost: example.com\r\nUser-Agent: gleaner-test/1\r\nAccept: text/html\r\n" +
		"If-None-Match: \"1\"\r\nAccept-Encoding: identity\r\n\r\n"
	if string(x.Request) != want {
		t.Errorf("request %q, want %q", x.Request, want)
	}
	if x.IP != "127.0.0.1" || x.Attempts != 1 || !x.Time.Equal(newClock().Now()) {
		t.Errorf("%q, %d attempts, %v", x.IP, x.Attempts, x.Time)
	}
}

func TestFetch_bodies(t *testing.T) {
	large := strings.Repeat("0123456789", maxMemory/4)
	tests := []struct{ name, answer, body, cut string }{
		{
			"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n",
			"abcde", "",
		},
		{"until the end", "HTTP/1.0 200 OK\r\n\r\nabc", "abc", ""},
		{"none", "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", "", ""},
		{"cut", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "abc", "disconnect"},
		{"cut in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", "abc", "disconnect"},
		{"in a file", "HTTP/1.1 200 OK\r\n\r\n" + large, large, ""},
		{
			"encoded as it came", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
			"\x1f\x8b\x08", "",
		},
		{"more than it says", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", "abc", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := speak(t, tt.answer)
			x, body := get(t, client(t, o), Request{URL: "http://example.com/"})
			if body != tt.body || x.Body.Truncated != tt.cut {
				t.Errorf("%d bytes, truncated %q; want %d, %q", len(body), x.Body.Truncated, len(tt.body), tt.cut)
			}
			if left, _ := os.ReadDir(o.SpoolDir); len(left) > 0 {
				t.Errorf("left in the folder: %v", left)
			}
		})
	}
}

func TestFetch_bodiesAreCutAtTheirBound(t *testing.T) {
	for size, want := range map[int]string{9: "", 10: "", 11: "length"} {
		o := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, size)) })
		o.MaxBody, o.IgnoreRobots = 10, true
		x, body := get(t, client(t, o), Request{URL: "http://example.com/"})
		if x.Body.Truncated != want || len(body) != min(size, 10) {
			t.Errorf("%d bytes: %q, %d kept", size, x.Body.Truncated, len(body))
		}
	}
}

func TestFetch_kindsOfErrors(t *testing.T) {
	tests := []struct {
		name, answer, url string
		want              error
	}{
		{"no HTTP", "SSH-2.0-OpenSSH\r\n", "http://example.com/", ErrProtocol},
		{"a line that is no field", "HTTP/1.1 200 OK\r\n<html>\r\n\r\n", "http://example.com/", ErrProtocol},
		{"a head without end", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHead), "http://example.com/", ErrProtocol},
		{
			"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "http://example.com/",
			ErrProtocol,
		},
		{"only interim answers", strings.Repeat("HTTP/1.1 102 P\r\n\r\n", 20), "http://example.com/", ErrProtocol},
		{"hangs up", "", "http://example.com/", ErrUnreachable},
		{"hangs up in the head", "HTTP/1.1 200 OK\r\nA", "http://example.com/", ErrUnreachable},
		{"TLS to one that does not speak it", "HTTP/1.1 400 no\r\n\r\n", "https://tls.example.com/", ErrUnreachable},
		{"scheme", "", "ftp://example.com/", ErrURL},
		{"no host", "", "http:///a", ErrURL},
		{"a user", "", "http://me:word@example.com/", ErrURL},
		{"no URL", "", "http://a b/", ErrURL},
		{"a private address", "", "http://127.0.0.1/", ErrPrivate},
		{"metadata", "", "http://169.254.169.254/latest", ErrPrivate},
		{"a private name", "", "http://localhost:1/", ErrPrivate},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := speak(t, tt.answer)
			o.Hosts["tls.example.com"] = strings.TrimPrefix(o.Hosts["example.com"], "http://")
			if x, err := client(t, o).Fetch(t.Context(), Request{URL: tt.url}); !errors.Is(err, tt.want) {
				t.Errorf("%v, %v; want %v", x, err, tt.want)
			} else if strings.Contains(err.Error(), "word") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
	if _, err := New(Options{UserAgent: "1"}); err == nil {
		t.Error("a user agent without a name passes")
	}
	c := client(t, speak(t, ""))
	if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/", ETag: "\"\r\nX: y"}); !errors.Is(err, ErrURL) {
		t.Errorf("a tag with a line end: %v", err)
	}
}

func TestFetch_robots(t *testing.T) {
	robots, status := "user-agent: gleaner-test\ndisallow: /no\ncrawl-delay: 7", 200
	var asked []string
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, robots)
		}
	})
	clock := o.Clock.(*fakeClock)
	var seen []string
	o.OnRobots = func(x *Exchange) { seen = append(seen, x.URL) }
	c := client(t, o)
	if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/no"}); !errors.Is(err, ErrRobots) {
		t.Fatalf("forbidden: %v", err)
	}
	get(t, c, Request{URL: "http://example.com/yes"})
	if d := clock.Now().Sub(newClock().Now()); d < 7*time.Second {
		t.Errorf("a crawl-delay of 7 s took %v", d)
	}
	if want := []string{"/robots.txt", "/yes"}; !slices.Equal(asked, want) ||
		!slices.Equal(seen, []string{"http://example.com:80/robots.txt"}) {
		t.Errorf("asked for %q, want %q; told of %q", asked, want, seen)
	}
	// A day later the file is asked for again; an error of the server forbids everything, and not for a day.
	status = 500
	_ = clock.Sleep(t.Context(), rulesFor)
	if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/yes"}); !errors.Is(err, ErrRobots) {
		t.Errorf("after a 500: %v", err)
	}
	status = 404
	_ = clock.Sleep(t.Context(), unknownFor)
	get(t, c, Request{URL: "http://example.com/no"})
}

// coded is an answer in a content coding: gzip, or none by its name.
func coded(coding, text string) string {
	var b bytes.Buffer
	if coding == "" {
		b.WriteString(text)
	} else {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close() // to memory
	}
	return fmt.Sprintf("HTTP/1.1 200 O\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", coding, b.Len(), &b)
}

// halfCoded is an answer with the first half of a gzip stream, and its length.
func halfCoded(text string) string {
	_, body, _ := strings.Cut(coded("gzip", text), "\r\n\r\n")
	body = body[:len(body)/2]
	return fmt.Sprintf("HTTP/1.1 200 O\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func TestFetch_robotsOfOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		want   error
	}{
		"redirected":             {"HTTP/1.1 301 M\r\nLocation: //www.example.com/r\r\nContent-Length: 0\r\n\r\n", ErrRobots},
		"redirected to a ftp":    {"HTTP/1.1 301 M\r\nLocation: ftp://www.example.com/r\r\nContent-Length: 0\r\n\r\n", nil},
		"redirected nowhere":     {"HTTP/1.1 301 M\r\nContent-Length: 0\r\n\r\n", nil},
		"a loop":                 {"HTTP/1.1 301 M\r\nLocation: /robots.txt\r\nContent-Length: 0\r\n\r\n", nil},
		"forbidden":              {"HTTP/1.1 403 F\r\nContent-Length: 0\r\n\r\n", nil},
		"too many":               {"HTTP/1.1 429 T\r\nContent-Length: 0\r\n\r\n", ErrRobots},
		"hangs up":               {"", ErrRobots},
		"nonsense":               {"hello", ErrRobots},
		"empty":                  {"HTTP/1.1 200 O\r\nContent-Length: 0\r\n\r\n", nil},
		"cut":                    {"HTTP/1.1 200 O\r\nContent-Length: 900\r\n\r\nUser-agent: *\n", ErrRobots},
		"cut at once":            {"HTTP/1.1 200 O\r\nContent-Length: 900\r\n\r\n", ErrRobots},
		"cut chunk":              {"HTTP/1.1 200 O\r\nTransfer-Encoding: chunked\r\n\r\n90\r\nUser-agent: *\n", ErrRobots},
		"cut after a chunk":      {"HTTP/1.1 200 O\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nUs\r\n", ErrRobots},
		"cut and missing":        {"HTTP/1.1 404 N\r\nContent-Length: 900\r\n\r\nno", nil},
		"gzip":                   {coded("gzip", "user-agent: *\ndisallow: /"), ErrRobots},
		"gzip that allows":       {coded("gzip", "user-agent: *\nallow: /"), nil},
		"x-gzip":                 {coded("x-gzip", "user-agent: *\ndisallow: /a"), ErrRobots},
		"gzip cut on the server": {halfCoded("user-agent: *\nallow: /\n" + strings.Repeat("# a\n", 9000)), ErrRobots},
		"gzip by name only": {
			strings.Replace(coded("", "user-agent: *\ndisallow: /a"), "Encoding: ", "Encoding: gzip", 1), ErrRobots,
		},
	} {
		t.Run(name, func(t *testing.T) {
			first := speak(t, tt.answer)
			o := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_,
					_ = io.WriteString(w, "user-agent: *\ndisallow: /")
			})
			o.Hosts["example.com"] = first.Hosts["example.com"]
			x, err := client(t, o).Fetch(t.Context(), Request{URL: "http://example.com/a"})
			// Whatever /a itself answers: asking was allowed.
			if tt.want == nil && errors.Is(err, ErrRobots) || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%v, %v; want %v", x, err, tt.want)
			}
		})
	}
}

func TestFetch_oneRequestAHostAtATimeWithAPause(t *testing.T) {
	var now, most, all atomic.Int64
	var mu sync.Mutex
	var at []time.Time
	clock := newClock()
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		all.Add(1)
		mu.Lock()
		at = append(at, clock.Now())
		mu.Unlock()
		time.Sleep(time.Millisecond)
	})
	o.Clock, o.HostDelay = clock, 3*time.Second
	c := client(t, o)
	var all10 sync.WaitGroup
	for i := range 10 {
		all10.Go(func() {
			x, err := c.Fetch(t.Context(), Request{URL: fmt.Sprintf("http://example.com/%d", i)})
			if err != nil {
				t.Error(err)
				return
			}
			_ = x.Close()
		})
	}
	all10.Wait()
	if most.Load() != 1 || all.Load() != 11 {
		t.Errorf("%d at a time, %d in all; want 1, and 11 with robots.txt", most.Load(), all.Load())
	}
	for i := 1; i < len(at); i++ {
		if d := at[i].Sub(at[i-1]); d < 3*time.Second {
			t.Errorf("request %d came %v after the one before it", i, d)
		}
	}
	if ready := c.Ready("https://example.com/x"); !ready.Equal(clock.Now().Add(3 * time.Second)) {
		t.Errorf("Ready: %v, now %v", ready, clock.Now())
	}
}

func TestFetch_retries(t *testing.T) {
	ok := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	status := func(n int, more string) string {
		return fmt.Sprintf("HTTP/1.1 %d X\r\n%sContent-Length: 0\r\n\r\n", n, more)
	}
	tests := []struct {
		name     string
		texts    []string
		retries  int
		status   int // 0 is an error
		attempts int
		took     time.Duration
	}{
		{"500, 502, 504", []string{status(500, ""), status(502, ""), status(504, ""), ok}, 10, 200, 4, 7 * time.Second},
		{"reset, then there", []string{"", ok}, 1, 200, 2, time.Second},
		{"no attempt left", []string{status(502, "")}, 3, 502, 4, 7 * time.Second},
		{"404 is an answer", []string{status(404, ""), ok}, 3, 404, 1, 0},
		{"never there", []string{""}, 2, 0, 3, 3 * time.Second},
		{"Retry-After of seconds", []string{status(429, "Retry-After: 90\r\n"), ok}, 1, 200, 2, 90 * time.Second},
		{"Retry-After of a date", []string{status(503, "Date: Sun, 01 Nov 2026 10:00:00 GMT\r\nRetry-After: Sun, 01 Nov "+
			"2026 10:01:00 GMT\r\n"), ok}, 1, 200, 2, time.Minute},
		{
			"Retry-After that is past",
			[]string{status(503, "Retry-After: Sun, 01 Nov 2020 10:01:00 GMT\r\n"), ok},
			1, 200, 2,
			time.Second,
		},
		{"Retry-After that is long", []string{status(503, "Retry-After: 3600\r\n"), ok}, 1, 503, 1, 0},
		{"Retry-After of nonsense", []string{status(503, "Retry-After: -1\r\n"), ok}, 1, 200, 2, time.Second},
		{"no retries", []string{status(503, ""), ok}, 0, 503, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := speak(t, tt.texts...)
			o.Retries, o.HostDelay = tt.retries, -1
			x, err := client(t, o).Fetch(t.Context(), Request{URL: "http://example.com/"})
			if err != nil && (tt.status != 0 || !errors.Is(err, ErrUnreachable)) || err == nil &&
				(x.Status != tt.status || x.Attempts != tt.attempts) {
				t.Errorf("%+v, %v; want status %d after %d attempts", x, err, tt.status, tt.attempts)
			}
			if took := o.Clock.Now().Sub(newClock().Now()); took != tt.took {
				t.Errorf("took %v, want %v", took, tt.took)
			}
		})
	}
}

func TestFetch_aHostThatAsksToBeLeftAloneIs(t *testing.T) {
	o := speak(t, "HTTP/1.1 503 X\r\nRetry-After: 999999999\r\nContent-Length: 0\r\n\r\n")
	c := client(t, o)
	x, _ := get(t, c, Request{URL: "http://example.com/"})
	if want := newClock().Now().Add(maxRetryAfter); !x.RetryAfter.Equal(want) ||
		!c.Ready("http://example.com/b").Equal(want) {
		t.Errorf("until %v, want %v", x.RetryAfter, want)
	}
	var wait *WaitError
	if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/b"}); !errors.Is(err, ErrWait) ||
		!errors.As(err, &wait) {
		t.Errorf("asked again: %v", err)
	}
	_ = o.Clock.Sleep(t.Context(), maxRetryAfter)
	get(t, c, Request{URL: "http://example.com/b"})
}

func TestFetch_goesOnWithACutBody(t *testing.T) {
	whole := strings.Repeat("0123456789", 100)
	head := func(more string) string { return "HTTP/1.1 200 OK\r\n" + more + "Content-Length: 1000\r\n\r\n" }
	part := func(from int, of string) string {
		return fmt.Sprintf("HTTP/1.1 206 P\r\nContent-Range: bytes %d-999/%s\r\nContent-Length: %d\r\n\r\n%s", from, of,
			1000-from, whole[from:])
	}
	other := strings.Repeat("x", 1000)
	tests := []struct {
		name  string
		texts []string
		body  string
	}{
		{"by its tag", []string{head("ETag: \"1\"\r\n") + whole[:300], part(300, "1000")}, whole},
		{
			"by its time",
			[]string{head("Last-Modified: Sun, 01 Nov 2020 10:01:00 GMT\r\n") + whole[:300], part(300, "1000")},
			whole,
		},
		{"twice", []string{
			head("ETag: \"1\"\r\n") + whole[:300], part(300, "1000")[:200], "",
			part(300+200-len(part(300, "1000"))+700, "1000"),
		}, whole},
		{"changed", []string{head("ETag: \"1\"\r\n") + whole[:300], head("ETag: \"2\"\r\n") + other}, other},
		{"no ranges", []string{head("ETag: \"1\"\r\n") + whole[:300], head("ETag: \"1\"\r\n") + whole}, whole},
		{"no tag", []string{head("ETag: W/\"1\"\r\n") + whole[:300], head("") + other}, other},
		{"given up", []string{head("ETag: \"1\"\r\n") + whole[:300], ""}, whole[:300]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := speak(t, tt.texts...)
			o.Retries = 5
			x, body := get(t, client(t, o), Request{URL: "http://example.com/"})
			if cut := len(body) < 1000; body != tt.body || (x.Body.Truncated != "") != cut || x.Status != 200 {
				t.Errorf("%d bytes, truncated %q, status %d", len(body), x.Body.Truncated, x.Status)
			}
			if !strings.HasPrefix(string(x.Head), "HTTP/1.1 200") {
				t.Errorf("the head is %q", x.Head)
			}
		})
	}
}

func TestFetch_budgets(t *testing.T) {
	for name, b := range map[string]Budget{
		"requests": {Requests: 2}, "bytes": {Bytes: 150}, "of a host": {HostRequests: 2}, "bytes of a host": {HostBytes: 150},
		"time": {Time: 1500 * time.Millisecond},
	} {
		o := serve(t, func(w http.ResponseWriter, r *http.Request) {})
		o.Budget, o.IgnoreRobots = b, true
		c := client(t, o)
		for range 2 {
			get(t, c, Request{URL: "http://example.com/"})
		}
		if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/"}); !errors.Is(err, ErrBudget) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFetch_timeouts(t *testing.T) {
	// A server that says nothing, and one that stops within a body.
	var path atomic.Value
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if path.Load() == "body" {
			_, _ = io.WriteString(w, "abc")
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	})
	o.Timeout, o.Stall, o.IgnoreRobots = 100*time.Millisecond, 100*time.Millisecond, true
	c := client(t, o)
	if _, err := c.Fetch(t.Context(), Request{URL: "http://example.com/"}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a silent server: %v", err)
	}
	path.Store("body")
	if x, body := get(t, c, Request{URL: "http://example.com/"}); body != "abc" || x.Body.Truncated != "time" {
		t.Errorf("a server that stops: %q, %q", body, x.Body.Truncated)
	}
	path.Store("")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := c.Fetch(ctx, Request{URL: "http://example.com/"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFetch_drips: a body that comes too slowly is cut, also when a byte comes again and again.
func TestFetch_drips(t *testing.T) {
	for _, test := range []struct {
		name  string
		bytes int // each 20 ms
		cut   string
	}{
		{"a byte", 1, "time"}, {"a little", 10, "time"}, {"enough", 64, ""}, {"much", 4096, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for range 40 {
					if _, err := w.Write(make([]byte, test.bytes)); err != nil {
						return
					}
					_ = http.NewResponseController(w).Flush()
					time.Sleep(20 * time.Millisecond)
				}
			})
			o.Stall, o.IgnoreRobots = 400*time.Millisecond, true
			x, body := get(t, client(t, o), Request{URL: "http://example.com/"})
			if x.Body.Truncated != test.cut || test.cut == "" && len(body) != 40*test.bytes {
				t.Errorf("%d bytes, truncated %q, want %q", len(body), x.Body.Truncated, test.cut)
			}
		})
	}
}

// A connection is used again, and one that the server has hung up is replaced without an attempt.
func TestFetch_connectionsAreKept(t *testing.T) {
	var opened atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	o := optionsFor(t, s.Listener.Addr().String())
	c := client(t, o)
	for range 3 {
		get(t, c, Request{URL: "http://example.com/"})
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	s.CloseClientConnections()
	if x, _ := get(t, c, Request{URL: "http://example.com/"}); x.Attempts != 1 {
		t.Errorf("%d attempts", x.Attempts)
	}
}

func TestFetch_tls(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = io.WriteString(w, r.Proto)
	}))
	defer s.Close()
	o := optionsFor(t, "")
	o.Hosts["example.com"], o.IgnoreRobots, o.Retries = s.Listener.Addr().String(), true, 3
	c := client(t, o)
	if _, err := c.Fetch(t.Context(), Request{URL: "https://example.com/"}); !errors.Is(err, ErrUnreachable) ||
		o.Clock.Now() != newClock().Now() {
		t.Errorf("a certificate of nobody's: %v; retried until %v", err, o.Clock.Now())
	}
	c.dialer.tls.RootCAs = x509.NewCertPool()
	c.dialer.tls.RootCAs.AddCert(s.Certificate())
	if _, body := get(t, c, Request{URL: "https://example.com/"}); body != "HTTP/1.1" {
		t.Errorf("speaks %q", body)
	}
}

// proxy starts a proxy that answers plain requests itself and tunnels to where `to` is.
func proxy(t *testing.T, asked *[]string, to string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.RequestURI+" "+r.Header.Get("Proxy-Authorization"))
		if r.Method != http.MethodConnect {
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		far, err := net.Dial("tcp", to)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, conn) }()
		_, _ = io.Copy(conn, far)
		_ = conn.Close()
	}))
	t.Cleanup(s.Close)
	u, _ := url.Parse(s.URL)
	u.User = url.UserPassword("me", "word")
	t.Setenv("HTTP_PROXY", u.String())
	t.Setenv("HTTPS_PROXY", u.String())
	t.Setenv("NO_PROXY", "")
}

func TestFetch_proxies(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = io.WriteString(w, "through")
	}))
	defer s.Close()
	var asked []string
	proxy(t, &asked, s.Listener.Addr().String())
	o := optionsFor(t, "")
	o.Hosts, o.IgnoreRobots = nil, true
	c := client(t, o)
	c.dialer.tls.RootCAs = x509.NewCertPool()
	c.dialer.tls.RootCAs.AddCert(s.Certificate())
	x, _ := get(t, c, Request{URL: "http://93.184.216.34/a"})
	if strings.Contains(string(x.Request), "Authorization") || !strings.HasPrefix(string(x.Request), "GET /a ") ||
		x.IP != "" {
		t.Errorf("kept of the request: %q, %q", x.Request, x.IP)
	}
	c.dialer.tls.InsecureSkipVerify = true // the certificate is not of that address
	if _, body := get(t, c, Request{URL: "https://93.184.216.34/a"}); body != "through" {
		t.Errorf("by CONNECT: %q", body)
	}
	if want := []string{
		"GET http://93.184.216.34/a Basic bWU6d29yZA==",
		"CONNECT 93.184.216.34:443 Basic bWU6d29yZA==",
	}; !slices.Equal(asked, want) {
		t.Errorf("the proxy was asked %q, want %q", asked, want)
	}
	for _, url := range []string{"http://169.254.169.254/", "https://10.0.0.1/", "http://printer.local/"} {
		if _, err := c.Fetch(t.Context(), Request{URL: url}); !errors.Is(err, ErrPrivate) || len(asked) != 2 {
			t.Errorf("%s: %v, %q", url, err, asked[2:])
		}
	}
}

// Two hosts whose robots.txt lead to each other, asked at the same time, do not wait for each other for ever.
func TestFetch_robotsThatCross(t *testing.T) {
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		other := map[string]string{"example.com": "www.example.com", "www.example.com": "example.com"}[r.Host]
		if r.URL.Path == "/robots.txt" {
			time.Sleep(time.Millisecond)
			http.Redirect(w, r, "http://"+other+"/robots.txt", http.StatusFound)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c := client(t, o)
	var both sync.WaitGroup
	for _, host := range []string{"example.com", "www.example.com"} {
		both.Go(func() {
			x, err := c.Fetch(ctx, Request{URL: "http://" + host + "/a"})
			if err != nil {
				t.Error(err)
				return
			}
			_ = x.Close()
		})
	}
	both.Wait()
}
