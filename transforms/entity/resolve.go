package entity

import (
	"cmp"
	"slices"
	"strings"
)

// trust orders the layers: of overlapping mentions, the layer with the higher number wins. Links have no place in the
// text, so theirs only matters in comparisons of sources.
func trust(source string) int {
	switch source {
	case sourceGazetteer, sourceTagger:
		return 1
	case sourcePattern, sourceLink:
		return 2
	case sourceMicrodata, sourceJSONLD:
		return 3
	}
	return 0
}

// resolve merges the mentions of all layers in order, without overlaps.
func resolve(layers ...[]mention) []mention {
	all := slices.Concat(layers...)
	// By start, then the longer first: each mention is compared only with the last kept one.
	slices.SortStableFunc(all, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	// The result reuses the memory of all: the write index never passes the read index.
	kept := all[:0]
	for _, m := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].end <= m.start:
			kept = append(kept, m)
		case agree(&kept[last], &m):
			kept[last] = joined(&kept[last], &m)
		// It replaces the last. It cannot overlap an earlier one, since the last did not.
		case better(&m, &kept[last]):
			kept[last] = m
		}
	}
	return kept
}

// agree reports whether the tagger and the gazetteer find the same type for the same words.
func agree(a, b *mention) bool {
	return a.start == b.start && a.end == b.end && a.kind == b.kind && a.source != b.source &&
		trust(a.source) == 1 && trust(b.source) == 1
}

// joined merges the mentions of two agreeing layers, which are wrong only if both are. If independent, that
// probability is the product.
func joined(a, b *mention) mention {
	m := *a
	if b.id != "" {
		m = *b // the gazetteer's, with its identifier
	}
	m.confidence = 1 - (1-a.confidence)*(1-b.confidence)
	return m
}

// better reports whether a replaces b, which it overlaps. In two cases the containing one wins: between structured
// data and patterns, and between tagger and gazetteer. For instance, "example" is part of its URL, and Paris of "Paris
// Opera". Otherwise the layer decides, then the confidence.
func better(a, b *mention) bool {
	if contains(a, b) || contains(b, a) {
		low, high := min(trust(a.source), trust(b.source)), max(trust(a.source), trust(b.source))
		if low == 1 && high == 1 || low == 2 && high == 3 {
			return contains(a, b)
		}
	}
	// On a tie the earlier or longer one stays.
	return cmp.Or(cmp.Compare(trust(a.source), trust(b.source)), cmp.Compare(a.confidence, b.confidence)) > 0
}

func contains(a, b *mention) bool {
	return a.start <= b.start && b.end <= a.end && a.end-a.start > b.end-b.start
}

// reader reads the whole document: one mention helps to read others.
type reader struct {
	text     string
	mentions []mention
}

// oneType gives the same form of a name one type everywhere: the one with the higher sum of confidence from tagger and
// gazetteer. Names from structured data keep their type. So "Jordan", a person in ten places of a page, is not a
// country in the eleventh.
func (r *reader) oneType() {
	votes := make([]vote, 0, len(r.mentions))
	last := make(map[string]int, len(r.mentions)) // vote by form, from 1
	for i := range r.mentions {
		m := &r.mentions[i]
		// The form of a pattern decides its type.
		if trust(m.source) == 2 {
			continue
		}
		form := r.text[m.start:m.end]
		k := last[form]
		for k > 0 && votes[k-1].kind != m.kind {
			k = votes[k-1].before
		}
		if k == 0 {
			votes = append(votes, vote{kind: m.kind, best: i, before: last[form]})
			k = len(votes)
			last[form] = k
		}
		v := &votes[k-1]
		best := &r.mentions[v.best]
		if v.sum += m.confidence; m.confidence > best.confidence || m.id != "" && best.id == "" {
			v.best = i
		}
	}
	for i := range r.mentions {
		m := &r.mentions[i]
		k := last[r.text[m.start:m.end]]
		// Most forms have one type.
		if trust(m.source) != 1 || votes[k-1].before == 0 {
			continue
		}
		won := &votes[k-1]
		for k = won.before; k > 0; k = votes[k-1].before {
			// Of equal sums the lesser type wins.
			if v := &votes[k-1]; v.sum > won.sum || v.sum == won.sum && v.kind < won.kind {
				won = v
			}
		}
		if won.kind != m.kind {
			// The mention keeps its place, and takes everything else.
			start, end := m.start, m.end
			*m = r.mentions[won.best]
			m.start, m.end = start, end
		}
	}
}

// vote counts the mentions of a form with one type.
type vote struct {
	kind string
	sum  float64 // of their confidence
	// best is the mention whose identifier and confidence the others take: the most confident, or the first with an
	// identifier.
	best   int
	before int // vote of the form for another type, from 1; or 0
}

// person has a full name.
type person struct {
	name    string
	mention mention
}

// surnames assigns mentions of a surname to the person whose full name ends with it, if there is only one. This
// includes the gazetteer's places of that name, unless something beside them marks a place. It runs after oneType,
// when types are settled.
func (r *reader) surnames(structured []*known) {
	people := map[string]*person{}
	// Structured data comes first; its names need not be in the text.
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
	// The whole mention must be the surname.
	for i, m := range r.mentions {
		p := people[r.text[m.start:m.end]]
		// Only doubtful places give way.
		if p == nil || trust(m.source) != 1 || m.kind != typePerson && m.confidence >= surePlace {
			continue
		}
		r.mentions[i] = p.mention
		// With name, collect counts it for the full name.
		r.mentions[i].start, r.mentions[i].end, r.mentions[i].name = m.start, m.end, p.name
	}
}

// surePlace is the confidence from which a place is not taken for a person of that name.
const surePlace = 0.97

// addPerson notes a full name under its last word. A surname of two people is ambiguous, and one of up to two letters
// is probably an initial.
func addPerson(people map[string]*person, name string, m mention) {
	i := strings.LastIndexByte(name, ' ')
	if i < 0 || len(name)-i <= 3 {
		return
	}
	surname := name[i+1:]
	// nil stays in the map, so that a third person does not get the name.
	if old, known := people[surname]; known && (old == nil || old.name != name) {
		people[surname] = nil
		return
	}
	people[surname] = &person{name: name, mention: m}
}
