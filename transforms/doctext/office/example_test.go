package office_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

func ExampleRead() {
	body := []byte(`{\rtf1\ansi{\info{\title Tide tables}{\author Ada Quay}}High water:\par\trowd\intbl 1 May\cell 06:10\cell\row`)
	d, err := office.Read("application/rtf", body, doctext.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Title, d.Authors)
	fmt.Printf("%q\n", d.Text)
	fmt.Println(d.Problems[0].Kind)
	// Output:
	// Tide tables [Ada Quay]
	// "High water:\n\n1 May\t06:10"
	// damaged
}
