package entity

import "github.com/gleaner-web/gleaner/transforms/entity/gazetteer"

// placeIDs has the identifiers of places by name in one document, so that a place has the same one under each of its
// names.
type placeIDs struct {
	byName  map[string]string // empty for a name that was not found
	context gazetteer.Context
}

// newPlaceIDs starts from the gazetteer's places in text.
func newPlaceIDs(text string, places []mention, l locale) *placeIDs {
	p := &placeIDs{map[string]string{}, gazetteer.Context{Language: l.language, Country: l.home}}
	// The last place of a form wins; the gazetteer nearly always decides alike for all mentions of a form.
	for _, m := range places {
		p.byName[text[m.start:m.end]] = m.id
	}
	return p
}

// of returns the identifier of the place with this name. A place that the gazetteer did not find in the text may still
// be a country or state. A city has too many namesakes.
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

// identifyPlaces gives the tagger's places the identifiers of the gazetteer.
func (r *reader) identifyPlaces(ids *placeIDs) {
	for i := range r.mentions {
		if m := &r.mentions[i]; m.kind == typePlace && m.id == "" && m.entity == nil {
			m.id = ids.of(r.text[m.start:m.end])
		}
	}
}
