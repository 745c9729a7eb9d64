package elastic_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

func FuzzAnswers(f *testing.F) {
	f.Add(elastictest.OpenSearch2, `{"errors":true,"items":[{"update":{"status":400,"error":{"type":"x"}}}]}`)
	f.Add(elastictest.OpenSearch2, `{"items":[{"update":{"status":429,"error":"x"}}]}`)
	f.Add(`{"version":{"number":"1.2.3"}}`, `{"items":[{}]}`)
	f.Add(`{"version":{"number":-1}}`, `{"items":[null,{"update":{"error":[]}}]}`)
	f.Fuzz(func(t *testing.T, info, bulk string) {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isBulk(r) {
				fmt.Fprint(w, bulk)
			} else {
				fmt.Fprint(w, info)
			}
		}))
		defer h.Close()
		o := quick(h.URL)
		o.RetryTimeout = 5 * time.Millisecond
		c, err := elastic.Open(t.Context(), o)
		if err != nil {
			return
		}
		defer c.Close()
		refused := 0
		w := c.NewWriter(t.Context(), func(schemas.Reject) error { refused++; return nil })
		if err := w.Write(elastic.Document{ID: "x", Source: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); refused > 1 || err != nil && refused > 0 {
			t.Errorf("one document was refused %d times, with error %v", refused, err)
		}
	})
}
