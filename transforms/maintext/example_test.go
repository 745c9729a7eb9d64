package maintext_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/maintext"
)

func ExamplePlain() {
	r := maintext.Plain([]byte("First line \r\nsecond line\x00\r\n"))
	fmt.Printf("%s %q\n", r.Source, r.Text)
	// Output: plain "First line\nsecond line"
}
