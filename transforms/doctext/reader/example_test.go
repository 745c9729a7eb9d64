package reader_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
)

func Example() {
	fmt.Println(reader.Format("application/pdf"))
	d := reader.Read("image/png", []byte("\x89PNG"), doctext.Options{})
	fmt.Println(d.Problems[0].Kind, d.Problems[0].Message)
	// Output:
	// pdf
	// unsupported documents of this type are not read
}
