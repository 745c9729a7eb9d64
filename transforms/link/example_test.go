package link_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func ExampleCount() {
	anchors := []page.Anchor{
		{Href: "https://www.example.org/about"},
		{Href: "https://blog.example.org/#newest"},
		{Href: "https://example.net/"},
	}
	internal, external := link.Count("https://www.example.org/", anchors)
	fmt.Println(internal, external)
	// Output: 2 1
}
