package blob_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// bucketServer imitates Google Cloud Storage on loopback. It speaks as much of the JSON and XML interfaces as the
// client library uses here. It is acceptable only because no real server can run where the tests do. It cannot prove
// that the real one behaves alike.
type bucketServer struct {
	mu         sync.Mutex
	objects    map[string][]byte // of the bucket "b"
	generation int
	ranges     []string // those that were asked for
	failures   int      // how many reads are still to fail with 503
}

func newBucket(tb testing.TB, names ...string) (*bucketServer, *blob.Store) {
	tb.Helper()
	b := &bucketServer{objects: map[string][]byte{}, generation: 7}
	for _, name := range names {
		b.objects[name] = []byte(name)
	}
	server := httptest.NewServer(b)
	tb.Cleanup(server.Close)
	store := blob.New(blob.Options{GoogleEndpoint: server.URL + "/storage/v1/", UserAgent: "gleaner-test"})
	tb.Cleanup(func() {
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	return b, store
}

func (b *bucketServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !strings.Contains(r.UserAgent(), "gleaner-test") {
		http.Error(w, "who are you?", http.StatusTeapot)
		return
	}
	rest, isJSON := strings.CutPrefix(r.URL.Path, "/storage/v1/b/")
	if !isJSON {
		rest = strings.TrimPrefix(r.URL.Path, "/")
	}
	bucket, object, _ := strings.Cut(rest, "/")
	switch {
	case bucket == "secret":
		http.Error(w, `{"error":{"code":403,"message":"no"}}`, http.StatusForbidden)
	case bucket != "b":
		http.Error(w, `{"error":{"code":404,"message":"The specified bucket does not exist."}}`, http.StatusNotFound)
	case isJSON && object == "o":
		b.list(w, r)
	case isJSON:
		b.attrs(w, strings.TrimPrefix(object, "o/"))
	default:
		b.read(w, r, object)
	}
}

func (b *bucketServer) describe(name string) map[string]string {
	return map[string]string{
		"kind": "storage#object", "bucket": "b", "name": name,
		"size": strconv.Itoa(len(b.objects[name])), "generation": strconv.Itoa(b.generation),
	}
}

// list answers two objects at a time, so that the client has to turn pages.
func (b *bucketServer) list(w http.ResponseWriter, r *http.Request) {
	var found []string
	for name := range b.objects {
		if strings.HasPrefix(name, r.FormValue("prefix")) && name > r.FormValue("pageToken") {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	answer := map[string]any{"kind": "storage#objects"}
	if len(found) > 2 {
		found = found[:2]
		answer["nextPageToken"] = found[1]
	}
	var items []map[string]string
	for _, name := range found {
		items = append(items, b.describe(name))
	}
	answer["items"] = items
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the client notices
}

func (b *bucketServer) attrs(w http.ResponseWriter, name string) {
	if _, ok := b.objects[name]; !ok {
		http.Error(w, `{"error":{"code":404,"message":"No such object"}}`, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(b.describe(name)) // the client notices
}

func (b *bucketServer) read(w http.ResponseWriter, r *http.Request, name string) {
	data, ok := b.objects[name]
	var from, to int
	_, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
	switch {
	case !ok || r.FormValue("generation") != strconv.Itoa(b.generation):
		http.Error(w, "no such object", http.StatusNotFound)
		return
	case b.failures > 0:
		b.failures--
		http.Error(w, "later", http.StatusServiceUnavailable)
		return
	case err != nil || r.Header.Get("Accept-Encoding") != "gzip":
		http.Error(w, "only ranges of stored bytes", http.StatusBadRequest)
		return
	}
	b.ranges = append(b.ranges, r.Header.Get("Range"))
	to = min(to, len(data)-1)
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(data)))
	w.Header().Set("Content-Length", strconv.Itoa(to-from+1))
	w.Header().Set("X-Goog-Generation", strconv.Itoa(b.generation))
	w.WriteHeader(http.StatusPartialContent)
	_, _ = w.Write(data[from : to+1]) // a client that jumps hangs up
}

func TestExpand_cloud(t *testing.T) {
	_, store := newBucket(t, "a.warc", "x/", "x/b.warc.gz", "x/y/c.warc", "x/.tmp/d.warc", "x/y/e.arc", "x/y/[1].arc",
		".hid")
	tests := []struct {
		name string
		want []string
	}{
		{"gs://b/a.warc", []string{"gs://b/a.warc"}},
		{"gs://b", []string{
			"gs://b/a.warc", "gs://b/x/b.warc.gz", "gs://b/x/y/[1].arc", "gs://b/x/y/c.warc",
			"gs://b/x/y/e.arc",
		}},
		{"gs://b/x/y/", []string{"gs://b/x/y/[1].arc", "gs://b/x/y/c.warc", "gs://b/x/y/e.arc"}},
		{"gs://b/x/y", []string{"gs://b/x/y/[1].arc", "gs://b/x/y/c.warc", "gs://b/x/y/e.arc"}},
		{"gs://b/*.warc", []string{"gs://b/a.warc"}},
		{"gs://b/**/*.warc", []string{"gs://b/a.warc", "gs://b/x/y/c.warc"}},
		{"gs://b/x/y/{c,e}.*", []string{"gs://b/x/y/c.warc", "gs://b/x/y/e.arc"}},
		{"gs://b/x/y/[1].arc", []string{"gs://b/x/y/[1].arc"}},
		{"gs://b/x/.tmp/*", []string{"gs://b/x/.tmp/d.warc"}},
	}
	for _, test := range tests {
		got, err := store.Expand(t.Context(), []string{test.name}, nil)
		if diff := cmp.Diff(test.want, names(got)); err != nil || diff != "" {
			t.Errorf("Expand(%q): %v (-want +got):\n%s", test.name, err, diff)
		}
	}
	got, err := store.Expand(t.Context(), []string{"gs://b/a.warc"}, nil)
	if want := []blob.Info{{Name: "gs://b/a.warc", Size: 6, Stamp: "7"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Expand = %v, %v, want %v", got, err, want)
	}
}

func TestExpand_cloudRefuses(t *testing.T) {
	_, store := newBucket(t, "a.warc", ".hidden")
	tests := map[string]error{
		"gs://b/nope": blob.ErrNotFound, "gs://other/a": blob.ErrNotFound, "gs://other/*": blob.ErrNotFound,
		"gs://secret/a": blob.ErrPermission,
		"gs://b/*.zip":  blob.ErrEmpty, "gs://b/x/": blob.ErrEmpty, "gs://b/[": blob.ErrSyntax, "gs://*/a": blob.ErrSyntax,
		"gs://": blob.ErrSyntax,
	}
	for name, kind := range tests {
		_, err := store.Expand(t.Context(), []string{name}, nil)
		var input *blob.InputError
		if !errors.Is(err, kind) || !errors.As(err, &input) || input.Arg != name {
			t.Errorf("Expand(%q): %v, want %v", name, err, kind)
		}
	}
	for name, kind := range map[string]error{
		"gs://b/nope": blob.ErrNotFound, "gs://secret/a": blob.ErrPermission,
		"gs://": blob.ErrSyntax,
	} {
		if _, err := store.Open(t.Context(), name); !errors.Is(err, kind) {
			t.Errorf("Open(%q): %v, want %v", name, err, kind)
		}
	}
}

// openBig opens an object of size bytes whose byte i is i mod 251.
func openBig(tb testing.TB, size int) (*bucketServer, blob.Object, []byte) {
	tb.Helper()
	server, store := newBucket(tb)
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i % 251)
	}
	server.objects["big"] = data
	object, err := store.Open(tb.Context(), "gs://b/big")
	if err != nil {
		tb.Fatal(err)
	}
	return server, object, data
}

func TestReadAt_goesOnInOneStream(t *testing.T) {
	server, object, data := openBig(t, 6<<20)
	if object.Size() != int64(len(data)) || object.Name() != "gs://b/big" {
		t.Fatalf("Size, Name = %d, %q", object.Size(), object.Name())
	}
	got, err := io.ReadAll(io.NewSectionReader(object, 0, object.Size()))
	if err != nil || !bytes.Equal(got, data) {
		t.Fatalf("read %d bytes, %v; same: %v", len(got), err, bytes.Equal(got, data))
	}
	want := []string{"bytes=0-1048575", "bytes=1048576-5242879", "bytes=5242880-6291455"}
	if diff := cmp.Diff(want, server.ranges); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if err := object.Close(); err != nil {
		t.Error(err)
	}
	if _, err := object.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("ReadAt after Close: %v", err)
	}
	if err := object.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
}

func TestReadAt_jumps(t *testing.T) {
	server, object, data := openBig(t, 3<<20)
	defer object.Close()
	tests := []struct {
		off  int64
		size int
		want int
		err  error
	}{
		{2 << 20, 10, 10, nil},
		{0, 10, 10, nil},
		{10, 10, 10, nil}, // goes on
		{0, 3 << 20, 3 << 20, nil},
		{3<<20 - 5, 10, 5, io.EOF},
		{3 << 20, 1, 0, io.EOF},
		{4 << 20, 1, 0, io.EOF},
		{5, 0, 0, nil},
		{-1, 1, 0, blob.ErrSyntax},
	}
	for _, test := range tests {
		p := make([]byte, test.size)
		n, err := object.ReadAt(p, test.off)
		if n != test.want || !errors.Is(err, test.err) {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v, want %d, %v", test.size, test.off, n, err, test.want, test.err)
		}
		if n > 0 && !bytes.Equal(p[:n], data[test.off:test.off+int64(n)]) {
			t.Errorf("ReadAt(%d bytes, %d): other bytes", test.size, test.off)
		}
	}
	if len(server.ranges) != 4 {
		t.Errorf("requests %q, want 4", server.ranges)
	}
}

func TestReadAt_concurrently(t *testing.T) {
	_, object, data := openBig(t, 1<<20)
	defer object.Close()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			p := make([]byte, 1000)
			off := int64(i * 100_000)
			if _, err := object.ReadAt(p, off); err != nil || !bytes.Equal(p, data[off:off+1000]) {
				t.Errorf("ReadAt(%d): %v", off, err)
			}
		})
	}
	group.Wait()
}

func TestReadAt_replacedObject(t *testing.T) {
	server, object, _ := openBig(t, 4<<20)
	defer object.Close()
	p := make([]byte, 1<<20)
	if _, err := object.ReadAt(p, 0); err != nil {
		t.Fatal(err)
	}
	server.mu.Lock()
	server.generation++
	server.mu.Unlock()
	if n, err := object.ReadAt(p, 1<<20); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("ReadAt = %d, %v, want blob.ErrChanged", n, err)
	}
}

func TestReadAt_retries(t *testing.T) {
	server, object, data := openBig(t, 100)
	defer object.Close()
	server.failures = 1
	p := make([]byte, 100)
	if _, err := object.ReadAt(p, 0); err != nil || !bytes.Equal(p, data) {
		t.Errorf("ReadAt: %v", err)
	}
}

func TestReadAt_endsWithItsContext(t *testing.T) {
	server, store := newBucket(t, "a")
	server.objects["a"] = make([]byte, 4<<20)
	ctx, cancel := context.WithCancel(t.Context())
	object, err := store.Open(ctx, "gs://b/a")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	cancel()
	if _, err := object.ReadAt(make([]byte, 10), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadAt: %v, want context.Canceled", err)
	}
}
