package entity

import (
	"cmp"
	"slices"
	"strings"
)

// trust orders the layers: where mentions overlap, that of the layer with the higher number stays. Links have no
// place in the text, so their number only matters in comparisons of sources.
var trust = map[string]int{
	sourceGazetteer: 1, sourceTagger: 1, sourcePattern: 2, sourceLink: 2, sourceMicrodata: 3,
	sourceJSONLD: 3,
}

// resolve puts the mentions of all layers in order, without overlaps.
func resolve(layers ...[]mention) []mention {
	all := slices.Concat(layers...)
	// By start, the longer first: every mention is compared only with the last that was kept.
	slices.SortStableFunc(all, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	// The result takes the memory of all, which is a copy: what is kept is never in front of what is
	// read.
	kept := all[:0]
	for _, m := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].end <= m.start:
			kept = append(kept, m)
		case agree(&kept[last], &m):
			kept[last] = joined(&kept[last], &m)
		// It replaces the last; it may still overlap one before that only if the last did, which is
		// not so.
		case better(&m, &kept[last]):
			kept[last] = m
		}
	}
	return kept
}

// agree reports whether the tagger and the gazetteer say the same of the same words.
func agree(a, b *mention) bool {
	return a.start == b.start && a.end == b.end && a.kind == b.kind && a.source != b.source &&
		trust[a.source] == 1 && trust[b.source] == 1
}

// joined returns what two layers say that agree: both would have to be wrong. If the two were independent, the chance
// that both are wrong is the product.
func joined(a, b *mention) mention {
	m := *a
	if b.id != "" {
		m = *b // the gazetteer's, with its identifier
	}
	m.confidence = 1 - (1-a.confidence)*(1-b.confidence)
	return m
}

// better reports whether a replaces b, which it overlaps. Between structured data and patterns, and between the tagger
// and the gazetteer where one name holds the other, the longer one does: "example" is a part of its address, and Paris
// of "Paris Opera". In all other cases the layer decides, and within it the confidence.
func better(a, b *mention) bool {
	if contains(a, b) || contains(b, a) {
		low, high := min(trust[a.source], trust[b.source]), max(trust[a.source], trust[b.source])
		if low == 1 && high == 1 || low == 2 && high == 3 {
			return contains(a, b)
		}
	}
	// A tie keeps the one that was there, which begins earlier or is longer.
	return cmp.Or(cmp.Compare(trust[a.source], trust[b.source]), cmp.Compare(a.confidence, b.confidence)) > 0
}

// contains reports whether a is longer than b and holds all of it.
func contains(a, b *mention) bool {
	return a.start <= b.start && b.end <= a.end && a.end-a.start > b.end-b.start
}

// A reader of the whole document: what one mention says helps to read the others.
type reader struct {
	text     string
	mentions []mention
}

// oneType gives the same form of a name the same type everywhere: the one for which the tagger and the gazetteer are
// surer in sum. A name that structured data has keeps the type that it has there. "Jordan" that is a person in ten
// places of a page is not a country in the eleventh.
func (r *reader) oneType() {
	type vote struct {
		sum  float64
		best mention
	}
	votes := map[string]map[string]*vote{} // by form and type
	for _, m := range r.mentions {
		// Patterns have their type by their form, whatever stands elsewhere.
		if trust[m.source] == 2 {
			continue
		}
		form := r.text[m.start:m.end]
		if votes[form] == nil {
			votes[form] = map[string]*vote{}
		}
		v := votes[form][m.kind]
		if v == nil {
			v = &vote{best: m}
			votes[form][m.kind] = v
		}
		// best is the mention whose identifier and confidence the others take: the surest, or the
		// first with an identifier.
		if v.sum += m.confidence; m.confidence > v.best.confidence || m.id != "" && v.best.id == "" {
			v.best = m
		}
	}
	for i, m := range r.mentions {
		form := r.text[m.start:m.end]
		if trust[m.source] != 1 || len(votes[form]) < 2 {
			continue
		}
		kind := m.kind
		// Maps have no order: of equal sums the lesser type wins, so the answer is the same each
		// time.
		for other, v := range votes[form] {
			if s := votes[form][kind].sum; v.sum > s || v.sum == s && other < kind {
				kind = other
			}
		}
		if best := votes[form][kind].best; kind != m.kind {
			// The mention keeps its place, and takes everything else.
			best.start, best.end = m.start, m.end
			r.mentions[i] = best
		}
	}
}

// A person is one with a full name.
type person struct {
	name    string
	mention mention
}

// surnames gives mentions of a surname to the person whose full name ends with it, if there is only one. The
// gazetteer's places with that name are taken for the person too, unless something beside them says that they are
// places. It runs after oneType, so the types of names are settled.
func (r *reader) surnames(structured []*known) {
	people := map[string]*person{}
	// Structured data comes first; its names may not be in the text at all.
	for _, e := range structured {
		if e.Type == typePerson {
			addPerson(people, e.Text, mention{
				kind: typePerson, id: e.ID, confidence: float64(e.Confidence), source: e.Source,
				entity: e,
			})
		}
	}
	for _, m := range r.mentions {
		if m.kind == typePerson {
			addPerson(people, r.text[m.start:m.end], m)
		}
	}
	// The whole mention must be the surname, nothing but that.
	for i, m := range r.mentions {
		p := people[r.text[m.start:m.end]]
		// Only doubtful places give way.
		if p == nil || trust[m.source] != 1 || m.kind != typePerson && m.confidence >= surePlace {
			continue
		}
		r.mentions[i] = p.mention
		// name makes collect count it for the full name.
		r.mentions[i].start, r.mentions[i].end, r.mentions[i].name = m.start, m.end, p.name
	}
}

// surePlace is the confidence from which on a place is not taken for a person of that name.
const surePlace = 0.97

// addPerson notes a full name under its last word. A surname that two people have is nobody's. Surnames of two
// letters or fewer are more often initials.
func addPerson(people map[string]*person, name string, m mention) {
	i := strings.LastIndexByte(name, ' ')
	if i < 0 || len(name)-i <= 3 {
		return
	}
	surname := name[i+1:]
	// nil stays in the map, so that a third person does not get the name back.
	if old, known := people[surname]; known && (old == nil || old.name != name) {
		people[surname] = nil
		return
	}
	people[surname] = &person{name: name, mention: m}
}
