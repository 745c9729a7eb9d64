package jsonld_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
)

// This is a block within a comment, with a trailing comma and an unescaped quote.
func Example() {
	nodes, err := jsonld.Parse(`<!-- {
		"@context": "https://schema.org",
		"@type": "NewsArticle",
		"headline": "A "quiet" evening",
		"author": [{"@type": "Person", "name": "Ada Byron"}],
	} -->`, jsonld.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nodes[0].Types(), nodes[0].String("headline"), nodes[0].Strings("author"))
	// Output: [NewsArticle] A "quiet" evening [Ada Byron]
}
