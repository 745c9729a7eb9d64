package main

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// manyCaptures is more than two pages of one block.
const manyCaptures = 6004

// manyLines starts a server with many captures and returns their lines. Each page has three, two of them in one
// second.
func manyLines(t *testing.T) (*server, []string) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	var records strings.Builder
	for i := range manyCaptures {
		page := fmt.Sprintf("http://big.example/%05d", i/3)
		stamp := fmt.Sprintf("2024-05-14T14:39:%02dZ", (i%3+1)/2)
		records.WriteString(warcRecord(i, "response", page, stamp, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"+
			fmt.Sprint(i)))
	}
	if err := os.WriteFile(filepath.Join(dir, "many.warc"), []byte(records.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ingest(t, out, "--extract=mime", dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	all := linesOf(s.get("/cdx?url=big.example/*", http.StatusOK))
	if len(all) != manyCaptures {
		t.Fatalf("%d lines, want %d", len(all), manyCaptures)
	}
	return s, all
}

func linesOf(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// TestCDX_pages: pages, keys and offsets return all lines in order, each once.
func TestCDX_pages(t *testing.T) {
	s, all := manyLines(t)
	const asked = "/cdx?url=big.example/*"
	if n := s.get(asked+"&showNumPages=true&pageSize=1", http.StatusOK); n != "3\n" {
		t.Errorf("%q pages, want 3", n)
	}
	var got []string
	for page := range 3 {
		got = append(got, linesOf(s.get(fmt.Sprintf("%s&page=%d&pageSize=1", asked, page), http.StatusOK))...)
	}
	if !slices.Equal(got, all) {
		t.Errorf("pages have %d lines, want %d", len(got), len(all))
	}
	s.get(asked+"&page=3&pageSize=1", http.StatusBadRequest)
	if b := s.get("/cdx/search/cdx?url=big.example/*&output=json&page=3&pageSize=1", http.StatusOK); b != "" {
		t.Errorf("behind the last page: %.80q", b)
	}
	for _, limit := range []int{3001, 6003} {
		for i, more := range []string{
			"", "&collapse=urlkey", "&filter=~urlkey:.*[05]",
			"&collapse=timestamp:14&fl=url,timestamp",
		} {
			want := linesOf(s.get(asked+more, http.StatusOK))
			// Clients put the key into a URL as it is, or escaped.
			escape := func(k string) string { return k }
			if i%2 == 0 {
				escape = url.QueryEscape
			}
			if got := resumed(s, asked+more+fmt.Sprint("&limit=", limit), escape); !slices.Equal(got, want) {
				t.Errorf("limit=%d%s: %d lines, want %d", limit, more, len(got), len(want))
			}
		}
	}
	if got := linesOf(s.get(asked+"&offset=6000", http.StatusOK)); !slices.Equal(got, all[6000:]) {
		t.Errorf("offset: %q", got)
	}
	if got := linesOf(s.get(asked+"&offset=5&limit=2", http.StatusOK)); !slices.Equal(got, all[5:7]) {
		t.Errorf("offset and limit: %q", got)
	}
	slices.Reverse(all)
	if got := linesOf(s.get(asked+"&sort=reverse&offset=5", http.StatusOK)); !slices.Equal(got, all[5:]) {
		t.Errorf("reverse: %d lines", len(got))
	}
	wayback := s.get("/cdx/search/cdx?url=big.example/*&output=json&fl=original&limit=1&showResumeKey=true", http.StatusOK)
	if !strings.HasSuffix(wayback, "],\n[],\n[\"example%2Cbig%29%2F00000+20240514143900+1\"]]\n") {
		t.Errorf("the key in an array: %q", wayback)
	}
}

// resumed reads a result by its keys.
func resumed(s *server, asked string, escape func(string) string) (got []string) {
	key := ""
	for range manyCaptures {
		body := s.get(asked+"&showResumeKey=true&resumeKey="+escape(key), http.StatusOK)
		part, rest, more := strings.Cut(body, "\n\n")
		got = append(got, linesOf(part)...)
		if !more {
			return got
		}
		key = strings.TrimSpace(rest)
	}
	return nil
}

// TestCDX_refuses: unsupported parameters are errors.
func TestCDX_refuses(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	for _, query := range []string{
		"collapse=bogus", "collapse=digest&collapse=timestamp:4", "resolveRevisits=true", "showDupeCount=true", "bogus=1",
		"filter=bogus:x", "fastLatest=true", "showNumPages=yes", "page=-1", "page=x", "pageSize=0", "offset=-1",
		"resumeKey=x", "resumeKey=a+b+c", "showResumeKey=true&page=0", "showResumeKey=true&sort=reverse",
		"page=1&sort=closest", "limit=-5&offset=1", "sort=reverse&limit=200000", "url=twice", "FL=url",
	} {
		for _, path := range []string{"/cdx", "/cdx/search/cdx"} {
			s.get(path+"?url=harbour-gazette.example&"+query, http.StatusBadRequest)
		}
	}
	for _, query := range []string{
		"resolveRevisits=false", "gzip=false", "fastLatest=true&limit=-1", "showNumPages=false",
		"sort=closest&closest=2024&page=0",
	} {
		s.get("/cdx/search/cdx?url=harbour-gazette.example&"+query, http.StatusOK)
	}
}

// TestStars: in a request for one URL, a star at its end is part of the URL.
func TestStars(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	pages := []string{
		"http://a.example/x?resize=1200:*", "http://a.example/x?resize=1200:900", "http://a.example/*", "http://a.example/**",
		"http://a.example/b%2A", "http://a.example/b", "http://a.example/c/*?q=*",
	}
	var records []string
	for i, page := range pages {
		records = append(records, warcRecord(i, "response", page, "2024-05-14T14:39:43Z", okHead+page))
	}
	writeWARC(t, filepath.Join(dir, "a.warc.gz"), records...)
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	for _, page := range pages {
		asked := url.QueryEscape(page)
		for _, path := range []string{
			"/cdx?fl=url&matchType=exact&url=", "/cdx/search/cdx?fl=original&matchType=exact&url=",
			"/cdx?fl=url&closest=20240514143943&sort=closest&url=",
		} {
			if got := s.get(path+asked, http.StatusOK); got != page+"\n" {
				t.Errorf("%s%s: %q", path, page, got)
			}
		}
		if got := s.get("/memento/20240514143943/"+page, http.StatusOK); got != page {
			t.Errorf("memento of %s: %q", page, got)
		}
		if got := s.get("/timemap/link/"+page, http.StatusOK); !strings.Contains(got, `/`+page+
			`>; rel="first last memento"`) {
			t.Errorf("TimeMap of %s: %s", page, got)
		}
	}
	if n := len(linesOf(s.get("/cdx?fl=url&url=http://a.example/*", http.StatusOK))); n != len(pages) {
		t.Errorf("%d pages begin so, want %d", n, len(pages))
	}
}

// TestMemento_links: the original is an absolute URI, and a 404 links to the other services.
func TestMemento_links(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	const page = "www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html"
	for _, asked := range []string{page, "https://" + page, url.PathEscape("https://" + page)} {
		if got := s.get("/timemap/link/"+asked, http.StatusOK); !strings.HasPrefix(got, "<https://"+page+
			`>; rel="original"`) {
			t.Errorf("TimeMap of %s: %.200s", asked, got)
		}
	}
	for asked, original := range map[string]string{
		"http://nothing.example/a?b=c": "http://nothing.example/a?b=c", "nothing.example/": "http://nothing.example/",
		"nothing.example:8080/x": "http://nothing.example:8080/x",
	} {
		for _, path := range []string{"/timegate/", "/timemap/link/", "/memento/20240514143943/"} {
			r, err := browser(t).Get(s.base + path + asked)
			read(t, r, err)
			link := r.Header.Get("Link")
			if r.StatusCode != http.StatusNotFound || !strings.HasPrefix(link, "<"+original+`>; rel="original"`) ||
				!strings.Contains(link, "/timegate/"+asked+`>; rel="timegate"`) ||
				!strings.Contains(link, "/timemap/link/"+asked+`>; rel="timemap"`) {
				t.Errorf("%s%s: %d, Link %s", path, asked, r.StatusCode, link)
			}
		}
	}
}

// TestCDX_toolkit: cdx_toolkit, a client for Common Crawl and the Internet Archive, pages through all lines of both
// dialects.
func TestCDX_toolkit(t *testing.T) {
	bin := pythontest.Locked(t, "clients.txt")
	s, _ := manyLines(t)
	script := `
import sys, cdx_toolkit
from cdx_toolkit import myrequests
myrequests.retry_info["127.0.0.1"] = {"next_fetch": 0, "minimum_interval": 0}
for path in "/cdx", "/cdx/search/cdx":
    cdx = cdx_toolkit.CDXFetcher(source=sys.argv[1] + path)
    found = [(c.get("urlkey"), c.get("timestamp"), c.get("digest")) for c in cdx.iter("big.example/*", pageSize=1)]
    print(len(found), len(set(found)), cdx.get_size_estimate("big.example/*", as_pages=True, pageSize=1))
    print(len(list(cdx.iter("big.example/*", limit=10))), len(list(cdx.iter("nothing.example/*"))))
`
	out, err := exec.Command(filepath.Join(bin, "python3"), "-c", script, s.base).CombinedOutput()
	if want := strings.Repeat(fmt.Sprintf("%d %[1]d 3\n10 0\n", manyCaptures), 2); err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// TestWASAPI_client: py-wasapi-client downloads and verifies all archives. Checksums are those of the current files.
func TestWASAPI_client(t *testing.T) {
	bin := pythontest.Locked(t, "clients.txt")
	dir, out, state, to := t.TempDir(), filepath.Join(t.TempDir(), "out"), t.TempDir(), t.TempDir()
	for i, name := range []string{"a.warc.gz", "b.warc.gz"} {
		writeWARC(t, filepath.Join(dir, name),
			warcRecord(1, "response", "http://a.example/", fmt.Sprintf("202%d-05-14T14:39:43Z", i), okHead+revisitPage(name)))
	}
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+state)
	s.ready()
	got, err := exec.Command(filepath.Join(bin, "wasapi-client"), "-b", s.base+"/wasapi/v1/webdata", "-d", to, "-p",
		"1").CombinedOutput()
	if err != nil || !strings.Contains(string(got), "Successful downloads: 2") {
		t.Errorf("%v\n%s", err, got)
	}
	manifest, err := os.ReadFile(filepath.Join(to, "manifest-md5.txt"))
	if err != nil || strings.Count(string(manifest), "\n") != 2 {
		t.Errorf("manifest %q, %v", manifest, err)
	}
	for _, name := range []string{"a.warc.gz", "b.warc.gz"} {
		checksums(t, s, dir, name)
	}
	// Another version of the same size, after a restart of the server.
	data, err := os.ReadFile(filepath.Join(dir, "a.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "a.warc.gz"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "a.warc.gz"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	checksums(t, s, dir, "a.warc.gz")
	if kept, err := os.ReadFile(filepath.Join(state, "checksums.json")); err != nil ||
		!strings.Contains(string(kept), "b.warc.gz") {
		t.Errorf("kept %s, %v", kept, err)
	}
	checkFilters(t, s, out)
}

// checksums compares the server's checksums of a file with the file.
func checksums(t *testing.T, s *server, dir, name string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var page struct {
		Files []struct{ Checksums map[string]string }
	}
	s.json("/wasapi/v1/webdata?filename="+name, &page)
	m, h := md5.Sum(data), sha1.Sum(data)
	if len(page.Files) != 1 || page.Files[0].Checksums["md5"] != hex.EncodeToString(m[:]) ||
		page.Files[0].Checksums["sha1"] != hex.EncodeToString(h[:]) {
		t.Errorf("%s: %+v", name, page)
	}
}

// checkFilters checks that lists match their filters, or are refused. There is a file of 2020 and one of 2021.
func checkFilters(t *testing.T, s *server, out string) {
	t.Helper()
	name := url.QueryEscape(filepath.Base(out))
	for query, want := range map[string]int{
		"": 2, "filetype=warc": 2, "filetype=arc": 0, "filetype=arc&filetype=warc": 2, "filename=a*": 1,
		"crawl-time-after=2030-01-01": 0, "crawl-time-after=2021-01-01": 1, "crawl-time-before=2021-01-01T00:00:00Z": 1,
		"crawl-time-after=2020-05-14&crawl-time-before=2020-05-15": 1, "crawl-time-before=2020-05-14": 0,
		"crawl-time-after=2020-05-14T14:39:43Z": 2, "crawl-time-after=2021-05-14T14:39:44Z": 0,
		"crawl-time-before=2020-05-14T14:39:43Z": 0, "collection=" + name: 2, "page_size=1": 2,
	} {
		var page struct{ Count int }
		if s.json("/wasapi/v1/webdata?"+query, &page); page.Count != want {
			t.Errorf("%s: %d files, want %d", query, page.Count, want)
		}
	}
	for _, query := range []string{
		"crawl=1", "crawl-start-after=2020-01-01", "crawl-start-before=2020-01-01", "crawl-time-after=soon", "bogus=1",
		"filename=[", "filename=a&filename=b", "page=0", "page_size=0",
	} {
		s.get("/wasapi/v1/webdata?"+query, http.StatusBadRequest)
	}
}
