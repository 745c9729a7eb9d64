package maintext_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func ExampleExtract() {
	src := `<title>On bees</title><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav><article><h1>On bees</h1>
<p>Bees live in <b>colonies</b>, and a colony may have more than fifty thousand members in the summer months.</p>
<p>A queen lays up to two thousand eggs a day; workers make honey, of which they keep most for the winter.</p>
</article><footer>Copyright, imprint, contact</footer>`
	r := maintext.Extract(page.Parse([]byte(src), page.Options{}), maintext.Options{})
	fmt.Println(maintext.Markdown(r))
	// Output:
	// # On bees
	//
	// Bees live in **colonies**, and a colony may have more than fifty thousand members in the summer months.
	//
	// A queen lays up to two thousand eggs a day; workers make honey, of which they keep most for the winter.
}

func ExamplePlain() {
	r := maintext.Plain([]byte("First line \r\nsecond line\x00\r\n"))
	fmt.Printf("%s %q\n", r.Source, r.Text)
	// Output: plain "First line\nsecond line"
}
