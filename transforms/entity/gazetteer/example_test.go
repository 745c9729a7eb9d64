package gazetteer_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer"
)

func ExampleFind() {
	text := "The ferry from Bergen, Norway, is late. It sails to Paris, Texas, in a novel."
	for _, m := range gazetteer.Find(text, gazetteer.Context{Language: "en"}, nil) {
		fmt.Println(text[m.Start:m.End], m.Place.Country, m.Place.URL())
	}
	// Output:
	// Bergen NO https://sws.geonames.org/3161732/
	// Norway NO https://sws.geonames.org/3144096/
	// Paris US https://sws.geonames.org/4717560/
	// Texas US https://sws.geonames.org/4736286/
}
