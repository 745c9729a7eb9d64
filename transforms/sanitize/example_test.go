package sanitize_test

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/sanitize"
)

func ExampleHTML() {
	root, err := html.Parse(strings.NewReader(`<p onclick="x()">See <a href="/b">this</a><script>y()</script>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sanitize.HTML(root, sanitize.Options{Base: "https://example.org/a"}))
	// Output: <p>See <a href="https://example.org/b">this</a></p>
}
