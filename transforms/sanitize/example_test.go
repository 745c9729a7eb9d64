package sanitize_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sanitize"
)

func ExampleHTML() {
	src := []byte(`<p onclick="x()">See <a href="/b">this</a><script>y()</script><p>And that`)
	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
	for _, b := range p.Blocks {
		out, _ := sanitize.HTML(p, []page.Range{{Start: b.First, End: b.Last}}, sanitize.Options{})
		fmt.Println(out)
	}
	// Output:
	// <p>See <a href="https://example.org/b">this</a></p>
	// <p>And that</p>
}
