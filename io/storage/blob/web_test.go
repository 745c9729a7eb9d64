package blob_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// newSite serves files by path, and hands each request to seen first.
func newSite(t *testing.T, files map[string]string,
	seen func(w http.ResponseWriter, r *http.Request) (done bool),
) (*blob.Store, string) {
	t.Helper()
	changed := time.Date(2024, 3, 10, 12, 0, 0, 0, time.UTC)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen != nil && seen(w, r) {
			return
		}
		if data, ok := files[r.URL.Path]; ok {
			http.ServeContent(w, r, "", changed, strings.NewReader(data))
		} else {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	store := blob.New(blob.Options{
		PrivateHosts: true, UserAgent: "gleaner-test",
		Patience: blob.Patience{First: time.Millisecond, Last: time.Millisecond, Stall: time.Second},
	})
	t.Cleanup(func() { _ = store.Close() })
	return store, server.URL
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExpand_listsOnTheWeb(t *testing.T) {
	files := map[string]string{
		"/crawl-data/2024-10/1.warc.gz":        "1",
		"/crawl-data/2024-10/2.warc.gz":        "22",
		"/crawl-data/2024-10/other/3.warc.gz":  "333",
		"/crawl-data/2024-10/warc.paths.gz":    zipped(t, "crawl-data/2024-10/1.warc.gz\ncrawl-data/2024-10/2.warc.gz\n"),
		"/crawl-data/2024-10/beside.txt":       "other/3.warc.gz\n/crawl-data/2024-10/1.warc.gz\n",
		"/crawl-data/2024-10/broken.paths.gz":  zipped(t, "crawl-data/2024-10/1.warc.gz\n")[:20],
		"/crawl-data/2024-10/nothing.txt":      "# nothing\n",
		"/crawl-data/2024-10/missing.txt":      "crawl-data/2024-10/4.warc.gz\n",
		"/crawl-data/2024-10/no-such-host.txt": "https://no-such-host.invalid/a\n",
	}
	store, root := newSite(t, files, nil)
	tests := []struct {
		list string
		want []string
		kind error
	}{
		{"warc.paths.gz", []string{"1.warc.gz", "2.warc.gz"}, nil},
		{"beside.txt", []string{"1.warc.gz", "other/3.warc.gz"}, nil},
		{"broken.paths.gz", nil, io.ErrUnexpectedEOF},
		{"nothing.txt", nil, blob.ErrEmpty},
		{"missing.txt", nil, blob.ErrNotFound},
		{"absent.txt", nil, blob.ErrNotFound},
	}
	for _, test := range tests {
		folder := root + "/crawl-data/2024-10/"
		got, err := store.Expand(t.Context(), []string{"@" + folder + test.list}, nil)
		var want []string
		for _, name := range test.want {
			want = append(want, folder+name)
		}
		if diff := cmp.Diff(want, names(got)); diff != "" || !errors.Is(err, test.kind) {
			t.Errorf("%s: %v, want %v (-want +got):\n%s", test.list, err, test.kind, diff)
		}
	}
}

func TestOpen_web(t *testing.T) {
	var asked []string
	files := map[string]string{"/a": strings.Repeat("0123456789", 100)}
	store, root := newSite(t, files, func(_ http.ResponseWriter, r *http.Request) bool {
		asked = append(asked, r.Method+" "+r.Header.Get("Range")+" "+r.UserAgent())
		return false
	})
	o, err := store.Open(t.Context(), root+"/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	p := make([]byte, 5)
	if _, err := o.ReadAt(p, 13); err != nil || string(p) != "34567" || o.Size() != 1000 {
		t.Errorf("%v, %q of %d", err, p, o.Size())
	}
	if diff := cmp.Diff([]string{"HEAD  gleaner-test", "GET bytes=13-999 gleaner-test"}, asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	files["/a"] = strings.Repeat("0123456789", 101)
	if _, err := o.ReadAt(p, 0); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("of a file that grew: %v", err)
	}
}

func TestOpen_webAnswers(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"/no-ranges": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "0123456789") },
		"/no-length": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "0")
			_ = http.NewResponseController(w).Flush()
		},
		"/other-range": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "10")
			if r.Method == http.MethodGet {
				w.Header().Set("Content-Range", "bytes 0-9/10")
				w.WriteHeader(http.StatusPartialContent)
			}
		},
		"/forbidden": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) },
		"/loop":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) },
	}
	store, root := newSite(t, nil, func(w http.ResponseWriter, r *http.Request) bool {
		answers[r.URL.Path](w, r)
		return true
	})
	for path, kind := range map[string]error{
		"/no-ranges": nil, "/no-length": errors.ErrUnsupported, "/other-range": errors.ErrUnsupported,
		"/forbidden": blob.ErrPermission,
		"/loop":      errAny,
	} {
		o, err := store.Open(t.Context(), root+path)
		if err == nil {
			_, err = o.ReadAt(make([]byte, 3), 5)
			_ = o.Close()
		}
		if (err == nil) != (kind == nil) || kind != nil && kind != errAny && !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %v", path, err, kind)
		}
	}
}

// TestOpen_webHeads: a file is read however the server answers HEAD, if it answers GET.
func TestOpen_webHeads(t *testing.T) {
	const data = "0123456789"
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	length := func(n, etag string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", n)
			w.Header().Set("ETag", etag)
		}
	}
	heads := map[string]http.HandlerFunc{
		"400": status(400), "401": status(401), "403": status(403), "404": status(404), "405": status(405),
		"410": status(410),
		"500": status(500), "501": status(501), "204": status(204), "206": status(206),
		"no length": func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() },
		"length 0":  length("0", `"x"`), "no validator": length("10", ""), "a weak tag": length("10", `W/"a"`),
		"a page for people": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) },
	}
	gets := map[string]func(w http.ResponseWriter, r *http.Request){
		"ranges": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(data))
		},
		"no ranges": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, data) },
	}
	for head, headOf := range heads {
		for get, getOf := range gets {
			store, root := newSite(t, nil, func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodHead && r.URL.Path == "/login" {
					w.WriteHeader(http.StatusForbidden)
				} else if r.Method == http.MethodHead {
					headOf(w, r)
				} else {
					getOf(w, r)
				}
				return true
			})
			o, err := store.Open(t.Context(), root+"/a?X-Amz-Signature=abc")
			if err != nil {
				t.Errorf("HEAD %s, GET with %s: %v", head, get, err)
				continue
			}
			b, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
			if string(b) != data || err != nil {
				t.Errorf("HEAD %s, GET with %s: %q, %v", head, get, b, err)
			}
			_ = o.Close()
		}
	}
}

// TestOpen_webHeadsAndGets: what GET refuses as well is refused, and an empty file is one.
func TestOpen_webHeadsAndGets(t *testing.T) {
	rangeOf := func(code int, given string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", given)
			w.WriteHeader(code)
		}
	}
	for path, tt := range map[string]struct {
		get  http.HandlerFunc
		kind error
	}{
		"/empty":      {rangeOf(416, "bytes */0"), nil},
		"/not-empty":  {rangeOf(416, "bytes */7"), errAny},
		"/any-length": {rangeOf(206, "bytes 0-0/*"), errors.ErrUnsupported},
		"/no-range":   {rangeOf(206, ""), errors.ErrUnsupported},
		"/gone":       {rangeOf(404, ""), blob.ErrNotFound},
		"/forbidden":  {rangeOf(403, ""), blob.ErrPermission},
	} {
		store, root := newSite(t, nil, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
			} else {
				tt.get(w, r)
			}
			return true
		})
		o, err := store.Open(t.Context(), root+path)
		if (err == nil) != (tt.kind == nil) || tt.kind != nil && tt.kind != errAny && !errors.Is(err, tt.kind) {
			t.Errorf("%s: %v, want %v", path, err, tt.kind)
		}
		if err == nil {
			_ = o.Close()
		}
	}
}

var errAny = errors.New("any error")

func TestOpen_webWaitsAsLongAsTheServerAsks(t *testing.T) {
	refused := 0
	store, root := newSite(t, map[string]string{"/a": "a"}, func(w http.ResponseWriter, _ *http.Request) bool {
		if refused > 0 {
			return false
		}
		refused++
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	begin := time.Now()
	o, err := store.Open(t.Context(), root+"/a")
	if err != nil || time.Since(begin) < time.Second {
		t.Fatalf("%v behind %v", err, time.Since(begin))
	}
	_ = o.Close()
}

func TestStore_At(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.warc", []byte("a.warc"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, kind := range blobtest.Kinds {
		t.Run(kind, func(t *testing.T) {
			store, root := start(t, kind, nil, map[string][]byte{"a": []byte("a")})
			files, err := store.Expand(t.Context(), []string{root + "a", "a.warc"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				for stamp, kind := range map[string]error{f.Stamp: nil, "other": blob.ErrChanged} {
					o, err := store.At(map[string]string{f.Name: stamp}).Open(context.Background(), f.Name)
					if !errors.Is(err, kind) {
						t.Errorf("Open(%q) at %q: %v, want %v", f.Name, stamp, err, kind)
					}
					if err == nil {
						_ = o.Close()
					}
				}
			}
		})
	}
}
