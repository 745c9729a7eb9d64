package elasticio_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/beam/elasticio"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { ptest.Main(m) }

func TestWriteDocuments(t *testing.T) {
	index := elastictest.Start(t)
	index.Item = elastictest.Refuse("#9.")
	p, s := beam.NewPipelineWithRoot()
	docs := beam.CreateList(s, []schemas.Document{
		{URL: "http://a.example/", Filename: "a.warc", Offset: 5, RecordType: schemas.TypeResponse},
		{URL: "http://b.example/", Filename: "a.warc", Offset: 9, RecordType: schemas.TypeResponse},
		{URL: "http://c.example/", Filename: "a.warc", Offset: 12, RecordType: schemas.TypeResponse},
	})
	rejects := elasticio.WriteDocuments(s, elastic.Options{Hosts: []string{index.URL}, Index: "pages", BatchDocuments: 1}, docs)
	passert.Equals(s, rejects, schemas.Reject{
		File: "a.warc", Offset: 9, URL: "http://b.example/", Stage: "elastic", Kind: schemas.KindRefused, Message: elastictest.Refused,
	})
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"a.warc#5.0": 1, "a.warc#9.0": 1, "a.warc#12.0": 1}, index.Tried); diff != "" {
		t.Errorf("how often documents were sent (-want +got):\n%s", diff)
	}
	if len(index.Docs) != 2 || !strings.Contains(index.Docs["a.warc#12.0"], `"url":"http://c.example/"`) {
		t.Errorf("the index has %v", index.Docs)
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
