package elastic_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

// quick are options with which a test does not wait long.
func quick(hosts ...string) elastic.Options {
	return elastic.Options{
		Hosts: hosts, Index: "pages", FirstPause: time.Millisecond, RetryTimeout: 10 * time.Second,
		StartTimeout: 10 * time.Second,
	}
}

func open(t *testing.T, o elastic.Options) *elastic.Client {
	t.Helper()
	c, err := elastic.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// write writes documents with ids 0 to n-1 and returns the rejects.
func write(t *testing.T, o elastic.Options, n int) ([]schemas.Reject, error) {
	t.Helper()
	var rejects []schemas.Reject
	w := open(t, o).NewWriter(t.Context(), func(r schemas.Reject) error { rejects = append(rejects, r); return nil })
	defer w.Abort()
	for i := range n {
		id := fmt.Sprint(i)
		if err := w.Write(elastic.Document{
			ID: id, Source: []byte(`{"n":` + id + `}`),
			Reject: schemas.Reject{URL: id},
		}); err != nil {
			return rejects, err
		}
	}
	return rejects, w.Close()
}

func TestWriter(t *testing.T) {
	s := elastictest.Start(t)
	o := quick(s.URL)
	o.BatchDocuments = 2
	rejects, err := write(t, o, 5)
	if err != nil || len(rejects) > 0 {
		t.Fatalf("%v, %v", rejects, err)
	}
	if len(s.Docs) != 5 || s.Docs["4"] != `{"n":4}` {
		t.Errorf("the index has %v", s.Docs)
	}
	bulk := "POST /pages/_bulk?filter_path=errors,items.*.status,items.*.error"
	if diff := cmp.Diff([]string{"GET /", "HEAD /pages", "PUT /pages", bulk, bulk, bulk}, s.Requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestWriter_batchesByBytes(t *testing.T) {
	s := elastictest.Start(t)
	o := quick(s.URL)
	o.BatchBytes = 150 // of two documents
	if _, err := write(t, o, 6); err != nil || len(s.Requests) != 3+3 {
		t.Errorf("%v, requests %q; want 3 batches", err, s.Requests)
	}
}

func TestWriter_sameID(t *testing.T) {
	s := elastictest.Start(t)
	w := open(t, quick(s.URL)).NewWriter(t.Context(), nil)
	for _, source := range []string{`{"a":1}`, `{"a":2}`} {
		if err := w.Write(elastic.Document{ID: "x", Source: []byte(source)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || s.Tried["x"] != 1 || !strings.Contains(s.Docs["x"], `"a":2`) {
		t.Errorf("%v; x was written %d times and is %s", err, s.Tried["x"], s.Docs["x"])
	}
}

// TestAttack05_placesAreRefusedToo: if the last of three documents with one id is refused, none of them is in the
// index, and each is reported.
func TestAttack05_placesAreRefusedToo(t *testing.T) {
	s := elastictest.Start(t)
	s.Item = elastictest.Refuse("same")
	var urls []string
	w := open(t, quick(s.URL)).NewWriter(t.Context(),
		func(r schemas.Reject) error { urls = append(urls, r.URL+" "+r.Message); return nil })
	for _, url := range []string{"a", "b", "c"} {
		if err := w.Write(elastic.Document{ID: "same", Source: []byte(`{}`), Reject: schemas.Reject{URL: url}}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a " + elastictest.Refused, "b " + elastictest.Refused, "c " + elastictest.Refused}
	if err := w.Close(); err != nil || !cmp.Equal(want, urls) {
		t.Errorf("%v; refused are %q, want %q", err, urls, want)
	}
}

func TestWriter_refused(t *testing.T) {
	for _, test := range []struct{ name, failure, message string }{
		{
			"object", `{"type":"mapper_parsing_exception","reason":"failed","caused_by":{"type":"x","reason":"because"}}`,
			"mapper_parsing_exception: failed: because",
		},
		{"text, of Elasticsearch 1", `"MapperParsingException[failed]"`, "MapperParsingException[failed]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := elastictest.Start(t)
			s.Item = func(id string, _ int) (int, string) {
				if id == "1" {
					return http.StatusBadRequest, test.failure
				}
				return 0, ""
			}
			rejects, err := write(t, quick(s.URL), 3)
			want := []schemas.Reject{{URL: "1", Stage: "elastic", Kind: schemas.KindRefused, Message: test.message}}
			if diff := cmp.Diff(want, rejects); err != nil || diff != "" {
				t.Errorf("%v; rejects (-want +got):\n%s", err, diff)
			}
			if len(s.Docs) != 2 {
				t.Errorf("the index has %v, want the other two", s.Docs)
			}
		})
	}
}

func TestWriter_rejectFails(t *testing.T) {
	s := elastictest.Start(t)
	s.Item = func(string, int) (int, string) { return http.StatusBadRequest, `"no"` }
	full := errors.New("the disk is full")
	w := open(t, quick(s.URL)).NewWriter(t.Context(), func(schemas.Reject) error { return full })
	if err := w.Write(elastic.Document{ID: "x", Source: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("Close() = %v, want %v", err, full)
	}
	if err := w.Write(elastic.Document{ID: "y", Source: []byte("{}")}); !errors.Is(err, full) {
		t.Errorf("Write() = %v, want %v", err, full)
	}
}

func TestWriter_busy(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		failure string
	}{
		{"queue is full", http.StatusTooManyRequests, `{"type":"es_rejected_execution_exception"}`},
		{"shard is not there", http.StatusServiceUnavailable, `{"type":"unavailable_shards_exception"}`},
		{"other writer", http.StatusConflict, `{"type":"version_conflict_engine_exception"}`},
		{"disk is full", http.StatusForbidden, `{"type":"cluster_block_exception"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := elastictest.Start(t)
			s.Item = func(id string, n int) (int, string) {
				if id == "1" && n < 4 {
					return test.status, test.failure
				}
				return 0, ""
			}
			rejects, err := write(t, quick(s.URL), 3)
			if err != nil || len(rejects) > 0 || len(s.Docs) != 3 {
				t.Fatalf("%v, %v, the index has %v", rejects, err, s.Docs)
			}
			if s.Tried["0"] != 1 || s.Tried["1"] != 4 {
				t.Errorf("tried %v; want 1 four times, the others once", s.Tried)
			}
		})
	}
}

func TestWriter_busyForTooLong(t *testing.T) {
	s := elastictest.Start(t)
	s.Item = func(string, int) (int, string) { return http.StatusTooManyRequests, `{"type":"full"}` }
	o := quick(s.URL)
	o.RetryTimeout = 20 * time.Millisecond
	if _, err := write(t, o, 1); err == nil || !strings.Contains(err.Error(), "1 documents given up after 20ms: full") {
		t.Errorf("error %v", err)
	}
}

func TestWriter_fatal(t *testing.T) {
	s := elastictest.Start(t)
	s.Item = func(string, int) (int, string) {
		return http.StatusNotFound, `{"type":"index_not_found_exception","reason":"no such index"}`
	}
	if rejects, err := write(t, quick(s.URL), 2); err == nil || len(rejects) > 0 ||
		!strings.Contains(err.Error(), "no such index") {
		t.Errorf("%v, %v; want an error, since it is not the document that is wrong", rejects, err)
	}
}

// TestWriter_ofIndex: an error of the index is not one of its documents, which are sent again when it is mended.
func TestWriter_ofIndex(t *testing.T) {
	for _, test := range []struct {
		failure string
		fatal   bool
	}{
		{`{"type":"index_closed_exception","reason":"closed"}`, true},
		{`{"type":"illegal_argument_exception","reason":"no write index is defined for alias [x]. The write index"}`, true},
		{`{"type":"illegal_argument_exception","reason":"only write ops with an op_type of create are allowed"}`, true},
		{`{"type":"illegal_argument_exception","reason":"Rejecting mapping update to [x] as the final mapping would have ` +
			`more than 1 type: [_doc, page]"}`, true},
		{
			`{"type":"illegal_argument_exception","reason":"Document contains at least one immense term in field=\"url\""}`,
			false,
		},
		{`{"type":"mapper_parsing_exception","reason":"failed"}`, false},
	} {
		s := elastictest.Start(t)
		s.Item = func(string, int) (int, string) { return http.StatusBadRequest, test.failure }
		rejects, err := write(t, quick(s.URL), 2)
		if (err != nil) != test.fatal || test.fatal == (len(rejects) > 0) {
			t.Errorf("%s: %v, %d rejects, want it fatal: %t", test.failure, err, len(rejects), test.fatal)
		}
	}
}

func isBulk(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "_bulk") }

func TestWriter_tooLarge(t *testing.T) {
	s := elastictest.Start(t)
	s.Fail = func(r *http.Request, _ int) int {
		if isBulk(r) && r.ContentLength > 150 {
			return http.StatusRequestEntityTooLarge
		}
		return 0
	}
	var rejects []schemas.Reject
	w := open(t, quick(s.URL)).NewWriter(t.Context(),
		func(r schemas.Reject) error { rejects = append(rejects, r); return nil })
	for i := range 11 {
		source := "{}"
		if i == 3 {
			source = `{"x":"` + strings.Repeat("x", 150) + `"}`
		}
		if err := w.Write(elastic.Document{
			ID: fmt.Sprint(i), Source: []byte(source),
			Reject: schemas.Reject{URL: fmt.Sprint(i)},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || len(s.Docs) != 10 || len(rejects) != 1 || rejects[0].URL != "3" ||
		rejects[0].Kind != schemas.KindLimit {
		t.Errorf("%v, %v; the index has %d documents, want 10", rejects, err, len(s.Docs))
	}
}

// TestWriter_tooLargeEarly: servers say so from the header, and close the connection while the rest is being sent.
func TestWriter_tooLargeEarly(t *testing.T) {
	s := elastictest.New()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 10<<20 {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer h.Close()
	o := quick(h.URL)
	o.BatchBytes = 64 << 20
	w := open(t, o).NewWriter(t.Context(), nil)
	source := []byte(`{"x":"` + strings.Repeat("x", 8<<20) + `"}`)
	for _, id := range []string{"a", "b", "c"} {
		if err := w.Write(elastic.Document{ID: id, Source: source}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || len(s.Docs) != 3 {
		t.Errorf("%v; the index has %d documents, want 3", err, len(s.Docs))
	}
}

func TestWriter_failsOver(t *testing.T) {
	up := elastictest.Start(t)
	busy := elastictest.Start(t)
	busy.Fail = func(*http.Request, int) int { return http.StatusServiceUnavailable }
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	if _, err := write(t, quick(down.URL, busy.URL, up.URL), 3); err != nil || len(up.Docs) != 3 {
		t.Errorf("%v; the index has %v", err, up.Docs)
	}
	o := quick(down.URL, up.URL)
	o.FirstPause, o.BatchDocuments = time.Hour, 1 // which is cut to 10 s, of which at least 5 are rested
	o.StartTimeout, o.RetryTimeout = 4*time.Second, 4*time.Second
	if _, err := write(t, o, 3); err != nil {
		t.Errorf("the host that is up must not wait for the other: %v", err)
	}
}

func TestWriter_requestFailsAndWorks(t *testing.T) {
	for _, status := range []int{429, 500, 502, 503, 504} {
		s := elastictest.Start(t)
		s.Fail = func(r *http.Request, n int) int {
			if isBulk(r) && n < 8 {
				return status
			}
			return 0
		}
		if _, err := write(t, quick(s.URL), 3); err != nil || len(s.Docs) != 3 {
			t.Errorf("%d: %v; the index has %v", status, err, s.Docs)
		}
	}
}

func TestWriter_requestFails(t *testing.T) {
	for _, test := range []struct {
		status  int
		message string
	}{
		{400, `_bulk: status 400: {"error":"as told"}`},
		{302, "_bulk: status 302"},
		{403, "refused by the server"},
		{503, "given up after"},
	} {
		s := elastictest.Start(t)
		s.Fail = func(r *http.Request, _ int) int {
			if isBulk(r) {
				return test.status
			}
			return 0
		}
		o := quick(s.URL)
		o.RetryTimeout = 20 * time.Millisecond
		if _, err := write(t, o, 1); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%d: error %v, want one with %q", test.status, err, test.message)
		}
	}
}

// TestWriter_redirected: neither documents nor passwords go to where a server points.
func TestWriter_redirected(t *testing.T) {
	elsewhere := elastictest.Start(t)
	s := elastictest.New()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isBulk(r) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer h.Close()
	if _, err := write(t, quick(h.URL), 1); err == nil || len(elsewhere.Requests) > 0 {
		t.Errorf("%v; the other server was asked %q", err, elsewhere.Requests)
	}
}

func TestWriter_otherNumberOfResults(t *testing.T) {
	for _, items := range []string{"", `{"update":{"status":200}},{"update":{"status":200}}`} {
		s := elastictest.New()
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isBulk(r) {
				fmt.Fprintf(w, `{"items":[%s]}`, items)
				return
			}
			s.ServeHTTP(w, r)
		}))
		if _, err := write(t, quick(h.URL), 1); err == nil || !strings.Contains(err.Error(), "results for 1 documents") {
			t.Errorf("results %s of one document: error %v", items, err)
		}
		h.Close()
	}
}

func TestWriter_hangs(t *testing.T) {
	s := elastictest.New()
	hang := make(chan struct{})
	var hung atomic.Bool
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isBulk(r) && hung.CompareAndSwap(false, true) {
			<-hang
		}
		s.ServeHTTP(w, r)
	}))
	defer h.Close()
	defer close(hang)
	o := quick(h.URL)
	o.ConnectTimeout, o.SocketTimeout = 50*time.Millisecond, 50*time.Millisecond
	if _, err := write(t, o, 1); err != nil || !hung.Load() {
		t.Errorf("a request that hung: %v", err)
	}
}

func TestWriter_cancelled(t *testing.T) {
	s := elastictest.Start(t)
	s.Fail = func(r *http.Request, _ int) int {
		if isBulk(r) {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := open(t, quick(s.URL)).NewWriter(ctx, nil)
	if err := w.Write(elastic.Document{ID: "x", Source: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := w.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("Close() = %v, want %v", err, context.Canceled)
	}
}

func TestWriter_notOneLine(t *testing.T) {
	s := elastictest.Start(t)
	w := open(t, quick(s.URL)).NewWriter(t.Context(), nil)
	defer w.Abort()
	for _, source := range []string{"", "[]", "{\n}"} {
		if err := w.Write(elastic.Document{ID: "x", Source: []byte(source)}); err == nil {
			t.Errorf("Write(%q) succeeds", source)
		}
	}
}

func TestURLID(t *testing.T) {
	long := "http://example.org/" + strings.Repeat("x", 500)
	if id := elastic.URLID(long[:512]); id != long[:512] {
		t.Errorf("a URL of 512 bytes has id %q", id)
	}
	if id := elastic.URLID(long); len(id) != len("sha256:")+64 {
		t.Errorf("a URL of %d bytes has id %q", len(long), id)
	}
}
