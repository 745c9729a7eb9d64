package term_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/term"
)

func ExampleOf() {
	t := term.Of([]byte(`<title>A café</title><meta name=description content="Open, daily"><p>The café of the town`), "http://www.example.com/")
	fmt.Println(t.Title)
	fmt.Println(t.Words)
	fmt.Println(t.Meta)
	// Output:
	// A café
	// [café cafe a the example of town]
	// [open, daily]
}
