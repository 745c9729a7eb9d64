package link_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func ExampleCount() {
	p := &page.Page{URL: "https://www.example.org/", Anchors: []page.Anchor{
		{Href: "https://www.example.org/about"},
		{Href: "https://blog.example.org/#newest"},
		{Href: "https://example.net/"},
	}}
	internal, external := link.Count(p)
	fmt.Println(internal, external)
	// Output: 2 1
}
