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
	text, _ := maintext.Markdown(r, 8<<20)
	fmt.Println(text)
	// Output:
	// # On bees
	//
	// Bees live in **colonies**, and a colony may have more than fifty thousand members in the summer months.
	//
	// A queen lays up to two thousand eggs a day; workers make honey, of which they keep most for the winter.
}

func ExampleFromHTML() {
	src := []byte("<title>Caf\xe9</title><p>Le caf\xe9 est une boisson que l'on fait avec les graines d'un arbre, et que " +
		"l'on boit chaude. Elle vient d'\xc9thiopie, d'o\xf9 elle a pass\xe9 au Y\xe9men.</p>")
	r := maintext.FromHTML(src, "text/html; charset=iso-8859-1", "https://example.org/")
	fmt.Println(r.Text)
	// Output:
	// Le café est une boisson que l'on fait avec les graines d'un arbre, et que l'on boit chaude. Elle vient d'Éthiopie, d'où elle a passé au Yémen.
}

func ExamplePlain() {
	r := maintext.Plain([]byte("First line \r\nsecond line\x00\r\n"))
	fmt.Printf("%s %q\n", r.Source, r.Text)
	// Output: plain "First line\nsecond line"
}
