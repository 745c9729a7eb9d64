package elastic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	realDocuments = 20_000
	realWriters   = 4
)

// TestWriter_realServer writes documents to an OpenSearch that is killed and started again meanwhile, and reads them
// back: each must be there once.
func TestWriter_realServer(t *testing.T) {
	t.Parallel() // it mostly waits
	s := servertest.StartOpenSearch(t)
	o := elastic.Options{Hosts: []string{s.URL}, Index: "documents", Model: elastic.Gleaner, BatchDocuments: 250}
	c := open(t, o)
	if v := c.Version(); !v.OpenSearch || v.Major != 8 {
		t.Errorf("Version() = %v, want an OpenSearch with the interface of Elasticsearch 8", v)
	}
	half := make(chan struct{}, realWriters)
	done := make(chan error, realWriters)
	for k := range realWriters {
		go func() { done <- writePart(t, c, k, half) }()
	}
	for range realWriters {
		<-half
	}
	if s.Kill(); len(done) > 0 {
		t.Error("writers have ended before the server was killed; the test needs more documents")
	}
	time.Sleep(time.Second) // in which requests fail
	s.Restart()
	for range realWriters {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	get(t, s.URL+"/documents/_refresh", nil)
	var count struct{ Count int }
	if get(t, s.URL+"/documents/_count", &count); count.Count != realDocuments {
		t.Errorf("the index has %d documents, want %d", count.Count, realDocuments)
	}
	checkRead(t, s.URL)
	checkRefused(t, c)
	checkACHE(t, s.URL)
}

// writePart writes every realWriters-th document, from k on, and tells when half are written.
func writePart(t *testing.T, c *elastic.Client, k int, half chan<- struct{}) error {
	reached := sync.OnceFunc(func() { half <- struct{}{} })
	defer reached() // or the test would wait for it after an error
	w := c.NewWriter(t.Context(), func(r schemas.Reject) error { return errors.New(r.Message) })
	defer w.Abort()
	for i := k; i < realDocuments; i += realWriters {
		if i > realDocuments/2 {
			reached()
		}
		d, err := elastic.FromDocument(realDocument(i), elastic.URLID(realDocument(i).URL))
		if err == nil {
			err = w.Write(d)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

func realDocument(i int) *schemas.Document {
	return &schemas.Document{
		URL: fmt.Sprintf("http://example.org/a b/%d?x=é", i), Timestamp: "2026-11-22T01:02:03Z",
		Title: fmt.Sprintf("Document %d", i),
		Text:  strings.Repeat("Some text of the page. ", 20), Language: "en", RecordType: schemas.TypeResponse,
		Filename: "a.warc.gz", Offset: int64(i),
	}
}

// checkRead reads all documents, page by page, and compares each with the written one.
func checkRead(t *testing.T, server string) {
	t.Helper()
	seen := map[int64]bool{}
	for after := int64(-1); ; {
		var found struct {
			Hits struct {
				Hits []struct {
					ID     string           `json:"_id"`
					Source schemas.Document `json:"_source"`
				}
			}
		}
		get(t, fmt.Sprintf(`%s/documents/_search?size=1000&source_content_type=application/json&source={"sort":["offset"],"search_after":[%d]}`, server, after), &found)
		if len(found.Hits.Hits) == 0 {
			break
		}
		for _, h := range found.Hits.Hits {
			after = h.Source.Offset
			want, err := json.Marshal(realDocument(int(after)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := json.Marshal(h.Source); err != nil || string(got) != string(want) || h.ID != h.Source.URL ||
				seen[after] {
				t.Fatalf("document %q: %s, %v; want %s, once", h.ID, got, err, want)
			}
			seen[after] = true
		}
	}
	if len(seen) != realDocuments {
		t.Errorf("%d documents were read back, want %d", len(seen), realDocuments)
	}
}

// checkRefused writes a document that does not fit its mapping, and one that does.
func checkRefused(t *testing.T, c *elastic.Client) {
	t.Helper()
	var rejects []schemas.Reject
	w := c.NewWriter(t.Context(), func(r schemas.Reject) error { rejects = append(rejects, r); return nil })
	for id, source := range map[string]string{"wrong": `{"status":"no number"}`, "right": `{"status":200}`} {
		if err := w.Write(elastic.Document{ID: id, Source: []byte(source), Reject: schemas.Reject{URL: id}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || len(rejects) != 1 || rejects[0].URL != "wrong" ||
		!strings.Contains(rejects[0].Message, "status") {
		t.Errorf("%v; rejects %v, want the one that is wrong", err, rejects)
	}
}

// checkACHE writes a document of ACHE's twice, and finds it once, by each kind of field.
func checkACHE(t *testing.T, server string) {
	t.Helper()
	c := open(t, elastic.Options{Hosts: []string{server}})
	page := &schemas.Capture{
		URL: "http://www.example.com/", Timestamp: time.Date(2015, 4, 16, 7, 3, 50, 257e6, time.UTC),
		Crawl:  map[string]string{"relevant": "true", "relevance": "0.5"},
		Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}, {Name: "X.Y", Value: "1"}},
	}
	for range 2 {
		w := c.NewWriter(t.Context(), func(r schemas.Reject) error { return errors.New(r.Message) })
		source := ache.ElasticDocument(page, []byte("<title>A title</title><p>Words of the page"))
		if err := errors.Join(w.Write(elastic.Document{ID: elastic.URLID(page.URL), Source: source}), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	get(t, server+"/ache-data/_refresh", nil)
	for query, want := range map[string]int{
		"url:http\\:\\/\\/www.example.com\\/": 1, "words:words": 1, "words:Words": 0, "title:TITLE": 1,
		"isRelevant:relevant": 1, "relevance:[0.4+TO+0.6]": 1,
		"retrieved:[2015-04-16+TO+2015-04-16]": 1, "retrieved:[2015-04-17+TO+2015-04-18]": 0,
		"topPrivateDomain:example.com": 1,
	} {
		var count struct{ Count int }
		if get(t, server+"/ache-data/_count?q="+query, &count); count.Count != want {
			t.Errorf("%s finds %d documents, want %d", query, count.Count, want)
		}
	}
}

// get asks the server, and reads its answer into v unless that is nil.
func get(t *testing.T, url string, v any) {
	t.Helper()
	resp, err := http.Get(strings.NewReplacer(`"`, "%22", " ", "%20", "{", "%7B", "}", "%7D", "[", "%5B", "]", "%5D", `\`,
		"%5C").Replace(url))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it is read
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %.500s", url, resp.StatusCode, err, body)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(body, v); err != nil {
		t.Fatalf("%s: %v: %.500s", url, err, body)
	}
}
