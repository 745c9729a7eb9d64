package neardup_test

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/neardup"
)

func ExampleSimhash() {
	story := strings.Repeat("The ferry leaves at noon. Nobody knows why it was late, but the captain smiled and said nothing at all. ", 3)
	a, _ := neardup.Simhash(story)
	b, _ := neardup.Simhash(strings.ToUpper(story) + "!")
	_, ok := neardup.Simhash("—")
	fmt.Println(len(neardup.Hex(a)), neardup.Distance(a, b), ok)
	// Output: 16 0 false
}
