package dump_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// The crawler was killed while it wrote the second line.
func ExampleLineReader() {
	text := `{"url":"http://example.com/","content":"eHh4"}` + "\n" + `{"url":"http://example.com/b","cont`
	size := int64(len(text))
	in := dump.Input{Name: "pages.jsonl", Size: size, End: size}
	r, err := dump.NewLineReader(strings.NewReader(text), in, ache.JSON{}, dump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for {
		item, err := r.Next()
		switch {
		case err == io.EOF:
			return
		case err != nil:
			log.Fatal(err)
		case item.Reject != nil:
			fmt.Println(item.Reject.Offset, item.Reject.Lost, item.Reject.Kind, item.Reject.Message)
		default:
			fmt.Println(item.Capture.URL, string(item.Capture.Body))
		}
	}
	// Output:
	// http://example.com/ xxx
	// 47 35 truncated the file ends inside a line
}
