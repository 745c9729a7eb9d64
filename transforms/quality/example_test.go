package quality_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/quality"
)

func ExampleOf() {
	q := quality.Of("Cookie settings\nThe harbour is closed.\nCookie settings", "en")
	fmt.Println(q.Words, q.StopWords, q.DuplicateLines, q.GopherPass)
	// Output: 8 1 0.3333 false
}
