package page_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func ExampleParse() {
	src := []byte(`<html lang=en><title>News</title><link rel=alternate href=feed.xml><a href="/a b">First</a>`)
	p := page.Parse(src, page.Options{URL: "https://example.org/news/"})
	fmt.Println(p.Lang(), p.Title())
	fmt.Println(p.Links()[0].Href)
	fmt.Println(p.Anchors()[0].Href, p.Anchors()[0].Text)
	// Output:
	// en News
	// https://example.org/news/feed.xml
	// https://example.org/a%20b First
}
