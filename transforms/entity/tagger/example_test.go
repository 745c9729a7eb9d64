package tagger_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger"
)

func ExampleTagger_Tag() {
	text := "Angela Merkel met the head of Google in Berlin.\nTwo days later, Merkel flew to New York."
	t := tagger.New(tagger.Options{})
	for _, m := range t.Tag(text, "en", nil) {
		fmt.Println(m.Type, text[m.Start:m.End])
	}
	// Output:
	// person Angela Merkel
	// organization Google
	// place Berlin
	// person Merkel
	// place New York
}
