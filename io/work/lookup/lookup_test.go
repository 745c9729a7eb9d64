package lookup

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// shelf is an archive that is being made, with the lines of its index.
type shelf struct {
	dir, name string
	file      *os.File
	plain     bool // not compressed
	at        int64
	lines     []byte
	clock     time.Time
}

func newShelf(t testing.TB, name string) *shelf {
	t.Helper()
	s := &shelf{
		dir: t.TempDir(), name: name, plain: !strings.HasSuffix(name, ".gz"),
		clock: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	f, err := os.Create(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	s.file = f
	return s
}

// add adds a response: its head, without the line of the status, and its body.
func (s *shelf) add(t testing.TB, url string, status int, head, body string) {
	t.Helper()
	block := fmt.Sprintf("HTTP/1.1 %d X\r\n%s\r\n%s", status, head, body)
	s.record(t, url, status, "text/plain", "WARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n",
		block)
}

// record adds any record.
func (s *shelf) record(t testing.TB, url string, status int, mime, fields, block string) {
	t.Helper()
	text := fmt.Sprintf("WARC/1.1\r\n%sWARC-Target-URI: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:x:%d>\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n",
		fields, url, s.clock.Format(time.RFC3339), s.at, len(block), block)
	var b bytes.Buffer
	if s.plain {
		b.WriteString(text)
	} else {
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
	}
	l := cdx.Line{
		SURT: "x", Timestamp: s.clock, URL: url, MIME: mime, Status: status, Offset: s.at, Length: int64(b.Len()),
		Filename: s.name,
		Digest:   "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	}
	s.lines = l.AppendTo(s.lines)
	s.clock = s.clock.Add(time.Hour)
	n, err := s.file.Write(b.Bytes())
	s.at += int64(n)
	if err != nil {
		t.Fatal(err)
	}
}

// got is what a URL gives: the body, or the status of the error.
func got(t testing.TB, l *Lookup, url string) string {
	t.Helper()
	r, err := l.Get(t.Context(), url, fileset.Preference{})
	var ended *fileset.StatusError
	if errors.As(err, &ended) {
		return ended.Status
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "broken"
	}
	return fmt.Sprintf("%d %s", r.Status, body)
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t, name)
			s.add(t, "http://www.a.example/page", 200, "Content-Type: text/html\r\n", "old")
			s.add(t, "http://a.example/page", 404, "", "not found")
			s.add(t, "https://a.example/page/", 200, "Content-Length: 3\r\n", "new")
			s.add(t, "https://a.example/moved", 301, "Location: ../page\r\n", "")
			s.add(t, "https://a.example/loop", 302, "Location: /loop2\r\n", "")
			s.add(t, "https://a.example/loop2", 302, "Location: /loop\r\n", "")
			s.add(t, "https://a.example/nowhere", 302, "", "")
			s.add(t, "https://a.example/mail", 302, "Location: mailto:x\r\n", "")
			s.add(t, "https://a.example/out", 302, "Location: https://b.example/\r\n", "")
			s.add(t, "https://a.example/chunked", 200, "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
			s.add(t, "https://a.example/joined", 200, "Transfer-Encoding: chunked\r\n", "abcde")
			s.add(t, "https://a.example/short", 200, "Content-Length: 9\r\n", "abc")
			s.add(t, "https://a.example/decoded", 200, "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "abc")
			s.add(t, "https://a.example/large", 200, "", strings.Repeat("0123456789", 200_000))
			s.record(t, "https://a.example/resource", 200, "text/plain", "WARC-Type: resource\r\nContent-Type: text/plain\r\n",
				"resource")
			s.record(t, "ftp://a.example/f", 0, "text/plain", "WARC-Type: resource\r\nContent-Type: text/plain\r\n", "by ftp")
			s.record(t, "https://a.example/again", 200, cdx.MIMERevisit,
				"WARC-Type: revisit\r\nWARC-Refers-To-Target-URI: https://a.example/joined\r\n"+
					"WARC-Refers-To-Date: 2024-01-01T10:00:00Z\r\nContent-Type: application/http\r\n", "HTTP/1.1 200 OK\r\n\r\n")
			s.record(t, "https://a.example/lost", 200, cdx.MIMERevisit,
				"WARC-Type: revisit\r\nWARC-Refers-To-Target-URI: https://c.example/\r\n", "")
			s.record(t, "https://a.example/cut", 200, "", "WARC-Type: response\r\nWARC-Truncated: length\r\n",
				"HTTP/1.1 200 OK\r\n\r\nx")
			s.record(t, "https://a.example/bare", 0, "text/plain", "WARC-Type: resource\r\n", "bare")
			s.add(t, "https://a.example/bare", 503, "", "later")
			s.record(t, "https://a.example/ache", 0, "text/plain", "WARC-Type: response\r\n"+
				"Content-Type: application/http; msgtype=response\r\n", "Content-Type: text/plain\r\n\r\nache")
			s.add(t, "https://a.example/ache", 404, "", "later")
			s.add(t, "https://a.example/both", 200, "", "both")
			s.record(t, "https://a.example/both", 0, "text/plain", "WARC-Type: resource\r\n", "x")
			for i := range 27 {
				s.add(t, fmt.Sprintf("https://h.example/%d", i), 302, fmt.Sprintf("Location: /%d\r\n", i+1), "")
			}
			l := openLookup(t, s.dir, Options{}, s.lines)
			for url, want := range map[string]string{
				"https://a.example/page":     "200 new", // of several answers the latest, whatever the scheme and the slash
				"http://www.a.example/page":  "200 old", // but that of the very URL first
				"https://a.example/moved":    "200 new",
				"https://a.example/loop":     fileset.StatusRedirectLoop,
				"https://a.example/nowhere":  fileset.StatusBadRedirect,
				"https://a.example/mail":     fileset.StatusBadRedirect,
				"https://a.example/out":      fileset.StatusNoCapture,
				"https://h.example/0":        fileset.StatusRedirects,
				"https://h.example/9":        fileset.StatusNoCapture,
				"https://a.example/chunked":  "200 abcde",
				"https://a.example/joined":   "200 abcde",
				"https://a.example/short":    "broken",
				"https://a.example/decoded":  "200 abc",
				"https://a.example/large":    "200 " + strings.Repeat("0123456789", 200_000),
				"https://a.example/resource": "200 resource",
				"ftp://a.example/f":          "226 by ftp",
				"https://a.example/bare":     "0 bare", // rather than an error
				"https://a.example/ache":     "0 ache",
				"https://a.example/both":     "200 both", // rather than one without a status
				"https://a.example/again":    "200 abcde",
				"https://a.example/lost":     fileset.StatusNoCapture,
				"https://a.example/cut":      fileset.StatusWaybackContent,
				"https://none.example/":      fileset.StatusNoCapture,
			} {
				if have := got(t, l, url); have != want {
					t.Errorf("%s: %.80s, want %.80s", url, have, want)
				}
			}
			r, err := l.Get(t.Context(), "https://a.example/again", fileset.Preference{})
			if err != nil || r.CDX.MIME != cdx.MIMERevisit || r.RevisitCDX.URL != "https://a.example/joined" ||
				r.DT != "20240101160000" {
				t.Errorf("a revisit: %+v %+v, error %v", r.CDX, r.RevisitCDX, err)
			}
		})
	}
}

// TestLookup_linesAreNotTrusted: they may lead anywhere, and to other records.
// TestLookup_fewOpen: several goroutines read more archives than may be open. None is closed under a reader.
func TestLookup_fewOpen(t *testing.T) {
	dir := t.TempDir()
	const archives = 4
	for i := range archives {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".warc")), []byte("WARC/1.1\r\n\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := New(blob.New(blob.Options{}), noIndex{}, Options{Bases: []string{dir}, MaxOpen: 1})
	defer func() { _ = l.Close() }() // only read
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for i := range 2000 {
				f, done, err := l.archive(t.Context(), 0, fmt.Sprint((g+i)%archives, ".warc"))
				if err == nil {
					_, err = f.file.ReadAt(make([]byte, 4), 0)
					done()
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	for name, f := range l.open {
		if f.users != 0 {
			t.Errorf("%s has %d users", name, f.users)
		}
	}
}

// noIndex has no lines.
type noIndex struct{ Index }

func (noIndex) Close() error { return nil }

func TestLookup_linesAreNotTrusted(t *testing.T) {
	s := newShelf(t, "a.warc.gz")
	s.add(t, "https://a.example/", 200, "", "a")
	line := func(l cdx.Line) []byte { l.Status = 200; return l.AppendTo(nil) }
	lines := bytes.Join([][]byte{
		line(cdx.Line{SURT: "x", URL: "https://b.example/", Filename: "a.warc.gz"}),
		line(cdx.Line{SURT: "x", URL: "https://c.example/", Filename: "../../etc/passwd"}),
		line(cdx.Line{SURT: "x", URL: "https://d.example/", Filename: "/etc/passwd"}),
		line(cdx.Line{SURT: "x", URL: "https://e.example/", Filename: "none.warc.gz"}),
		line(cdx.Line{SURT: "x", URL: "https://f.example/", Filename: "a.warc.gz", Offset: 3}),
		line(cdx.Line{SURT: "x", URL: "https://g.example/", Filename: "a.warc.gz", Offset: 1 << 40}),
		line(cdx.Line{SURT: "x", URL: "https://h.example/", Filename: "http://127.0.0.1:1/a.warc.gz"}),
		line(cdx.Line{SURT: "x", URL: "https://i.example/", Filename: "CRAWL-1/part/a.warc.gz"}), // as the plain name
	}, nil)
	l := openLookup(t, s.dir, Options{}, lines)
	for url, want := range map[string]string{
		"https://b.example/": fileset.StatusWaybackContent, "https://c.example/": fileset.StatusPetabox,
		"https://d.example/": fileset.StatusPetabox,
		"https://e.example/": fileset.StatusPetabox, "https://f.example/": fileset.StatusWaybackContent,
		"https://g.example/": fileset.StatusWaybackContent, "https://h.example/": fileset.StatusPetabox,
		"https://i.example/": fileset.StatusWaybackContent,
	} {
		if have := got(t, l, url); have != want {
			t.Errorf("%s: %s, want %s", url, have, want)
		}
	}
}

// TestFind compares with a walk over all lines, over keys of many lengths.
func TestFind(t *testing.T) {
	var lines []byte
	want := map[string]int{}
	for i := range 3000 {
		url := fmt.Sprintf("https://e%d.example/%s", i%700, strings.Repeat("x", i*i%5000))
		lines = cdx.Line{SURT: "x", URL: url, Filename: "f", Timestamp: time.Unix(int64(i), 0).UTC()}.AppendTo(lines)
		want[url]++
	}
	l := openLookup(t, t.TempDir(), Options{}, lines)
	for url, n := range want {
		found, err := l.index.Find(t.Context(), url, 100)
		if err != nil || len(found) != n {
			t.Fatalf("%.60s: %d lines, want %d, error %v", url, len(found), n, err)
		}
		for _, f := range found {
			if f.URL != url {
				t.Errorf("%.60s: found %.60s", url, f.URL)
			}
		}
	}
	for _, url := range []string{"https://a.example/", "https://e1.example/y", "https://zzz.example/", ""} {
		if found, err := l.index.Find(t.Context(), url, 100); err != nil || len(found) > 0 {
			t.Errorf("%s: %d lines, error %v", url, len(found), err)
		}
	}
}

func TestServer(t *testing.T) {
	s := newShelf(t, "a.warc.gz")
	s.add(t, "https://a.example/", 200, "", "a")
	down := false
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case down:
			http.Error(w, "down", http.StatusInternalServerError)
		case r.URL.Query().Get("url") == "https://a.example/":
			_, _ = w.Write(s.lines)
		}
	}))
	defer h.Close()
	store := blob.New(blob.Options{})
	defer func() { _ = store.Close() }()
	firstPause = time.Millisecond
	l := New(store, OpenServer(h.URL+"/cdx"), Options{Bases: []string{s.dir}})
	defer func() { _ = l.Close() }()
	for url, want := range map[string]string{
		"https://a.example/": "200 a",
		"https://b.example/": fileset.StatusNoCapture,
	} {
		if have := got(t, l, url); have != want {
			t.Errorf("%s: %s, want %s", url, have, want)
		}
	}
	down = true
	if have := got(t, l, "https://a.example/"); have != fileset.StatusCDXError {
		t.Errorf("a server that is down: %s", have)
	}
}

// TestLookup_memoryDoesNotGrow with a file: 256 MiB, or 10 GiB with GLEANER_SLOW=1, of a sparse archive.
func TestLookup_memoryDoesNotGrow(t *testing.T) {
	size := int64(256 << 20)
	if os.Getenv("GLEANER_SLOW") != "" {
		size = 10 << 30
	}
	s := newShelf(t, "a.warc")
	head := "HTTP/1.1 200 OK\r\n\r\n"
	text := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: "+
		"https://a.example/f\r\n"+
		"WARC-Record-ID: <urn:x:1>\r\nContent-Length: %d\r\n\r\n%s", size+int64(len(head)), head)
	if _, err := s.file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := s.file.Truncate(int64(len(text)) + size + 4); err != nil {
		t.Fatal(err)
	}
	s.lines = cdx.Line{SURT: "x", URL: "https://a.example/f", Status: 200, Filename: s.name}.AppendTo(nil)
	l := openLookup(t, s.dir, Options{}, s.lines)
	r, err := l.Get(t.Context(), "https://a.example/f", fileset.Preference{Purpose: fileset.File})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	runtime.GC()
	h, buf := md5.New(), make([]byte, 64<<10)
	var n, most int64
	before := heap()
	for i := 0; ; i++ {
		k, err := r.Body.Read(buf)
		h.Write(buf[:k])
		n += int64(k)
		if i%1000 == 0 {
			most = max(most, heap())
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bytes, md5 %s, heap %d to %d", n, hex.EncodeToString(h.Sum(nil)), before, most)
	if n != size || most > before+16<<20 {
		t.Errorf("%d bytes, want %d; a heap of %d bytes", n, size, most)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte("WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: " +
		"https://a.example/\r\nWARC-Record-ID: <urn:x:1>\r\nContent-Length: 25\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabcdef\r\n\r\n"))
	f.Add([]byte("WARC/1.0\nWARC-Type: revisit\nWARC-Target-URI: https://a.example/\nContent-Length: 0\n\n\n\n"))
	f.Add([]byte("https://a.example/ 1.2.3.4 20200101000000 text/html 30\nHTTP/1.0 200 OK\r\n\r\nabc\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		m := memory{bytes.NewReader(in)}
		format, err := archive.Detect("a", m, m.Size())
		if err != nil {
			return
		}
		r, err := (&opened{file: m, format: format}).read(&cdx.Line{URL: "https://a.example/"}, 1<<20, nil)
		if err != nil {
			return
		}
		// A tightly packed body is long when unpacked, but not longer than the record says.
		if n, err := io.Copy(io.Discard, io.LimitReader(r.body, 1<<24)); err == nil && n > 1<<12*int64(len(in)) {
			t.Errorf("%d bytes of %d", n, len(in))
		}
		_ = r.body.Close()
	})
}

// memory is an open file.
type memory struct{ *bytes.Reader }

func (memory) Name() string { return "a" }
func (memory) Close() error { return nil }
