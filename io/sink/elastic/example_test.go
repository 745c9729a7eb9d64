package elastic_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

func ExampleClient_NewWriter() {
	cluster := elastictest.New()
	h := httptest.NewServer(cluster)
	defer h.Close()

	ctx := context.Background()
	c, err := elastic.Open(ctx, elastic.Options{Hosts: []string{h.URL}, Index: "documents", Model: elastic.Gleaner})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	w := c.NewWriter(ctx, func(r schemas.Reject) error { fmt.Println(r.URL, r.Message); return nil })
	d := &schemas.Document{URL: "http://example.org/", Title: "An example", Filename: "a.warc", Offset: 42}
	doc, err := elastic.FromDocument(d, elastic.CaptureID(d))
	if err == nil {
		err = w.Write(doc)
	}
	if err == nil {
		err = w.Close()
	}
	fmt.Println(c.Version().Number, doc.ID, len(cluster.Docs), err)
	// Output:
	// 2.19.1 a.warc#42.0 1 <nil>
}
