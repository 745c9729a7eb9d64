package shape_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/schemas"
)

// The crawler was killed while it wrote the second line.
func ExampleLineReader() {
	text := `{"url":"http://example.com/","content":"eHh4"}` + "\n" + `{"url":"http://example.com/b","cont`
	size := int64(len(text))
	o := shape.Options{OnReject: func(r schemas.Reject) { fmt.Println(r.Offset, r.Lost, r.Kind, r.Message) }}
	r, err := shape.NewLineReader(strings.NewReader(text), shape.Input{Name: "pages.jsonl", Size: size, End: size}, ache.JSON{}, o)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.URL, string(c.Body))
	}
	// Output:
	// http://example.com/ xxx
	// 47 35 truncated the file ends inside a line
}
