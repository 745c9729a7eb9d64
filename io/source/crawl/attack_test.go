package crawl

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// hostile crawls the answers of a handler for its hosts, and returns the archived records.
func hostile(t *testing.T, answer http.HandlerFunc, o Options, hosts ...string) (*listed, *Crawl) {
	t.Helper()
	return hostileWith(t, &Book{}, answer, o, hosts...)
}

// hostileWith is hostile for a crawler that has a book.
func hostileWith(
	t *testing.T, b *Book, answer http.HandlerFunc, o Options, hosts ...string,
) (*listed, *Crawl) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	to := map[string]string{}
	for _, h := range hosts {
		to[h] = server.Listener.Addr().String()
	}
	client, err := fetch.New(fetch.Options{
		UserAgent: agent, HostDelay: -1, IgnoreRobots: true, Hosts: to, Clock: o.Clock, Timeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	archive := &listed{}
	o.Fetch, o.Archive, o.Agent = client, archive, "gleaner"
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.Fill(b)
	c.Know(b, "http://"+hosts[0]+"/feed.xml")
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return archive, c
}

// rss is a feed of these links.
func rss(links ...string) string {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>A</title><link>http://a.example/</link>`)
	for i, l := range links {
		fmt.Fprintf(&b, "<item><title>Piece %d</title><link>%s</link></item>", i, l)
	}
	return b.String() + "</channel></rss>"
}

// TestRun_hostile: sites that want the crawler to go where it must not, or never to end.
func TestRun_hostile(t *testing.T) {
	at := func(path, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == path {
				_, _ = fmt.Fprint(w, body)
				return
			}
			http.NotFound(w, r)
		}
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		has    []string // in the archive
		most   int64    // requests in a day
	}{
		"pages in a private network": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/feed.xml":
				_, _ = fmt.Fprint(w, rss("http://a.example/1", "http://a.example/2", "http://127.0.0.1/x"))
			case "/1":
				http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
			case "/2":
				http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
			default:
				http.NotFound(w, r)
			}
		}, []string{"private http://169.254.169.254/robots.txt"}, 40},
		"a feed that is redirected to itself": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusMovedPermanently)
		}, nil, 40},
		"a feed that is redirected for ever": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound)
		}, nil, 60},
		"a page that is redirected for ever": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/feed.xml" {
				_, _ = fmt.Fprint(w, rss("http://a.example/1"))
				return
			}
			http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound)
		}, nil, 40},
		"never asks again before a year": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, nil, 2},
		"always another item": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, rss("http://a.example/"+strings.Repeat("x", 3000), "http://user:pw@a.example/y",
				"javascript:alert(1)", "http://a.example/feed.xml", "http://b.example/off"))
		}, nil, 150},
		"an item in a loop": {
			at("/feed.xml", rss("http://a.example/1", "http://a.example/1#x", "http://a.example/1#y")),
			[]string{"404 http://a.example/1 "},
			40,
		},
		"not a feed":  {at("/feed.xml", "<html>Hello"), nil, 20},
		"empty":       {at("/feed.xml", ""), nil, 20},
		"wrong bytes": {at("/feed.xml", "\x00\xff<rss><channel><item><link>\xfe"), nil, 40},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Clock: &stillClock{now: start}, End: start.AddDate(0, 0, 1)}
			archive, c := hostile(t, tt.answer, o, "a.example")
			all := strings.Join(archive.lines, "\n")
			for _, want := range tt.has {
				if !strings.Contains(all, want) {
					t.Errorf("%q is not in\n%s", want, all)
				}
			}
			if n := c.Counts().Requests; n > tt.most {
				t.Errorf("%d requests, want %d at most\n%s", n, tt.most, all)
			}
			for _, line := range archive.lines {
				for _, never := range []string{"passwd", "user:pw", "meta-data", "127.0.0.1", "b.example"} {
					if strings.Contains(line, never) && !strings.Contains(line, " private ") {
						t.Errorf("%s was asked for:\n%s", never, line)
					}
				}
			}
		})
	}
}

// stillClock moves when somebody sleeps.
type stillClock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time.
func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves it.
func (c *stillClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

// TestRun_realTime: by the machine's clock, a host that is slow does not keep another from being asked, pauses are
// kept, and budgets end the round.
func TestRun_realTime(t *testing.T) {
	var mu sync.Mutex
	asked := map[string][]time.Time{}
	answer := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.Host] = append(asked[r.Host], time.Now())
		mu.Unlock()
		if r.Host == "slow.example" {
			time.Sleep(time.Second)
		}
		if r.URL.Path != "/feed.xml" {
			http.NotFound(w, r)
			return
		}
		_, _ = fmt.Fprint(w, strings.ReplaceAll(rss("http://a.example/1", "http://a.example/2", "http://a.example/3",
			"http://a.example/4", "http://a.example/5"), "a.example", r.Host))
	}
	server := httptest.NewServer(http.HandlerFunc(answer))
	defer server.Close()
	here := server.Listener.Addr().String()
	client, err := fetch.New(fetch.Options{
		UserAgent: agent, HostDelay: -1, IgnoreRobots: true,
		Hosts: map[string]string{"a.example": here, "slow.example": here},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	const delay = 60 * time.Millisecond
	now := time.Now()
	c, err := New(Options{
		Fetch: client, Archive: &listed{}, Agent: "gleaner", Due: now, End: now.Add(time.Minute), Patience: 2 * time.Second,
		HostDelay: delay, Budget: Budget{HostRequests: 6},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Know(&Book{}, "http://slow.example/feed.xml", "http://a.example/feed.xml")
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	quick, slow := asked["a.example"], asked["slow.example"]
	if len(quick) != 6 || len(slow) != 6 || c.Counts().Left != 2 {
		t.Fatalf("%d and %d requests, want 6 of each host and 2 left: %+v", len(quick), len(slow), c.Counts())
	}
	for i := range quick[1:] {
		if gap := quick[i+1].Sub(quick[i]); gap < delay {
			t.Errorf("%v between two requests, want %v at least", gap, delay)
		}
	}
	if !quick[5].Before(slow[4]) {
		t.Error("the slow host has kept the quick one waiting")
	}
}

// drip sends a byte now and then until the request ends.
func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = w.Write([]byte(" ")) // the client may be gone
		_ = http.NewResponseController(w).Flush()
		time.Sleep(50 * time.Millisecond)
	}
}

// TestRun_drips: a host that drips, wherever it does, keeps no other waiting, even if it may do so to the end.
func TestRun_drips(t *testing.T) {
	for _, dripping := range []string{"/robots.txt", "/feed.xml", "/0", "the head"} {
		t.Run(strings.TrimPrefix(dripping, "/"), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			good := 0
			done := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var links []string
				for i := range 22 {
					links = append(links, fmt.Sprintf("http://%s/%d", r.Host, i))
				}
				switch {
				case r.Host == "drip.example" && r.URL.Path == dripping:
					drip(w, r)
				case r.Host == "drip.example" && r.URL.Path == "/feed.xml" && dripping == "the head":
					<-r.Context().Done()
				case r.URL.Path == "/feed.xml":
					_, _ = fmt.Fprint(w, rss(links...))
				case r.URL.Path == "/robots.txt":
				default:
					mu.Lock()
					defer mu.Unlock()
					if good++; good == 22 {
						close(done)
					}
				}
			}))
			defer server.Close()
			ctx, stop := context.WithCancel(t.Context())
			here := server.Listener.Addr().String()
			client, err := fetch.New(fetch.Options{
				UserAgent: agent, HostDelay: -1, IgnoreRobots: true, Timeout: time.Hour, Stall: time.Hour,
				Hosts: map[string]string{"a.example": here, "drip.example": here},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = client.Close() }()
			now := time.Now()
			c, err := New(Options{
				Fetch: client, Archive: &listed{}, Agent: "gleaner", Due: now, End: now.Add(time.Hour),
				HostDelay: time.Millisecond, Hosts: 2, Budget: Budget{HostRequests: 24},
			})
			if err != nil {
				t.Fatal(err)
			}
			c.Know(&Book{}, "http://drip.example/feed.xml", "http://a.example/feed.xml")
			go func() {
				select {
				case <-done:
				case <-time.After(20 * time.Second):
				}
				stop()
			}()
			_ = c.Run(ctx) // which never ends by itself
			mu.Lock()
			defer mu.Unlock()
			if good < 22 {
				t.Errorf("%d pages of the good host beside one that drips, want 22", good)
			}
		})
	}
}

// TestRun_patience: a round that does not wait for slow hosts reports their number and how long they are slow.
func TestRun_patience(t *testing.T) {
	begin := time.Now()
	_, c := hostile(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2400")
		w.WriteHeader(http.StatusServiceUnavailable)
	}, Options{End: begin.Add(24 * time.Hour), Patience: time.Minute}, "a.example")
	if n := c.Counts(); n.Resting != 1 || n.Next.Sub(begin) < 40*time.Minute || n.Next.Sub(begin) > 2*time.Hour {
		t.Errorf("%d hosts rest until %v after the beginning, want one for 40 minutes or more", n.Resting, n.Next.Sub(begin))
	}
}

// TestRun_robotsAndDots: what robots.txt forbids is not reached by segments of dots, nor by encoding them.
func TestRun_robotsAndDots(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	_, _ = hostile(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.RequestURI)
		mu.Unlock()
		switch r.URL.Path {
		case "/robots.txt":
			_, _ = fmt.Fprint(w, "User-agent: *\nDisallow: /secret/\n")
		case "/feed.xml":
			_, _ = fmt.Fprint(w, rss("http://a.example/a/../secret/1", "http://a.example/a/%2e%2e/secret/2",
				"http://a.example/./secret/3", "http://a.example/%73ecret/4", "http://a.example/moved",
				"http://a.example/x/../open"))
		case "/moved":
			w.Header().Set("Location", "http://a.example/b/..//../secret/5")
			w.WriteHeader(http.StatusFound)
		}
	}, Options{Clock: &stillClock{now: start}, End: start.Add(time.Hour)}, "a.example")
	all := strings.Join(asked, " ")
	if strings.Contains(all, "ecret") || strings.Contains(all, "..") || !strings.Contains(all, " /open") ||
		!strings.Contains(all, " /moved") {
		t.Errorf("asked for %s", all)
	}
}

// TestBook_damaged: a book that is damaged is an error, and not an empty book: feeds would be asked for too soon.
func TestBook_damaged(t *testing.T) {
	dir := t.TempDir()
	f := folder.Open(t.Context(), dir, nil)
	b := &Book{
		Journals: []string{"gleaner-20261101000000-00000.warc.gz"},
		Feeds: map[string]FeedEntry{"k": {
			Key: "k", URL: "http://a.example/feed.xml", Next: start, Visited: start, ETag: `"x"`,
			Checked: "http://a.example/feed.xml", Read: start, Fails: 3,
		}},
		Hosts: map[string]HostEntry{"a.example": {Host: "a.example", Free: start, Fails: 1, Rules: []RulesEntry{{
			Origin: "http://a.example", Until: start, Text: "User-agent: *\nDisallow: /\n", Known: true,
		}}}},
		Pages: []PageEntry{{URL: "http://a.example/1", Due: start, Tries: 2, Hops: 1}},
		Done:  []DoneEntry{{Link: 1 << 63, At: start}},
	}
	if err := writeBook(f, bookFile, b); err != nil {
		t.Fatal(err)
	}
	got, err := BookIn(f)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(b) {
		t.Errorf("%v\n%v\nwant\n%v", err, got, b)
	}
	whole, err := os.ReadFile(filepath.Join(dir, bookFile))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(filepath.Join(dir, bookFile), whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := BookIn(f); err == nil {
			t.Errorf("cut at %d of %d bytes, it is read", n, len(whole))
		}
	}
}

func FuzzBook(f *testing.F) {
	f.Add([]byte(`{"book":"1"}` + "\n" + `{"feed":"k","url":"http://a.example/"}` + "\n" +
		`{"page":"http://a.example/1"}`))
	f.Add([]byte(`{"book":"1"}` + "\n" + `{"host":"a","rules":[{"origin":"x","text":"Disallow: /","known":true}]}`))
	f.Add([]byte("{\"book\":\"1\"}\n{\"done\":\"18446744073709551615\",\"at\":\"2026-11-01T00:00:00Z\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := &Book{Feeds: map[string]FeedEntry{}, Hosts: map[string]HostEntry{}}
		if b.read(bytes.NewReader(data)) != nil {
			return
		}
		c, err := New(Options{Fetch: (*fetch.Client)(nil), Archive: &listed{}, Agent: "gleaner", End: start})
		if err != nil {
			t.Fatal(err)
		}
		c.Fill(b)
		c.Book(b, start)
		c.Planned()
	})
}

// TestReadJournal_longBody: of a body that is longer than a crawl looks at, a replay sees as much as the crawl did.
func TestReadJournal_longBody(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n"
	body := bytes.Repeat([]byte("0123456789abcde\n"), (maxBody+maxBody/32)/16)
	live := captureOf("http://a.example/feed.xml", start, []byte(head), body[:maxBody])
	record := func(kind, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: http://a.example/feed.xml\r\n"+
			"WARC-Date: %s\r\nContent-Type: application/http; msgtype=%[1]s\r\nContent-Length: %[3]d\r\n\r\n%[4]s\r\n\r\n",
			kind, start.Format(time.RFC3339), len(block), block)
	}
	journal := record("response", head+string(body)) + record("request", "GET /feed.xml HTTP/1.1\r\nHost: a.example\r\n"+
		"\r\n")
	var seen []Answer
	_, err := readJournal(strings.NewReader(journal), int64(len(journal)), func(a Answer) { seen = append(seen, a) })
	if err != nil || len(seen) != 1 {
		t.Fatalf("%d answers, %v", len(seen), err)
	}
	got := seen[0].Capture
	if got.Digest != live.Digest || len(got.Body) != len(live.Body) || seen[0].Size != int64(len(head)+len(body)) {
		t.Errorf("replayed %s, %d bytes of %d; live %s, %d", got.Digest, len(got.Body), seen[0].Size, live.Digest,
			len(live.Body))
	}
}

// FuzzJournal: any journal is read to its end or to its first broken entry, and applied.
func FuzzJournal(f *testing.F) {
	dir := f.TempDir()
	shelf, err := OpenShelf(folder.Open(f.Context(), dir, nil), dir, 1<<20)
	if err == nil {
		err = shelf.Fault("http://a.example/feed.xml", start, faultUnreachable)
	}
	if err == nil {
		err = shelf.Close()
	}
	if err != nil {
		f.Fatal(err)
	}
	for name, b := range files(f, dir) {
		f.Log(name)
		f.Add([]byte(b))
	}
	f.Add([]byte("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/feed.xml\r\n" +
		"WARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 19\r\n\r\n" +
		"HTTP/1.1 200 OK\r\n\r\n\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := New(Options{Fetch: (*fetch.Client)(nil), Archive: &listed{}, Agent: "gleaner", End: start})
		if err != nil {
			t.Fatal(err)
		}
		c.Know(&Book{}, "http://a.example/feed.xml")
		whole, err := readJournal(bytes.NewReader(data), int64(len(data)), c.Replay)
		if err == nil && (whole < 0 || whole > int64(len(data))) {
			t.Errorf("whole up to %d of %d bytes", whole, len(data))
		}
	})
}
