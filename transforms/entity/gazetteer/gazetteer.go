// Package gazetteer finds the countries and cities in a text, and chooses among several of a name.
//
// It knows 252 countries and their names in 64 languages, the states of the United States, and the nations of the
// United Kingdom. It also knows 34,006 cities of 15,000 people or more with their alternate names. The data is from
// GeoNames and Unicode's CLDR. It does not know regions, rivers, quarters or villages, and no inflected forms: в
// Москве is not found.
//
//	for _, m := range gazetteer.Find(text, gazetteer.Context{Language: "en", Country: "GB"}, nil) {
//		fmt.Println(text[m.Start:m.End], m.Place.ID, m.Confidence)
//	}
//
// A name begins at a word with a capital letter, or in a script without them; the longest counts. The evidence is the
// population, whether it is also a usual word of the language or a first name, and the words around. The words "in"
// and "from" speak for a place, another capitalised word beside it against one. A country after a comma confirms the
// city and decides which one. Other mentions in the text count too. The confidence is a logistic function of weights
// that were set by hand and checked on labelled texts: see docs/entities.md.
//
// The command go generate makes the table, which is used in place in the program. So it takes no time to load, and
// memory only for used pages.
package gazetteer

//go:generate go run ../../../.tools/gen/places -out places.bin

import (
	_ "embed"
	"fmt"
	"strconv"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// Version is the version of the results.
const Version = "1"

// maxMatches bounds the names in one text. A page of a hundred kilobytes of only cities has fewer.
const maxMatches = 20_000

const (
	Country = Kind(table.Country)
	State   = Kind(table.State) // of the United States; also the nations of the United Kingdom
	City    = Kind(table.City)
)

// Kind is the kind of a place. The values are those of the table.
type Kind uint8

// Place is a country, a state or a city.
type Place struct {
	ID         int // GeoNames
	Kind       Kind
	Country    string // ISO 3166-1 alpha-2
	Population int
}

// URL returns the place's identifier in linked data.
func (p Place) URL() string { return "https://sws.geonames.org/" + strconv.Itoa(p.ID) + "/" }

// Mention is a place named in a text. Start and End exclude a Korean particle after the name.
type Mention struct {
	Start, End int // bytes
	Place      Place
	Confidence float64 // that it is a place, and this one; 0 to 1
}

// Context describes a text.
type Context struct {
	Language string  // ISO 639-1; empty if unknown
	Country  string  // country of the page, ISO 3166-1 alpha-2; empty if unknown
	Least    float64 // least confidence of results; default 0.5
}

// Find appends the places in text to dst, in order and without overlaps. dst may be nil; its memory is used if it has
// room.
func Find(text string, c Context, dst []Mention) []Mention {
	if c.Least == 0 {
		c.Least = 0.5
	}
	f := newFinder(text, c)
	f.scan()
	if len(f.matches) == 0 {
		return dst
	}
	f.gather()
	return f.judge(dst)
}

// Identify returns the most likely place of a name that is known to be a place, and whether it is clear without a
// text.
func Identify(name string, c Context) (Place, bool) {
	// The table lacks abbreviations that are words in small letters.
	if name == "US" {
		name = "USA"
	}
	f := newFinder(name, c)
	f.scan()
	if len(f.matches) != 1 || f.matches[0].start != 0 || f.matches[0].end != len(name) {
		return Place{}, false
	}
	m := &f.matches[0]
	m.place = f.likeliest(m)
	regions := 0 // countries and states of the name; Georgia is both
	for _, c := range m.name.Candidates {
		if f.table.Place(c).Kind != table.City {
			regions++
		}
	}
	return f.place(m.place), regions < 2 && f.share(m) >= clearShare
}

// clearShare is the share of a place in the evidence for all places of its name from which it is clear.
const clearShare = 0.8

func (f *finder) place(i uint16) Place {
	p := f.table.Place(i)
	return Place{ID: int(p.ID), Kind: Kind(p.Kind), Country: p.Country, Population: int(p.Population)}
}

// file is a string, so the linker puts it into read-only pages, which the system loads on use.
//
//go:embed places.bin
var file string

// places is the table, opened for the first text, so that other programs do not pay for it.
var places = sync.OnceValue(func() *table.Table {
	t, err := table.Open(file)
	if err != nil {
		panic(fmt.Sprintf("gazetteer: places.bin: %v", err)) // the program was built with a damaged file
	}
	return t
})
