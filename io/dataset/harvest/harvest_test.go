package harvest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// still is a clock that goes only when somebody waits.
type still struct{ now time.Time }

func (c *still) Now() time.Time { return c.now }

func (c *still) Sleep(_ context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return nil
}

var start = time.Date(2026, 11, 1, 2, 3, 4, 0, time.UTC)

// web answers with all that a body may come as.
func web(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", "Sun, 01 Nov 2026 02:03:04 GMT")
	switch r.URL.Path {
	case "/chunked":
		_, _ = io.WriteString(w, "one ")
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, "two")
	case "/large":
		_, _ = w.Write(bytes.Repeat([]byte("large "), 1<<17))
	case "/304":
		w.WriteHeader(http.StatusNotModified)
	case "/cut":
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "cut")
	case "/missing":
		http.NotFound(w, r)
	default:
		_, _ = io.WriteString(w, "<html><title>same</title></html>")
	}
}

var paths = []string{"/a", "/chunked", "/large", "/304", "/cut", "/missing", "/same?q=ä"}

// crawl fetches all paths, and writes them.
func crawl(t *testing.T, dir string, o Options) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(web))
	defer s.Close()
	c, err := fetch.New(fetch.Options{
		UserAgent: "gleaner-test", Clock: &still{start}, IgnoreRobots: true,
		Hosts: map[string]string{"example.com": "http://" + s.Listener.Addr().String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // nothing of it is wanted by then
	h, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		x, err := c.Fetch(t.Context(), fetch.Request{URL: "https://example.com" + path})
		if err != nil {
			t.Fatal(err)
		}
		n := Note{Metadata: []schemas.Field{{Name: "via", Value: "https://example.com/\r\nx: y"}}}
		if path == "/304" {
			n.RefersTo = &schemas.Reference{URL: "https://example.com/304", Timestamp: "2026-10-01T00:00:00Z"}
		}
		place, err := h.Write(x, n)
		if err != nil || place.Length == 0 || place.File == "" {
			t.Fatalf("%+v, %v", place, err)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// files are the WARC files of a folder, by name.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != lockName {
			names = append(names, e.Name())
		}
	}
	return names
}

// read returns what our reader makes of a file: a line a capture.
func read(t *testing.T, path string) (lines []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := archive.Detect(path, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	in := archive.Input{Name: path, Size: int64(len(b)), End: int64(len(b))}
	r, err := archive.NewReader(bytes.NewReader(b), in, f, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %03d %d", c.RecordType, c.URL, c.Status, len(c.Body)))
	}
	if n := r.Counts(); n.Rejects > 0 || len(n.ByQuirk) > 0 || n.ByFlag[string(schemas.FlagPayload)]+
		n.ByFlag[string(schemas.FlagBlock)] > 0 {
		t.Errorf("%s: rejects %v, flags %v, quirks %v", path, n.ByReject, n.ByFlag, n.ByQuirk)
	}
	return lines
}

var want = []string{
	"response https://example.com/a 200 32", "response https://example.com/chunked 200 7",
	"response https://example.com/large 200 786432", "revisit https://example.com/304 304 0",
	"response https://example.com/cut 200 3", "response https://example.com/missing 404 19",
	"revisit https://example.com/same?q=ä 200 0",
}

func TestHarvest(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	crawl(t, one, Options{Stamp: start, Revisits: true})
	crawl(t, two, Options{Stamp: start, Revisits: true})
	names := files(t, one)
	if !slices.Equal(names, []string{"gleaner-20261101020304-00000.warc.gz"}) {
		t.Fatalf("files %q", names)
	}
	if got := read(t, filepath.Join(one, names[0])); !slices.Equal(got, want) {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	a, _ := os.ReadFile(filepath.Join(one, names[0]))
	b, _ := os.ReadFile(filepath.Join(two, names[0]))
	if !bytes.Equal(a, b) {
		t.Error("the same crawl by the same clock wrote other bytes")
	}
	// The same crawl again, into the same folder, takes nothing away.
	crawl(t, one, Options{Stamp: start, MaxFileBytes: 2000})
	names = files(t, one)
	var all []string
	for _, name := range names[1:] {
		all = append(all, read(t, filepath.Join(one, name))...)
	}
	if len(names) < 4 || names[1] != "gleaner-20261101020305-00000.warc.gz" || len(all) != len(want) {
		t.Errorf("files %q with %d captures", names, len(all))
	}
}

// TestHarvest_warcio has warcio check every digest and read every record.
func TestHarvest_warcio(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	dir := t.TempDir()
	crawl(t, dir, Options{Stamp: start, Revisits: true})
	path := filepath.Join(dir, files(t, dir)[0])
	if out, err := exec.Command(python, "-m", "warcio.cli", "check", "-v", path).CombinedOutput(); err != nil {
		t.Errorf("warcio check: %v: %s", err, out)
	}
	const script = `
import sys
from warcio.archiveiterator import ArchiveIterator
for r in ArchiveIterator(open(sys.argv[1], "rb"), check_digests="raise"):
    body = r.content_stream().read()
    if r.rec_type in ("response", "revisit"):
        print(r.rec_type, r.rec_headers.get_header("WARC-Target-URI"), r.http_headers.get_statuscode(), len(body))
    elif r.rec_type == "request":
        assert r.http_headers.get_header("User-Agent") == "gleaner-test", r.http_headers
    elif r.rec_type == "metadata":
        assert body == b"via: https://example.com/  x: y\r\n", body
    else:
        assert r.rec_type == "warcinfo"
`
	out, err := exec.Command(python, "-c", script, path).CombinedOutput()
	if got := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || !slices.Equal(got, want) {
		t.Errorf("warcio: %v\n%s", err, out)
	}
}

// A process that was killed leaves a file that may end anywhere. All that was whole stays.
func TestOpen_mendsWhatWasLeft(t *testing.T) {
	dir := t.TempDir()
	crawl(t, dir, Options{Stamp: start})
	name := files(t, dir)[0]
	whole, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	before := -1
	for cut := 0; cut <= len(whole); cut += 97 {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name+openSuffix), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		h, err := Open(dir, Options{Stamp: start})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		got := files(t, dir)
		n := 0
		if len(got) > 0 {
			n = len(read(t, filepath.Join(dir, name)))
		}
		if n < before || len(got) > 1 {
			t.Fatalf("cut at %d: %d captures in %q, %d before", cut, n, got, before)
		}
		before = n
	}
	if before < len(want)-1 {
		t.Errorf("with almost nothing cut %d captures were left", before)
	}
}

func TestOpen_isForOneProcess(t *testing.T) {
	dir := t.TempDir()
	h, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, folder.ErrBusy) {
		t.Errorf("opened twice: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err = Open(dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil || len(files(t, dir)) > 0 {
		t.Errorf("%v; a crawl that fetched nothing left %q", err, files(t, dir))
	}
}
