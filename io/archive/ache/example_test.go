package ache_test

import (
	"fmt"
	"log"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// A page is written as FILESYSTEM_JSON has it. dump.OpenFolder would make the file in a folder.
func ExampleNewFilesystemJSON() {
	var sink archivetest.Memory
	w := ache.NewFilesystemJSON(&sink, dump.WriteOptions{})
	c := &schemas.Capture{
		URL: "http://example.com/", RecordType: schemas.TypeResponse, Status: 200, Body: []byte("<p>Hello"),
		MIMEDeclared: "text/html", Timestamp: time.UnixMilli(1429167830257),
		Crawl: map[string]string{schemas.CrawlRelevance: "0.97", schemas.CrawlRelevant: "true"},
	}
	if err := w.Write(c); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	for _, name := range sink.Names {
		fmt.Printf("%s\n%s\n", name, sink.Files[name])
	}
	fmt.Println("dropped:", w.Drops())
	// Output:
	// example.com/http%3A%2F%2Fexample.com%2F
	// {"url":"http://example.com/","redirected_url":null,"content":"PHA+SGVsbG8=","content_type":"text/html","response_headers":null,"fetch_time":1429167830257,"relevance":{"relevance":0.97,"isRelevant":true},"crawler_id":null}
	// dropped: map[status:1]
}

func ExampleJSON() {
	line := `{"url":"http://example.com/","redirected_url":"https://example.com/","content":"PHA+SGVsbG8=","fetch_time":1429167830257}`
	c, _, err := ache.JSON{}.Capture([]byte(line), payload.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.URL, c.RequestedURL(), c.Timestamp.Format(time.RFC3339), string(c.Body))
	// Output: https://example.com/ http://example.com/ 2015-04-16T07:03:50Z <p>Hello
}

func ExampleParseConfig() {
	c, err := ache.ParseConfig([]byte("target_storage.data_format.type: WARC\ntarget_storage.data_format.warc.compress: false\n"))
	if err != nil {
		log.Fatal(err)
	}
	outputs, err := c.Outputs()
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range outputs {
		fmt.Println(o.Name, o.Options.Compress == dump.Off, o.Options.MaxFileBytes)
	}
	// Output: ache-warc true 262144000
}
