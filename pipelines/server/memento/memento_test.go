package memento_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// capture is a capture of the tests. Head is the HTTP header after the status line.
type capture struct {
	url, date, head, body string
	status                int
}

// shelve writes an archive of captures and a collection of it, and returns the handler. Its options may be changed.
func shelve(t *testing.T, o view.Options, list ...capture) http.Handler {
	t.Helper()
	return shelveAll(t, o, list)
}

// shelveAll makes a collection of each list. Equal lists are one archive.
func shelveAll(t *testing.T, o view.Options, lists ...[]capture) http.Handler {
	t.Helper()
	h, _ := shelveIn(t, o, lists...)
	return h
}

// shelveIn is shelveAll, and returns the folder of the collections.
func shelveIn(t *testing.T, o view.Options, lists ...[]capture) (*memento.Handler, string) {
	t.Helper()
	dir := t.TempDir()
	var out []string
	names := map[string]string{}
	for i, list := range lists {
		archive, docs := written(list)
		name := cmp.Or(names[archive], string(rune('a'+i))+".warc")
		names[archive] = name
		for _, d := range docs {
			d.Filename = name
		}
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
	o.Store = store
	o.Archives = cmp.Or(o.Archives, dir)
	return memento.New(view.New(s, o)), dir
}

// written writes an archive of captures.
func written(list []capture) (string, []*schemas.Document) {
	var archive strings.Builder
	var docs []*schemas.Document
	for i, c := range list {
		c.status = cmp.Or(c.status, http.StatusOK)
		block := fmt.Sprintf("HTTP/1.1 %d X\r\n%s\r\n%s", c.status, c.head, c.body)
		docs = append(docs, &schemas.Document{
			URL: c.url, SURT: urlkey.SURT(c.url), Host: "example.org", Timestamp: c.date,
			Offset: int64(archive.Len()), Status: c.status, RecordType: "response",
		})
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n"+
			"WARC-Record-ID: <urn:x:%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n", c.url, c.date, i, len(block), block)
	}
	return archive.String(), docs
}

// viewer returns the context of a reader.
func viewer(t *testing.T) context.Context {
	t.Helper()
	return view.WithActor(t.Context(), view.Actor{Role: view.Viewer})
}

// ask sends a request, with Accept-Datetime if it is not "", and returns the answer and its body.
func ask(t *testing.T, h http.Handler, method, path, at string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(viewer(t), method, "http://server.example"+path, nil)
	if at != "" {
		r.Header.Set("Accept-Datetime", at)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Result(), string(body)
}

// pages are captures of some URLs.
var pages = []capture{
	{url: "http://example.org/a", date: "2014-01-01T00:00:00Z", body: "one"},
	{url: "http://example.org/a", date: "2016-01-01T00:00:00.75Z", body: "three"},
	{url: "http://example.org/a", date: "2015-01-01T00:00:00Z", body: "two"},
	{url: "http://example.org/q?x=1&y=2", date: "2014-01-01T00:00:00Z", body: "query"},
	{url: "http://example.org/水", date: "2014-01-01T00:00:00Z", body: "water"},
	{url: "http://example.org/c?u=http%3A%2F%2Fb.example%2F", date: "2014-01-01T00:00:00Z", body: "escapes"},
	{url: "http://example.org/undated", body: "undated"},
}

func TestTimeMap(t *testing.T) {
	h := shelve(t, view.Options{}, pages...)
	const base = "<http://server.example/memento/"
	three := base + `20140101000000/http://example.org/a>; rel="first memento"; datetime="Wed, 01 Jan 2014 00:00:00 GMT",` +
		"\n" + base + `20150101000000/http://example.org/a>; rel="memento"; datetime="Thu, 01 Jan 2015 00:00:00 GMT",` +
		"\n" + base + `20160101000000/http://example.org/a>; rel="last memento"; datetime="Fri, 01 Jan 2016 00:00:00 GMT"`
	single := func(url string) string {
		return base + `20140101000000/` + url + `>; rel="first last memento"; datetime="Wed, 01 Jan 2014 00:00:00 GMT"`
	}
	for _, tt := range []struct{ name, path, original, want string }{
		{"all captures", "http://example.org/a", "http://example.org/a", three},
		{"one slash, as proxies leave it", "http:/example.org/a", "http://example.org/a", three},
		{"no scheme", "example.org/a", "http://example.org/a", three},
		{"escaped as a whole", "http%3A%2F%2Fexample.org%2Fa", "http://example.org/a", three},
		{"a query", "http://example.org/q?x=1&y=2", "http://example.org/q?x=1&y=2", single("http://example.org/q?x=1&y=2")},
		{
			"another order of the query", "http://example.org/q?y=2&x=1", "http://example.org/q?y=2&x=1",
			single("http://example.org/q?x=1&y=2"),
		},
		{
			"other scripts", "http://example.org/%E6%B0%B4", "http://example.org/%E6%B0%B4",
			single("http://example.org/%E6%B0%B4"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, body := ask(t, h, http.MethodGet, memento.TimeMap+tt.path, "")
			lines := strings.SplitN(body, ",\n", 4)
			if r.StatusCode != http.StatusOK || len(lines) < 4 || r.Header.Get("Content-Type") != "application/link-format" {
				t.Fatalf("status %d, type %s, body %q", r.StatusCode, r.Header.Get("Content-Type"), body)
			}
			if want := "<" + tt.original + `>; rel="original"`; lines[0] != want {
				t.Errorf("the original is %s, want %s", lines[0], want)
			}
			if !strings.Contains(lines[1], `rel="self"; type="application/link-format"; from="Wed, 01 Jan 2014 00:00:00 GMT"`) {
				t.Errorf("the list itself is %s", lines[1])
			}
			if diff := gocmp.Diff(tt.want+"\n", lines[3]); diff != "" {
				t.Errorf("mementos (-want +got):\n%s", diff)
			}
			for _, c := range body {
				if c > '~' {
					t.Errorf("the list has the character %q outside ASCII", c)
				}
			}
		})
	}
}

func TestServeHTTP_errors(t *testing.T) {
	h := shelve(t, view.Options{}, pages...)
	for _, tt := range []struct {
		name, path, at string
		want           int
		links          bool // the answer names the other services
	}{
		{"unknown URL", memento.TimeMap + "http://example.org/none", "", 404, true},
		{"a star selects nothing", memento.TimeMap + "http://example.org/*", "", 404, true},
		{"a capture without a date", memento.TimeMap + "http://example.org/undated", "", 404, true},
		{"no URL", memento.TimeMap, "", 400, false},
		{"another form of list", "/timemap/json/http://example.org/a", "", 404, false},
		{"unknown URL of a gate", memento.TimeGate + "http://example.org/none", "", 404, true},
		{"a date that cannot be read", memento.TimeGate + "http://example.org/a", "yesterday", 400, false},
		{"a date in another form", memento.TimeGate + "http://example.org/a", "2014-01-01T00:00:00Z", 400, false},
		{"a moment without a capture", memento.Memento + "20140101000001/http://example.org/a", "", 404, true},
		{"a date of 8 digits", memento.Memento + "20140101/http://example.org/a", "", 400, false},
		{"a day that is not", memento.Memento + "20140230000000/http://example.org/a", "", 400, false},
		{"no URL of a memento", memento.Memento + "20140101000000", "", 400, false},
		{"a line break", memento.TimeMap + "http://example.org/none%0D%0AX-Evil:%201", "", 404, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, body := ask(t, h, http.MethodGet, tt.path, tt.at)
			if r.StatusCode != tt.want || (r.Header.Get("Link") != "") != tt.links {
				t.Errorf("status %d, Link %q, body %.200s; want %d", r.StatusCode, r.Header.Get("Link"), body, tt.want)
			}
			if strings.ContainsAny(r.Header.Get("Link"), "\r\n") || r.Header.Get("X-Evil") != "" {
				t.Errorf("the header was broken: %q", r.Header)
			}
		})
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, memento.TimeMap+"http://example.org/none", nil))
	if w.Code != http.StatusUnauthorized && w.Code != http.StatusForbidden {
		t.Errorf("without a role: status %d, want 401 or 403", w.Code)
	}
}

func TestTimeGate(t *testing.T) {
	h := shelve(t, view.Options{}, pages...)
	for _, tt := range []struct{ name, at, want string }{
		{"without a date", "", "20160101000000"},
		{"before the first", "Tue, 01 Jan 1980 00:00:00 GMT", "20140101000000"},
		{"after the last", "Tue, 01 Jan 2080 00:00:00 GMT", "20160101000000"},
		{"exact", "Thu, 01 Jan 2015 00:00:00 GMT", "20150101000000"},
		{"exact but for a fraction", "Fri, 01 Jan 2016 00:00:00 GMT", "20160101000000"},
		{"nearer to the earlier", "Wed, 02 Jul 2014 11:59:59 GMT", "20140101000000"},
		{"in the middle", "Wed, 02 Jul 2014 12:00:00 GMT", "20150101000000"},
		{"in the form of RFC 850", "Thursday, 01-Jan-15 00:00:00 GMT", "20150101000000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := ask(t, h, http.MethodGet, memento.TimeGate+"http://example.org/a", tt.at)
			want := "http://server.example/memento/" + tt.want + "/http://example.org/a"
			if got := r.Header.Get("Location"); r.StatusCode != http.StatusFound || got != want {
				t.Errorf("status %d, Location %s, want %s", r.StatusCode, got, want)
			}
			if got := r.Header.Get("Vary"); !strings.EqualFold(got, "accept-datetime") {
				t.Errorf("Vary %q", got)
			}
			// Of three captures, the first, the chosen and the last are named, each once.
			n := 2
			if tt.want == "20150101000000" {
				n = 3
			}
			if got := strings.Count(r.Header.Get("Link"), "memento\""); got != n {
				t.Errorf("Link %s names %d captures, want %d", r.Header.Get("Link"), got, n)
			}
		})
	}
}

// TestTimeGate_replay: with a replay tool, captures are there, and braces in a URL are not replaced again.
func TestTimeGate_replay(t *testing.T) {
	const url = "http://example.org/{timestamp}"
	h := shelve(t, view.Options{Replay: "https://replay.example/{timestamp}id_/{url}"},
		capture{url: url, date: "2014-01-01T00:00:00Z"})
	r, body := ask(t, h, http.MethodGet, memento.TimeGate+url, "")
	if got, want := r.Header.Get("Location"), "https://replay.example/20140101000000id_/"+url; got != want {
		t.Errorf("status %d, Location %s, want %s; %s", r.StatusCode, got, want, body)
	}
}

// TestTimeGate_percent: no address has a percent sign that begins no escape, since servers refuse it.
func TestTimeGate_percent(t *testing.T) {
	for url, want := range map[string]string{
		"http://example.org/100%":     "http://example.org/100%25",
		"http://example.org/%u2019s":  "http://example.org/%25u2019s",
		"http://example.org/a%zz?b=%": "http://example.org/a%25zz?b=%25",
	} {
		h := shelve(t, view.Options{}, capture{url: url, date: "2014-01-01T00:00:00Z", body: "sale"})
		r, _ := ask(t, h, http.MethodGet, memento.TimeGate+want, "")
		to := r.Header.Get("Location")
		if to != "http://server.example/memento/20140101000000/"+want {
			t.Errorf("%s: Location %s, want %s", url, to, want)
			continue
		}
		if _, body := ask(t, h, http.MethodGet, strings.TrimPrefix(to, "http://server.example"), ""); body != "sale" {
			t.Errorf("%s: the memento is %q", url, body)
		}
		if links := r.Header.Get("Link"); strings.Contains(links, url+">") {
			t.Errorf("%s: Link %s", url, links)
		}
	}
}

func TestMemento(t *testing.T) {
	many := strings.Repeat("X-Many: 1\r\n", 300)
	h := shelve(t, view.Options{}, append(pages,
		capture{
			url: "http://example.org/script", date: "2014-01-01T00:00:00Z", body: "<script>alert(1)</script>",
			head: "Content-Type: text/html\r\nSet-Cookie: a=b\r\nContent-Security-Policy: none\r\nLocation: /x\r\n",
		},
		capture{url: "http://example.org/many", date: "2014-01-01T00:00:00Z", head: many},
		capture{
			url: "http://example.org/large", date: "2014-01-01T00:00:00Z",
			head: "X-Large: " + strings.Repeat("x", 40<<10) + "\r\nX-Small: 1\r\n",
		},
		capture{url: "http://example.org/gone", date: "2014-01-01T00:00:00Z", status: 404, body: "no"},
	)...)
	get := func(method, stamp, url string) (http.Header, string) {
		r, body := ask(t, h, method, memento.Memento+stamp+"/"+url, "")
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s at %s: status %d, %s", url, stamp, r.StatusCode, body)
		}
		return r.Header, body
	}
	for _, tt := range []struct{ stamp, url, want string }{
		{"20140101000000", "http://example.org/a", "one"},
		{"20160101000000", "http://example.org/a", "three"},
		{"20140101000000", "http://example.org/q?x=1&y=2", "query"},
		{"20140101000000", "http://example.org/%E6%B0%B4", "water"},
		{"20140101000000", "http://example.org/c?u=http%3A%2F%2Fb.example%2F", "escapes"},
	} {
		if _, body := get(http.MethodGet, tt.stamp, tt.url); body != tt.want {
			t.Errorf("%s at %s: %q, want %q", tt.url, tt.stamp, body, tt.want)
		}
	}
	head, _ := get(http.MethodGet, "20140101000000", "http://example.org/script")
	for name, want := range map[string]string{
		"Memento-Datetime": "Wed, 01 Jan 2014 00:00:00 GMT", "Content-Type": "application/octet-stream",
		"Content-Disposition": "attachment; filename=capture.bin", "Set-Cookie": "", "Location": "",
		"Content-Security-Policy": "sandbox; default-src 'none'", "X-Archive-Orig-Content-Type": "text/html",
		"X-Archive-Orig-Set-Cookie": "a=b", "X-Archive-Orig-Status": "200",
	} {
		if got := head.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if head, body := get(http.MethodHead, "20140101000000", "http://example.org/gone"); body != "" ||
		head.Get("X-Archive-Orig-Status") != "404" {
		t.Errorf("HEAD: body %q, header %v", body, head)
	}
	if head, _ := get(http.MethodGet, "20140101000000", "http://example.org/many"); len(head["X-Archive-Orig-X-Many"]) > 100 {
		t.Errorf("%d fields of one name were sent", len(head["X-Archive-Orig-X-Many"]))
	}
	head, _ = get(http.MethodGet, "20140101000000", "http://example.org/large")
	if head.Get("X-Archive-Orig-X-Large") != "" || head.Get("X-Archive-Orig-X-Small") != "1" {
		t.Error("a field too large was sent, or the small one after it was not")
	}
}

// TestMemento_archiveGone: the capture is listed, but the answer says that its archive cannot be read.
func TestMemento_archiveGone(t *testing.T) {
	moved := t.TempDir()
	h := shelve(t, view.Options{Archives: moved}, pages...)
	path := memento.Memento + "20140101000000/http://example.org/a"
	for name, body := range map[string]string{"missing": "", "another file": "WARC/1.1\r\n", "zeros": strings.Repeat("\x00", 5000)} {
		if body != "" {
			if err := os.WriteFile(filepath.Join(moved, "a.warc"), []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, text := ask(t, h, http.MethodGet, path, "")
		if r.StatusCode != http.StatusNotFound || r.Header.Get("Memento-Datetime") != "" ||
			!strings.Contains(text, "archive cannot be read") || !strings.Contains(r.Header.Get("Link"), `rel="timegate"`) {
			t.Errorf("%s: status %d, %s", name, r.StatusCode, text)
		}
	}
}

// TestMemento_many: all captures of a URL can be reached, however many there are.
func TestMemento_many(t *testing.T) {
	const n = 10_100
	var list []capture
	stamp := func(i int) time.Time { return time.Date(2000, 1, 1+i, 0, 0, 0, 0, time.UTC) }
	for i := range n {
		list = append(list, capture{url: "http://example.org/a", date: stamp(i).Format(time.RFC3339), body: fmt.Sprint(i)})
	}
	h := shelve(t, view.Options{}, list...)
	const address = "http://example.org/a"
	for _, i := range []int{0, 1, 50, 99, 100, 5000, n - 1} {
		digits := stamp(i).Format("20060102150405")
		if r, body := ask(t, h, http.MethodGet, memento.Memento+digits+"/"+address, ""); body != fmt.Sprint(i) {
			t.Errorf("memento %d: status %d, %.80q", i, r.StatusCode, body)
		}
		r, _ := ask(t, h, http.MethodGet, memento.TimeGate+address, stamp(i).Format(http.TimeFormat))
		if got := r.Header.Get("Location"); !strings.Contains(got, digits) {
			t.Errorf("the TimeGate leads from %s to %q", digits, got)
		}
		for _, end := range []struct {
			rel string
			at  int
		}{{"first", 0}, {"last", n - 1}} {
			if want := "/memento/" + stamp(end.at).Format("20060102150405"); !strings.Contains(r.Header.Get("Link"), want) {
				t.Errorf("the %s of %s is not in %s", end.rel, digits, r.Header.Get("Link"))
			}
		}
	}
	for date, want := range map[string]int{
		"Mon, 01 Jan 0001 00:00:00 GMT": 0, "Fri, 31 Dec 9999 23:59:59 GMT": n - 1,
	} {
		r, _ := ask(t, h, http.MethodGet, memento.TimeGate+address, date)
		if got := r.Header.Get("Location"); !strings.Contains(got, stamp(want).Format("20060102150405")) {
			t.Errorf("the TimeGate leads from %q to %q, status %d", date, got, r.StatusCode)
		}
	}
	for _, stamp := range []string{"00010101000000", "99991231235959"} {
		if r, _ := ask(t, h, http.MethodGet, memento.TimeMap+stamp+"/"+address, ""); r.StatusCode >= 500 {
			t.Errorf("the TimeMap until %s: status %d", stamp, r.StatusCode)
		}
		if r, _ := ask(t, h, http.MethodGet, memento.Memento+stamp+"/"+address, ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("the memento of %s: status %d", stamp, r.StatusCode)
		}
	}
	listed(t, h, memento.TimeMap+address, n)
}

// listed follows the parts of a TimeMap, which lists n captures.
func listed(t *testing.T, h http.Handler, path string, n int) {
	t.Helper()
	seen, parts, first, last := map[string]bool{}, 0, 0, 0
	for ; path != "" && parts < 5; parts++ {
		r, body := ask(t, h, http.MethodGet, path, "")
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", path, r.StatusCode)
		}
		path = ""
		for line := range strings.SplitSeq(body, ",\n") {
			target, rel, _ := strings.Cut(strings.TrimPrefix(line, "<http://server.example"), ">")
			switch {
			case strings.Contains(rel, `rel="timemap"`):
				path = target
			case strings.Contains(rel, "memento\""):
				seen[target] = true
				first += strings.Count(rel, "first")
				last += strings.Count(rel, "last")
			}
		}
	}
	if len(seen) != n || parts != 2 || first != 1 || last != 1 {
		t.Errorf("%d parts list %d captures, %d first, %d last", parts, len(seen), first, last)
	}
}
