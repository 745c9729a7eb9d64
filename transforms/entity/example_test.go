package entity_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/entity"
)

func ExampleExtract() {
	found := entity.Extract(entity.Input{
		Text:     "Am 3. März 2020 kostete es 1.250,00 €; Fragen an info@example.org, Tel. 030 901820.",
		Language: "de",
	}, entity.Options{})
	for _, e := range found {
		fmt.Printf("%2d %s %q %s\n", e.Mentions[0].Start, e.Type, e.Text, e.ID)
	}
	// Output:
	//  3 date "3. März 2020" 2020-03-03
	// 28 money "1.250,00 €" EUR 1250.00
	// 52 email "info@example.org" info@example.org
	// 75 phone "030 901820" +4930901820
}
