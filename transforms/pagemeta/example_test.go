package pagemeta_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

func ExampleExtract() {
	p := page.Parse([]byte(`<title>Bridge reopens | Example News</title>
		<meta property="og:site_name" content="Example News">
		<meta name="author" content="By Ada Byron and Bo Li">
		<meta property="article:published_time" content="2024-03-10T08:00:00-05:00">`),
		page.Options{URL: "https://www.example.com/bridge"})
	m := pagemeta.Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), pagemeta.Options{})
	fmt.Printf("%q of %s, %q, %s\n", m.Title, m.Sources["title"], m.Authors, m.Published)
	// Output: "Bridge reopens" of title, ["Ada Byron" "Bo Li"], 2024-03-10T08:00:00-05:00
}
