package datastreamer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

func ExampleTokenize() {
	resource := datastreamer.Tokenize("http://www.cnn.com/index.html#top")
	fmt.Println(resource, datastreamer.Hashcode(resource))
	// Output: http://cnn.com COH0cFU4G1sMlRHd9gEvS-n3FFI
}

func ExampleFromDocument() {
	d := &schemas.Document{URL: "dns:cnn.com", Title: "CNN", Language: "und"}
	line, err := datastreamer.Append(nil, datastreamer.FromDocument(d, schemas.Page{}))
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(line), `"lang":"U"`), strings.Contains(string(line), "source_"))
	// Output: true false
}

func ExampleDecode() {
	c, issues, err := datastreamer.Decode([]byte(`{"permalink":"http://cnn.com","source_publisher_type":8192,"colour":"red"}`))
	fmt.Println(c.SourcePublisherType, issues, err)
	// Output: MAINSTREAM_NEWS [{unknown colour}] <nil>
}

func BenchmarkDecode(b *testing.B) {
	c := &datastreamer.Content{Permalink: "http://a.com/", Title: "a", HTML: strings.Repeat("<p class=\"a\">words and \"more\" words</p>\n", 2000)}
	line, err := datastreamer.Append(nil, c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := datastreamer.Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
