// Package gazetteer finds the countries and cities that a text names, and which of several of a name is meant.
//
// It knows 252 countries and their names in 64 languages, the states of the United States, the nations of the United
// Kingdom, and 34,006 cities of 15,000 people or more with their alternate names, from GeoNames and Unicode's CLDR. It
// does not know regions, rivers, quarters or villages, and no inflected forms: в Москве is not found.
//
//	for _, m := range gazetteer.Find(text, gazetteer.Context{Language: "en", Country: "GB"}, nil) {
//		fmt.Println(text[m.Start:m.End], m.Place.ID, m.Confidence)
//	}
//
// A name is looked for where a word begins with a capital letter, or in a script without them, and the longest one is
// taken. Then each is judged: by how many people live there; whether it is also a usual word of the language, or a
// first name; and by what surrounds it: "in" and "from" speak for a place, another capital letter beside it against
// one, a country after a comma both for the city and for which one. What the text says elsewhere counts too. All that
// adds up to the confidence, a logistic function of weights that were set by hand and checked on labelled texts: see
// docs/entities.md.
//
// The table is made by go generate and used where it lies in the program: it costs no time to load, and memory only
// where it is touched.
package gazetteer

//go:generate go run ../../../.tools/gen/places -out places.bin

import (
	_ "embed"
	"fmt"
	"strconv"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// Version is the version of the answers.
const Version = "1"

// maxMatches bounds the names that are looked at in one text. A page of a hundred kilobytes of nothing but cities has
// fewer.
const maxMatches = 20_000

// The kinds of places.
const (
	Country = Kind(table.Country)
	State   = Kind(table.State) // of the United States; also the nations of the United Kingdom
	City    = Kind(table.City)
)

// A Kind is what sort of place a place is. The values are those of the table, so a conversion is all that is needed.
type Kind uint8

// A Place is a country, a state or a city.
type Place struct {
	ID         int // GeoNames
	Kind       Kind
	Country    string // ISO 3166-1 alpha-2
	Population int
}

// URL returns the place's identifier in linked data.
func (p Place) URL() string { return "https://sws.geonames.org/" + strconv.Itoa(p.ID) + "/" }

// A Mention is a place named in a text. Start and End do not hold a Korean particle behind the name.
type Mention struct {
	Start, End int // bytes
	Place      Place
	Confidence float64 // that it is a place and this one, 0 to 1
}

// Context is what is known of a text.
type Context struct {
	Language string  // ISO 639-1; empty if not known
	Country  string  // where the page is from, ISO 3166-1 alpha-2; empty if not known
	Least    float64 // confidence of what is returned; 0.5 by default
}

// Find appends the places that text names to dst, in the order of the text and without overlaps. dst may be nil; its
// memory is used if it has room.
func Find(text string, c Context, dst []Mention) []Mention {
	// Half: as likely a place as not.
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

// Identify returns the place that name most likely means, and whether that is clear without a text: for a name that is
// known to be a place's.
func Identify(name string, c Context) (Place, bool) {
	// The table has no letters in it that are a word when they are small.
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

// clearShare is from which share on of what speaks for all places of a name it is clear that one is meant.
const clearShare = 0.8

// place returns a place of the table.
func (f *finder) place(i uint16) Place {
	p := f.table.Place(i)
	return Place{ID: int(p.ID), Kind: Kind(p.Kind), Country: p.Country, Population: int(p.Population)}
}

// file is a string, not bytes: the linker puts it into read-only pages, which the system loads when they are
// touched.
//
//go:embed places.bin
var file string

// places is the table. Opened once, when the first text is looked at, so that programs that never look pay nothing.
var places = sync.OnceValue(func() *table.Table {
	t, err := table.Open(file)
	if err != nil {
		panic(fmt.Sprintf("gazetteer: places.bin: %v", err)) // the program was built with a damaged file
	}
	return t
})
