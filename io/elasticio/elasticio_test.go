package elasticio_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/io/elastic"
	"github.com/gleaner-web/gleaner/io/elasticio"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// cluster answers every batch, and refuses documents whose lines hold "bad".
type cluster struct {
	mu   sync.Mutex
	body bytes.Buffer
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		fmt.Fprint(w, `{"version":{"number":"8.1.0"}}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var items []string
	for line := range bytes.Lines(body) {
		switch {
		case bytes.HasPrefix(line, []byte(`{"update"`)):
		case bytes.Contains(line, []byte("bad")):
			items = append(items, `{"update":{"status":400,"error":{"type":"parsing","reason":"bad"}}}`)
		default:
			items = append(items, `{"update":{"status":201}}`)
		}
	}
	c.body.Write(body)
	fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
}

func TestWriteDocuments(t *testing.T) {
	c := new(cluster)
	h := httptest.NewServer(c)
	defer h.Close()
	p, s := beam.NewPipelineWithRoot()
	docs := beam.CreateList(s, []schemas.Document{
		{URL: "http://a.example/", Filename: "a.warc", Offset: 5, RecordType: schemas.TypeResponse},
		{URL: "http://bad.example/", Filename: "a.warc", Offset: 9, RecordType: schemas.TypeResponse},
		{URL: "http://c.example/", Filename: "a.warc", Offset: 12, RecordType: schemas.TypeResponse},
	})
	rejects := elasticio.WriteDocuments(s, elastic.Options{Hosts: []string{h.URL}, Index: "pages", BatchDocuments: 1}, docs)
	passert.Equals(s, rejects, schemas.Reject{
		File: "a.warc", Offset: 9, URL: "http://bad.example/", Stage: "elastic", Kind: schemas.KindRefused, Message: "parsing: bad",
	})
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`{"update":{"_id":"a.warc#5.0"}}`, `{"update":{"_id":"a.warc#12.0"}}`, `"url":"http://c.example/"`} {
		if n := strings.Count(c.body.String(), line); n != 1 {
			t.Errorf("%s was sent %d times, want once:\n%s", line, n, c.body.String())
		}
	}
}

func TestWrite_down(t *testing.T) {
	h := httptest.NewServer(http.NotFoundHandler())
	h.Close()
	p, s := beam.NewPipelineWithRoot()
	docs := beam.CreateList(s, []elastic.Document{{ID: "x", Source: []byte("{}")}})
	elasticio.Write(s, elastic.Options{Hosts: []string{h.URL}, StartTimeout: time.Millisecond}, docs)
	if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "given up") {
		t.Errorf("error %v, want that it was given up", err)
	}
}
