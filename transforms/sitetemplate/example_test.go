package sitetemplate_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

func Example() {
	var pages []*page.Page
	for _, story := range []string{
		"The ferry has a new captain, who learned her trade on the river.",
		"Nobody knows why the church clock strikes thirteen in winter.",
		"A heron has moved into the fountain in front of the library.",
		"The bakery sold its last loaf of rye at seven in the morning.",
		"Two swans held up the traffic on the swing bridge for an hour.",
	} {
		src := "<title>" + story + "</title><p>" + story + "<p>We use cookies to remember which page you read last."
		pages = append(pages, page.Parse([]byte(src), page.Options{}))
	}
	var s sitetemplate.Sample
	for _, p := range pages {
		s.Add(sitetemplate.SketchOf(p))
	}
	marks, n := s.Template().Boilerplate(pages[0])
	for i, b := range pages[0].Blocks {
		fmt.Println(marks[i], string(pages[0].Text[b.Start:b.End]))
	}
	fmt.Println(n)
	// Output:
	// false The ferry has a new captain, who learned her trade on the river.
	// true We use cookies to remember which page you read last.
	// 1
}
