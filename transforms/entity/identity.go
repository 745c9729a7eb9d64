package entity

import "github.com/gleaner-web/gleaner/transforms/entity/gazetteer"

// placeIDs knows the identifiers of places by their names in one document, so that a place has the same one wherever
// and by whichever of its names it is named.
type placeIDs struct {
	byName  map[string]string // the empty text for a name that was looked for without success
	context gazetteer.Context
}

// newPlaceIDs starts from what the gazetteer found in text.
func newPlaceIDs(text string, places []mention, l locale) *placeIDs {
	p := &placeIDs{map[string]string{}, gazetteer.Context{Language: l.language, Country: l.home}}
	// The last place of a form wins; the gazetteer decides alike for all mentions of a form in nearly
	// all texts.
	for _, m := range places {
		p.byName[text[m.start:m.end]] = m.id
	}
	return p
}

// of returns the identifier of the place with this name. Where the gazetteer did not find it in the text, the name may
// still be a country's or state's: it is known to be a place's, so there is no doubt. A city has too many namesakes.
func (p *placeIDs) of(name string) string {
	id, known := p.byName[name]
	if !known {
		if place, ok := gazetteer.Identify(name, p.context); ok && place.Kind != gazetteer.City {
			id = place.URL()
		}
		p.byName[name] = id
	}
	return id
}

// identifyPlaces gives the tagger's places the identifiers that the gazetteer has.
func (r *reader) identifyPlaces(ids *placeIDs) {
	for i := range r.mentions {
		if m := &r.mentions[i]; m.kind == typePlace && m.id == "" && m.entity == nil {
			m.id = ids.of(r.text[m.start:m.end])
		}
	}
}
