package cdxserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// page is a capture of a test: its URL, its time, its status and its digest.
type page struct {
	url, time string
	status    int
	digest    string
}

// pages are captures of two hosts, among them a revisit, one without a time and one with odd signs.
var pages = []page{
	{"http://example.org/", "2020-01-01T00:00:00Z", 200, "sha1:A"},
	{"http://example.org/", "2020-06-01T00:00:00Z", 200, "sha1:A"},
	{"http://example.org/", "2021-01-01T00:00:00Z", 404, "sha1:B"},
	{"http://example.org/a?b=c", "2020-02-29T12:00:00Z", 200, "sha1:C"},
	{"http://example.org/a/b.pdf", "2020-03-01T12:00:00.5Z", 200, "sha1:D"},
	{"http://example.org/undated", "", 0, ""},
	{"http://sub.example.org/x y", "2019-12-31T23:59:59Z", 301, "sha1:E"},
	{"http://example.com/", "2022-01-01T00:00:00Z", 200, "sha1:F"},
	{"https://www.mirror.example/", "2022-01-01T00:00:00Z", 200, "sha1:G"},
	{"http://b.mirror.example:8080/", "2022-01-01T00:00:00Z", 200, "sha1:H"},
	{"http://xn--bcher-kva.example/", "2022-01-01T00:00:00Z", 200, "sha1:I"},
}

// served returns a server of the pages: of a collection, and of a cluster of the name index.
func served(t *testing.T) http.Handler {
	t.Helper()
	const archive = "/data/crawl/a.warc.gz"
	var list []*schemas.Document
	for i, p := range pages {
		address, err := url.Parse(p.url)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &schemas.Document{
			URL: p.url, SURT: urlkey.SURT(p.url), Host: address.Host, Timestamp: p.time, Status: p.status, Digest: p.digest,
			MIMEDeclared: "text/html", Filename: archive, Offset: int64(100 * i), Length: 99,
		})
	}
	folder := collectiontest.Make(t, archive, list...)
	s, err := shelf.Open(t.Context(), []string{folder}, nil, shelf.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it is only read
	handler := New(view.New(s, view.Options{}), map[string]*Cluster{"index": clusterOf(t, list)})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(view.WithActor(r.Context(), view.Actor{Role: view.Viewer})))
	})
}

// ask returns the status and the body of an answer.
func ask(h http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// TestServe: each parameter chooses, orders and writes the captures as in pywb or the Wayback Machine.
func TestServe(t *testing.T) {
	h := served(t)
	const fl = "&fl=offset"
	for _, tt := range []struct{ name, query, want string }{
		{"one URL", "url=example.org/" + fl, "0 100 200"},
		{"with a scheme", "url=https://www.example.org" + fl, "0 100 200"},
		{"a prefix by a star", "url=example.org/a*" + fl, "400 300"},
		{"a prefix", "url=example.org/a&matchType=prefix" + fl, "400 300"},
		{"a host", "url=example.org&matchType=host" + fl, "0 100 200 400 300 500"},
		{"a host with a path and a port", "url=http://Example.org:80/x?y&matchType=host" + fl, "0 100 200 400 300 500"},
		{"a host with a query", "url=http://example.org%3Fx&matchType=host" + fl, "0 100 200 400 300 500"},
		{"a host with a fragment", "url=example.org%23x&matchType=host" + fl, "0 100 200 400 300 500"},
		{"a host with a user", "url=http://ann:secret@example.org/&matchType=host" + fl, "0 100 200 400 300 500"},
		{"an IPv6 host", "url=http://[2001:db8::1]:8080/&matchType=host" + fl, ""},
		{"a host without a scheme", "url=//example.org/&matchType=host" + fl, "0 100 200 400 300 500"},
		{"a host with www, by its name without", "url=mirror.example&matchType=host" + fl, "800"},
		{"a host with www, by that name", "url=www.mirror.example&matchType=host" + fl, "800"},
		{"a domain by www", "url=www.mirror.example&matchType=domain" + fl, "800 900"},
		{"a host that was captured by a port", "url=http://b.mirror.example:8080/&matchType=host" + fl, ""},
		{"a host in its own letters", "url=http://Bücher.example/&matchType=host" + fl, "1000"},
		{"a domain in its own letters", "url=bücher.example&matchType=domain" + fl, "1000"},
		{"a domain", "url=example.org&matchType=domain" + fl, "0 100 200 400 300 500 600"},
		{"a domain by a star", "url=*.example.org" + fl, "0 100 200 400 300 500 600"},
		{"nothing", "url=example.net/", ""},
		{"since", "url=example.org/&from=202006" + fl, "100 200"},
		{"until", "url=example.org/&to=202006" + fl, "0 100"},
		{"a span", "url=example.org/&from=2020&to=2020" + fl, "0 100"},
		{"a span backwards", "url=example.org/&from=2021&to=2020" + fl, ""},
		{"a limit", "url=example.org/&limit=2" + fl, "0 100"},
		{"the last", "url=example.org/&limit=-1" + fl, "200"},
		{"an offset", "url=example.org/&offset=1" + fl, "100 200"},
		{"an offset beyond the end", "url=example.org/&offset=9" + fl, ""},
		{"reverse", "url=example.org/&sort=reverse" + fl, "200 100 0"},
		{"reverse with a limit", "url=example.org/&sort=reverse&limit=1" + fl, "200"},
		{"closest", "url=example.org/&sort=closest&closest=20200515" + fl, "100 0 200"},
		{"closest to braces", "url=example.org/&sort=closest&closest=%7Bclosest%7D" + fl, "200 100 0"},
		{"collapsed by digest", "url=example.org/&collapse=digest" + fl, "0 200"},
		{"collapsed by year", "url=example.org/&collapse=timestamp:4" + fl, "0 200"},
		{"contains", "url=*.example.org&filter=url:x" + fl, "0 100 200 400 300 500 600"},
		{"equals", "url=*.example.org&filter==status:404" + fl, "200"},
		{"a pattern", "url=*.example.org&filter=~status:[34].." + fl, "200 600"},
		{"a pattern is of the whole value", "url=*.example.org&filter=~status:4" + fl, ""},
		{"an alternation is of the whole value", "url=*.example.org&filter=~status:40|30" + fl, ""},
		{"not", "url=*.example.org&filter=!=status:200" + fl, "200 500 600"},
		{"a value with a colon", "url=*.example.org&filter==digest:sha1:D" + fl, "400"},
		{"two filters", "url=*.example.org&filter==status:200&filter=!url:pdf" + fl, "0 100 300"},
		{"by an old name", "url=*.example.org&filter=~original:.*pdf&fl=original", "http://example.org/a/b.pdf"},
		{"a blank stays in its column", "url=sub.example.org/x%20y&fl=url,status", "http://sub.example.org/x%20y 301"},
		{"a missing value is a hyphen", "url=example.org/undated&fl=timestamp,status,offset", "- - 500"},
		{"the folder is left out", "url=example.com/&fl=filename", "a.warc.gz"},
		{"the first page", "url=example.org/&page=0" + fl, "0 100 200"},
		{"switches that are off", "url=example.com/&resolveRevisits=false&allowFuzzy=" + fl, "700"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, query := range []string{tt.query, tt.query + inCluster} {
				code, body := ask(h, "/cdx?"+query)
				got := strings.Join(strings.Split(strings.TrimSuffix(body, "\n"), "\n"), " ")
				if code != 200 || got != tt.want {
					t.Errorf("%s: %d, %s; want %s", query, code, got, tt.want)
				}
			}
		})
	}
}

// TestServe_refused: a request that cannot be answered as meant is refused, and the parameter is named.
func TestServe_refused(t *testing.T) {
	h := served(t)
	for _, tt := range []struct{ query, param string }{
		{"", "url"},
		{"url=", "url"},
		{"url=*.", "url"},
		{"url=*.&from=2020", "url"},
		{"url=http://&matchType=domain", "url"},
		{"url=/&matchType=host", "url"},
		{"url=%2A&matchType=domain&to=2020", "url"},
		{"url=example.org/&matchType=all", "matchType"},
		{"url=example.org/&from=20201301", "from"},
		{"url=example.org/&to=yesterday", "to"},
		{"url=example.org/&limit=many", "limit"},
		{"url=example.org/&limit=-9223372036854775808", "limit"},
		{"url=example.org/&limit=1e3", "limit"},
		{"url=example.org/&offset=-1", "offset"},
		{"url=example.org/&offset=4294967296", "offset"},
		{"url=example.org/&offset=1&limit=-1", "offset"},
		{"url=example.org/&sort=random", "sort"},
		{"url=example.org/&sort=closest&closest=20201301", "closest"},
		{"url=example.org/&sort=closest&limit=-1", "limit"},
		{"url=example.org/&sort=reverse&limit=100001", "limit"},
		{"url=example.org/&filter=status", "filter"},
		{"url=example.org/&filter=nofield:x", "filter"},
		{"url=example.org/&filter=~status:(", "filter"},
		{"url=example.org/&filter=~status:4)|(3", "filter"},
		{"url=example.org/&filter=~status:" + strings.Repeat("a", 1000), "filter"},
		{"url=example.org/" + strings.Repeat("&filter=url:x", 21), "filter"},
		{"url=example.org/&collapse=nofield", "collapse"},
		{"url=example.org/&collapse=timestamp:0", "collapse"},
		{"url=example.org/&collapse=timestamp:x", "collapse"},
		{"url=example.org/&output=xml", "output"},
		{"url=example.org/&fl=offset,,url", "fl"},
		{"url=example.org/&fl=nofield", "fl"},
		{"url=example.org/&page=-1", "page"},
		{"url=example.org/&page=1", "page"},
		{"url=example.org/&page=2147483647&pageSize=700000", "page"},
		{"url=example.org/&page=1&sort=reverse", "page"},
		{"url=example.org/&page=0&showResumeKey=true", "page"},
		{"url=example.org/&pageSize=0", "pageSize"},
		{"url=example.org/&pageSize=2000000000", "pageSize"},
		{"url=example.org/&showResumeKey=yes", "showResumeKey"},
		{"url=example.org/&showResumeKey=true&sort=reverse", "showResumeKey"},
		{"url=example.org/&resumeKey=x", "resumeKey"},
		{"url=example.org/&resumeKey=org,example)/+2020+0", "resumeKey"},
		{"url=example.org/&resolveRevisits=true", "resolveRevisits"},
		{"url=example.org/&nothing=1", "nothing"},
		{"url=example.org/&url=example.com/", "url"},
	} {
		for _, query := range []string{tt.query, tt.query + inCluster} {
			code, body := ask(h, "/cdx?"+query)
			var answer struct {
				Errors []struct{ Location string }
			}
			err := json.Unmarshal([]byte(body), &answer)
			if code != 400 || err != nil || len(answer.Errors) != 1 ||
				!strings.HasSuffix(answer.Errors[0].Location, tt.param) {
				t.Errorf("%.80s: %d, %s, %v; want a refusal of %s", query, code, body, err, tt.param)
			}
		}
	}
	if code, _ := ask(h, "/cdx?url=example.org/&collection=other"); code != 404 {
		t.Errorf("another collection: %d", code)
	}
}

// TestServe_forms: the same captures as text, as lines of JSON, and as the one array of the Wayback Machine.
func TestServe_forms(t *testing.T) {
	h := served(t)
	for _, tt := range []struct{ path, media, want string }{
		{
			"/cdx?url=example.com/", "text/plain; charset=utf-8",
			`com,example)/ 20220101000000 {"url": "http://example.com/", "mime": "text/html", "status": "200", ` +
				`"digest": "sha1:F", "length": "99", "offset": "700", "filename": "a.warc.gz"}` + "\n",
		},
		{
			"/cdx?url=example.com/&output=json&fl=url,status,mime", "application/x-ndjson",
			`{"mime":"text/html","status":"200","url":"http://example.com/"}` + "\n",
		},
		{"/cdx?url=example.org/undated&output=json&fl=timestamp,status", "application/x-ndjson", "{}\n"},
		{
			"/cdx/search/cdx?url=example.com/", "text/plain; charset=utf-8",
			"com,example)/ 20220101000000 http://example.com/ text/html 200 sha1:F 99\n",
		},
		{
			"/cdx/search/cdx?url=example.com/&output=json&fl=original,statuscode", "application/json",
			"[[\"original\",\"statuscode\"],\n[\"http://example.com/\",\"200\"]]\n",
		},
		{"/cdx/search/cdx?url=example.net/&output=json", "application/json", "[]\n"},
		{"/cdx/search/cdx?url=example.net/&page=7", "text/plain; charset=utf-8", ""},
		{"/cdx?url=example.org/&showNumPages=true", "text/plain; charset=utf-8", "1\n"},
		{"/cdx?url=example.net/&showNumPages=true", "text/plain; charset=utf-8", "0\n"},
		{
			"/cdx?url=example.org/&showNumPages=true&output=json&pageSize=2", "application/json",
			`{"blocks": 1, "pages": 1, "pageSize": 2}` + "\n",
		},
	} {
		for _, path := range []string{tt.path, tt.path + inCluster} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != 200 || w.Body.String() != tt.want || w.Header().Get("Content-Type") != tt.media {
				t.Errorf("%s: %d, %s, %q; want %s, %q", path, w.Code, w.Header().Get("Content-Type"), w.Body, tt.media, tt.want)
			}
		}
	}
}

// TestServe_keys: answers with a limit and their keys have each capture once, in any form and with any limit.
func TestServe_keys(t *testing.T) {
	h := served(t)
	for limit := 1; limit <= 8; limit++ {
		for _, form := range []string{"/cdx?", "/cdx/search/cdx?", "/cdx?collection=index&"} {
			var got []string
			key := ""
			for range 20 {
				path := fmt.Sprintf("%surl=*.example.org&fl=offset&limit=%d&showResumeKey=true", form, limit)
				if key != "" {
					path += "&resumeKey=" + key
				}
				code, body := ask(h, path)
				lines, after, more := strings.Cut(strings.TrimSuffix(body, "\n"), "\n\n")
				if code != 200 {
					t.Fatalf("%s: %d, %s", path, code, body)
				}
				got = append(got, strings.Fields(lines)...)
				if key = after; !more {
					break
				}
			}
			if list := strings.Join(got, " "); list != "0 100 200 400 300 500 600" {
				t.Errorf("%s by %d: %s", form, limit, list)
			}
		}
	}
}
