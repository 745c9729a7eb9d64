package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// warcRecord returns a record with id n. fields have no line ends.
func warcRecord(n int, kind, url, date, block string, fields ...string) string {
	head := []string{
		"WARC/1.1", "WARC-Type: " + kind, "WARC-Target-URI: " + url, "WARC-Date: " + date,
		fmt.Sprintf("WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>", n),
		"Content-Type: application/http; msgtype=response", fmt.Sprintf("Content-Length: %d", len(block)),
	}
	return strings.Join(append(head, fields...), "\r\n") + "\r\n\r\n" + block + "\r\n\r\n"
}

// recordID returns the id of a record as in a field.
func recordID(n int) string { return fmt.Sprintf("<urn:uuid:00000000-0000-0000-0000-%012d>", n) }

// revisitPage returns a page in French with a title.
func revisitPage(title string) string {
	return "<html lang=fr><head><title>" + title + "</title></head><body><article><h1>" + title + "</h1><p>Le conseil " +
		"du port s'est réuni mardi et a décidé de réparer la vieille digue avant l'hiver, a dit le président.</p>" +
		"</article></body></html>"
}

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX-Seen: original\r\n\r\n"

func sha1Of(encode func([]byte) string, body string) string {
	sum := sha1.Sum([]byte(body))
	return "sha1:" + encode(sum[:])
}

// writeWARC writes records into a file, each as a gzip member.
func writeWARC(t testing.TB, path string, records ...string) {
	t.Helper()
	var out bytes.Buffer
	for _, r := range records {
		z := gzip.NewWriter(&out)
		_, err := z.Write([]byte(r))
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	identical  = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	unmodified = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// revisitShelf writes two archives, originals and revisits. It maps each revisit's URL to the title of its original,
// or to "" if there is none.
func revisitShelf(t testing.TB, dir string) map[string]string {
	t.Helper()
	b32, hexa := base32.StdEncoding.EncodeToString, hex.EncodeToString
	digest := func(s string) string { return "WARC-Payload-Digest: " + s }
	one, two, three, four := revisitPage("Un"), revisitPage("Deux"), revisitPage("Trois"), revisitPage("Quatre")
	sum := sha256.Sum256([]byte(three))
	broken := warcRecord(9, "response", "http://a.example/broken", "2014-01-01T00:00:00Z", okHead+revisitPage("Cassé"))
	broken = strings.Replace(broken, "Content-Length: ", "Content-Length: 9", 1) // it ends before that
	writeWARC(t, filepath.Join(dir, "1.warc.gz"),
		warcRecord(1, "response", "http://a.example/one", "2014-01-01T00:00:00Z", okHead+one, digest(sha1Of(b32, one))),
		// Captures of the same second: the twin redirects.
		warcRecord(2, "response", "http://www.b.example/two", "2014-01-01T00:00:00Z",
			"HTTP/1.1 301 Moved\r\nLocation: https://b.example/two\r\n\r\n", digest(sha1Of(b32, ""))),
		warcRecord(3, "response", "https://b.example/two", "2014-01-01T00:00:00.25Z", okHead+two, digest(sha1Of(b32, two))),
		warcRecord(4, "response", "http://c.example/three", "2014-01-01T00:00:00Z", okHead+three,
			digest("sha256:"+hexa(sum[:]))),
		warcRecord(5, "response", "http://d.example/four", "2014-01-01T00:00:00Z", okHead+four),
		warcRecord(6, "response", "http://d.example/four", "2014-05-01T00:00:00Z", okHead+revisitPage("Plus tard")),
	)
	at := func(n int) string { return fmt.Sprintf("2014-02-01T00:00:%02dZ", n) }
	writeWARC(t, filepath.Join(dir, "2.warc.gz"),
		warcRecord(11, "revisit", "http://r.example/by-id", at(11), "", identical, "WARC-Refers-To: "+recordID(1)),
		warcRecord(12, "revisit", "http://r.example/by-url-and-date", at(12), "", identical, digest(sha1Of(hexa, two)),
			"WARC-Refers-To-Target-URI: https://b.example/two", "WARC-Refers-To-Date: 2014-01-01T00:00:00Z"),
		warcRecord(13, "revisit", "http://a.example/one", at(13), "HTTP/1.1 200 OK\r\nX-Seen: again\r\n\r\n", identical,
			digest("SHA-1:"+strings.ToUpper(strings.TrimPrefix(sha1Of(hexa, one), "sha1:")))),
		warcRecord(14, "revisit", "http://r.example/by-digest", at(14), "", identical, digest("sha256:"+b32(sum[:]))),
		warcRecord(15, "revisit", "http://d.example/four", at(15),
			"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nX-Seen: again\r\n\r\n", unmodified),
		warcRecord(16, "revisit", "http://r.example/of-a-revisit", at(16), "", identical, "WARC-Refers-To: "+recordID(11)),
		warcRecord(17, "revisit", "http://r.example/circle", at(17), "", identical, "WARC-Refers-To: "+recordID(18)),
		warcRecord(18, "revisit", "http://r.example/circle-too", at(18), "", identical, "WARC-Refers-To: "+recordID(17)),
		warcRecord(19, "revisit", "http://r.example/missing", at(19), "", identical, digest(sha1Of(b32, "elsewhere")),
			"WARC-Refers-To-Target-URI: http://gone.example/", "WARC-Refers-To-Date: 2013-01-01T00:00:00Z"),
		warcRecord(20, "revisit", "http://r.example/of-broken", at(20), "", identical, "WARC-Refers-To: "+recordID(9)),
		warcRecord(21, "revisit", "http://r.example/itself", at(21), "", identical, "WARC-Refers-To: "+recordID(21)),
		warcRecord(22, "revisit", "http://r.example/empty", at(22), "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", identical,
			digest(sha1Of(b32, ""))),
		// The named capture has another payload, and the one with the digest is elsewhere.
		warcRecord(23, "revisit", "http://r.example/wrong-date", at(23), "", identical, digest(sha1Of(b32, two)),
			"WARC-Refers-To-Target-URI: http://a.example/one", "WARC-Refers-To-Date: 2014-01-01T00:00:00Z"),
		broken,
	)
	return map[string]string{
		"http://r.example/by-id": "Un", "http://r.example/by-url-and-date": "Deux", "http://a.example/one": "Un",
		"http://r.example/by-digest": "Trois", "http://d.example/four": "Quatre", "http://r.example/of-a-revisit": "Un",
		"http://r.example/circle": "", "http://r.example/circle-too": "", "http://r.example/missing": "",
		"http://r.example/itself": "", "http://r.example/empty": "", "http://r.example/wrong-date": "Deux",
	}
}

// digits returns the digits of a time.
func digits(timestamp string) string {
	return strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(timestamp)
}

// revisitRow is the row of a capture in a result.
type revisitRow struct {
	URL, Title, Language, Timestamp string
	MIME                            string `json:"mime_detected"`
}

func revisitRows(t *testing.T, args ...string) map[string]revisitRow {
	t.Helper()
	out, stderr, code := run(t, true, "", append([]string{
		"query", "--all_versions", "--format=jsonl", "--limit=0", "--fields=url,title,language,mime_detected,timestamp",
	}, args...)...)
	if code != 0 {
		t.Fatalf("query %q: exit code %d\n%s", args, code, stderr)
	}
	rows := map[string]revisitRow{}
	for line := range strings.Lines(out) {
		var r revisitRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows[r.URL] = r
	}
	return rows
}

// TestMemento_revisits: a memento of a revisit has the payload of its original, for any kind of reference. Otherwise
// it is an error that names the missing part, and never an empty page.
func TestMemento_revisits(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	titles := revisitShelf(t, dir)
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	for url, r := range revisitRows(t, "--collection="+out, "--where=record_type = revisit") {
		stamp := digits(r.Timestamp)
		code, body := s.send(http.MethodGet, "/memento/"+stamp+"/"+url, "")
		title, listed := titles[url]
		switch {
		case url == "http://r.example/empty":
			if code != http.StatusOK || body != "" {
				t.Errorf("%s: %d with %d bytes, want an empty page", url, code, len(body))
			}
		case title != "":
			if code != http.StatusOK || body != revisitPage(title) {
				t.Errorf("%s: %d %.100q, want the page %s", url, code, body, title)
			}
		case code != http.StatusNotFound || !strings.Contains(body, "original of this revisit"):
			t.Errorf("%s: %d %.200q, want an error that names the original", url, code, body)
		case listed && url == "http://r.example/missing" && !strings.Contains(body, "gone.example"):
			t.Errorf("%s: %.200q does not say what is missing", url, body)
		}
	}
	// The text is that of the original, too, by the API.
	for u, r := range revisitRows(t, "--collection="+out, "--where=record_type = revisit") {
		asked := url.Values{"url": {u}, "place": {digits(r.Timestamp)}}
		code, body := s.send(http.MethodGet, "/api/v1/text?"+asked.Encode(), "")
		title := titles[u]
		switch {
		case u == "http://r.example/empty", u == "http://r.example/of-broken": // a part of it is read
		case title != "" && (code != http.StatusOK || !strings.Contains(body, "réparer la vieille digue")):
			t.Errorf("text of %s: %d %.100q, want that of the page %s", u, code, body, title)
		case title == "" && (code != http.StatusNotFound || !strings.Contains(body, "revisit")):
			t.Errorf("text of %s: %d %.200q, want an error", u, code, body)
		}
	}
	// It is replayed under its own address.
	if code, body := s.send(http.MethodGet, "/replay/20140201000011/http://r.example/by-id", ""); code != http.StatusOK ||
		!strings.Contains(body, "_/http://r.example/by-id") || strings.Contains(body, "_/http://a.example/one") {
		t.Errorf("replay of a revisit: %d\n%s", code, body)
	}
	// A revisit has its own date and HTTP head. A 304 inherits the missing fields.
	for path, want := range map[string][3]string{
		"20140201000013/http://a.example/one":  {"Sat, 01 Feb 2014 00:00:13 GMT", "again", ""},
		"20140201000015/http://d.example/four": {"Sat, 01 Feb 2014 00:00:15 GMT", "again", `"x"`},
		"20140201000011/http://r.example/by-id": {
			"Sat, 01 Feb 2014 00:00:11 GMT", "original", "",
		},
	} {
		r, err := http.Get(s.base + "/memento/" + path)
		read(t, r, err)
		if got := [3]string{
			r.Header.Get("Memento-Datetime"), r.Header.Get("X-Archive-Orig-X-Seen"), r.Header.Get("X-Archive-Orig-ETag"),
		}; got != want || r.Header.Get("X-Archive-Orig-Status") != "200" {
			t.Errorf("%s: %q of %s, want %q", path, got, r.Header.Get("X-Archive-Orig-Status"), want)
		}
	}
}

// TestRevisits_oneAnswer: revisits have the titles, types and languages of their originals. These are the same by the
// index, by shards of both formats, by the table, and in SQL.
func TestRevisits_oneAnswer(t *testing.T) {
	dir := t.TempDir()
	titles := revisitShelf(t, dir)
	for _, format := range []string{"parquet", "jsonl", "jsonl,parquet"} {
		out := filepath.Join(t.TempDir(), "out")
		// The revisits come first, and a later run adds their originals.
		ingest(t, out, "--format="+format, filepath.Join(dir, "2.warc.gz"))
		before := revisitRows(t, "--collection="+out, "--where=record_type = revisit")
		if r := before["http://r.example/by-id"]; r.Title != "" {
			t.Errorf("%s: a title without an original: %+v", format, r)
		}
		ingest(t, out, "--format="+format, dir)
		checkRevisits(t, format, out, titles)
	}
	// In the table, an original is in another file than its revisits, and its bounds exclude that file.
	out := filepath.Join(t.TempDir(), "out")
	ingest(t, out, "--format=parquet", filepath.Join(dir, "1.warc.gz"))
	ingest(t, out, "--format=parquet", "--add", filepath.Join(dir, "2.warc.gz"))
	if list, _ := filepath.Glob(filepath.Join(out, "*.parquet")); len(list) != 2 {
		t.Fatalf("the files are %q, want one for each archive", list)
	}
	if _, err := lake.Sync(t.Context(), folder.Open(t.Context(), out, nil), lake.Options{}); err != nil {
		t.Fatal(err)
	}
	checkRevisits(t, "table", out, titles, "--snapshot=newest")
}

func checkRevisits(t *testing.T, name, out string, titles map[string]string, by ...string) {
	t.Helper()
	const revisits = "record_type = revisit"
	for _, more := range [][]string{by, append([]string{"--no_index"}, by...)} {
		rows := revisitRows(t, append(more, "--collection="+out, "--where="+revisits)...)
		for url, title := range titles {
			want := revisitRow{URL: url, Title: title, Timestamp: rows[url].Timestamp}
			if title != "" {
				want.Language, want.MIME = "fr", "text/html"
			}
			if rows[url] != want {
				t.Errorf("%s %q: %+v, want %+v", name, more, rows[url], want)
			}
		}
		// As filters, which Parquet readers push down: 7 revisits have a page, and one a damaged one.
		for where, n := range map[string]int{
			revisits + " AND language = fr":                                    8,
			revisits + " AND mime = text/html AND title = Un":                  3,
			revisits + ` AND NOT title:*`:                                      5,
			revisits + ` AND text:"Quatre"`:                                    1,
			revisits + ` AND Deux`:                                             2,
			"timestamp >= 2014-02 AND language = fr AND record_type = revisit": 8,
			"surt = \"example,r)/*\" AND mime = text/html AND " + revisits:     6,
			`timestamp >= 2014-02 AND NOT status = 404 AND title = Un`:         3,
			revisits + ` AND (title = "Trois" OR url = "http://r.example/*")`:  11,
		} {
			if found := revisitRows(t, append(more, "--collection="+out, "--where="+where)...); len(found) != n {
				t.Errorf("%s %q: %s finds %d, want %d", name, more, where, len(found), n)
			}
		}
		sql := "--sql=select count(*) as n from documents where record_type = 'revisit' and language = 'fr'"
		args := append([]string{"query", "--collection=" + out, "--format=csv", sql}, more...)
		got, stderr, code := run(t, true, "", args...)
		if code != 0 || strings.TrimSpace(got) != "n\n8" && strings.TrimSpace(got) != "n\r\n8" {
			t.Errorf("%s %q: SQL counts %q %s", name, more, got, stderr)
		}
	}
}

// TestTwins: of captures with one key and second, the one with the requested URL is returned, or else one with a
// response. This holds for mementos, the TimeGate and both CDX endpoints.
func TestTwins(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	const at = "2016-02-10T10:00:00Z"
	page := func(n int, url, date, status string) string {
		return warcRecord(n, "response", url, date, "HTTP/1.1 "+status+"\r\nContent-Type: text/html\r\n\r\n"+url)
	}
	writeWARC(t, filepath.Join(dir, "a.warc.gz"),
		page(1, "http://a.example/i", at, "301 Moved"), page(2, "https://a.example/i", at, "200 OK"),
		page(3, "https://b.example/i", at, "200 OK"), page(4, "http://b.example/i", at, "301 Moved"),
		page(5, "http://www.c.example/i", at, "301 Moved"), page(6, "http://c.example/i", "2016-02-10T10:00:00.9Z", "200 OK"),
		page(7, "https://www.d.example/i?q=1", at, "404 Not Found"), page(8, "http://www.d.example/i?q=1", at, "200 OK"),
		page(9, "http://d.example/i?q=1", at, "302 Found"),
	)
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	client := browser(t)
	for asked, want := range map[string]string{
		"http://a.example/i": "", "https://a.example/i": "", "http://b.example/i": "", "https://b.example/i": "",
		"http://www.c.example/i": "", "http://c.example/i": "", "https://www.d.example/i?q=1": "",
		"http://www.d.example/i?q=1": "", "http://d.example/i?q=1": "",
		// URLs that were not captured: a capture with a response is returned.
		"http://www.a.example/i": "https://a.example/i", "https://c.example/i": "http://c.example/i",
		"https://d.example/i?q=1": "http://www.d.example/i?q=1", "HTTP://A.example:80/i": "http://a.example/i",
	} {
		want = cmp.Or(want, asked)
		if got := s.get("/memento/20160210100000/"+asked, http.StatusOK); got != want {
			t.Errorf("memento of %s is %q, want %q", asked, got, want)
		}
		r, err := client.Get(s.base + "/timegate/" + asked)
		read(t, r, err)
		if got := r.Header.Get("Location"); !strings.HasSuffix(got, "/memento/20160210100000/"+want) {
			t.Errorf("TimeGate of %s leads to %s, want %s", asked, got, want)
		}
		for _, path := range []string{"/cdx?fl=url", "/cdx/search/cdx?fl=original"} {
			query := "&sort=closest&closest=20160210100000&limit=1&url=" + url.QueryEscape(asked)
			if got := strings.TrimSpace(s.get(path+query, http.StatusOK)); got != want {
				t.Errorf("%s of %s is %s, want %s", path, asked, got, want)
			}
		}
	}
}

// TestChanges: versions are compared as same, same text, or changed, for all forms of digests.
func TestChanges(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	b32, hexa := base32.StdEncoding.EncodeToString, hex.EncodeToString
	var records []string
	n := 0
	add := func(url, head, body, digest string) {
		n++
		fields := []string{}
		if digest != "" {
			fields = append(fields, "WARC-Payload-Digest: "+digest)
		}
		date := fmt.Sprintf("2014-01-%02dT00:00:00Z", n)
		records = append(records, warcRecord(n, "response", url, date, head+"\r\n"+body, fields...))
	}
	html, picture := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n"
	one, gif := revisitPage("Un"), "GIF89a\x01\x00\x01\x00\x00\x00\x00;"
	zipped := func(body string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(body))
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	sum := func(body string) string { s := sha256.Sum256([]byte(body)); return "sha256:" + hexa(s[:]) }
	add("http://a.example/page", html, one, sha1Of(b32, one))
	add("http://a.example/page", html, one, "SHA-1:"+strings.ToUpper(strings.TrimPrefix(sha1Of(hexa, one), "sha1:")))
	add("http://a.example/page", html, one, sum(one))
	add("http://a.example/page", html+"Content-Encoding: gzip\r\n", zipped(one), sha1Of(b32, zipped(one)))
	nonce := strings.Replace(one, "<head>", "<head><meta name=nonce content=17>", 1)
	add("http://a.example/page", html, nonce, sha1Of(b32, nonce))
	add("http://a.example/page", html, revisitPage("Deux"), "")
	add("http://a.example/dot.gif", picture, gif, sha1Of(b32, gif))
	add("http://a.example/dot.gif", picture, gif, sum(gif))
	add("http://a.example/dot.gif", picture+"Content-Encoding: gzip\r\n", zipped(gif), sum(zipped(gif)))
	add("http://a.example/dot.gif", picture, strings.Replace(gif, "\x01", "\x02", 1), "")
	writeWARC(t, filepath.Join(dir, "a.warc.gz"), records...)
	for _, format := range []string{"parquet", "jsonl"} {
		ingest(t, out, "--format="+format, dir)
		s := start(t, "--collection="+out, "--state="+t.TempDir())
		s.ready()
		for page, want := range map[string]string{
			"page":    "first, same, same, same, same text, changed",
			"dot.gif": "first, same, same, changed",
		} {
			var found struct{ Versions []struct{ Change string } }
			s.json("/api/v1/resources?url=http://a.example/"+page, &found)
			var got []string
			for _, v := range found.Versions {
				got = append(got, v.Change)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s, %s: %q, want %s", format, page, got, want)
			}
		}
		lines := s.get("/cdx/search/cdx?collapse=digest&fl=timestamp&url=http://a.example/page", http.StatusOK)
		if got := strings.Fields(lines); len(got) != 5 {
			t.Errorf("collapsed by digest: %q, want the second to fall together with the first", got)
		}
		s.kill(syscall.SIGTERM)
		out += "-lines"
	}
}
