package entity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// searchBudget bounds the search for names from structured data: 64 names in a text of 1 MiB, all names in a usual
// one. Each costs a pass over the text. Names beyond the budget get no mentions.
const searchBudget = 64 << 20

// mention is an entity at a place in the text. start and end are byte offsets. Without an id, the text is the
// identity.
type mention struct {
	start, end int
	kind       string // type
	id         string
	confidence float64
	source     string
	name       string // full form of a short one; else empty
	entity     *known // entity known before the text was read, or nil
}

// known is an entity that is being collected.
type known struct {
	schemas.Entity
	key  key
	same *known // the entity that it turned out to be, or nil
}

// collector keeps distinct entities, up to a limit. They are in order of arrival, which decides at the limit:
// structured data comes first.
type collector struct {
	entities    []*known
	byKey       map[key]*known
	limit       int // of entities
	maxMentions int // of one entity
	text        string
	currencies  map[string]bool // of prices in structured data
}

// key identifies equal entities: type and identifier or, without one, text. The type matters: "Washington" is a place
// and a person.
type key struct{ kind, id string }

func newCollector(limit, maxMentions int) *collector {
	return &collector{byKey: map[key]*known{}, limit: limit, maxMentions: maxMentions, currencies: map[string]bool{}}
}

// add keeps e unless it is known, or the limit is reached. It returns the kept entity, or nil.
func (c *collector) add(e schemas.Entity) *known {
	// Without an identifier the text replaces it. The two do not collide in practice: identifiers are URLs or
	// canonical numbers.
	k := key{e.Type, cmp.Or(e.ID, e.Text)}
	// At the limit an unknown entity gets nil, a known one still counts.
	if old := c.byKey[k]; old != nil || len(c.entities) >= c.limit {
		return old
	}
	n := &known{Entity: e, key: k}
	c.byKey[k] = n
	c.entities = append(c.entities, n)
	return n
}

// identify gives an entity without an identifier one. Two entities with the same identifier are merged, and the first
// stays. One with another identifier keeps it, and is found by both.
func (c *collector) identify(e *known, id string) {
	k := key{e.Type, id}
	if id == "" {
		return
	}
	switch old := c.byKey[k]; {
	case old == e:
	case old != nil && e.ID == "":
		// Its old key now leads to the other.
		e.same, c.byKey[e.key] = old, old
	case old == nil && e.ID == "":
		// The map must follow the new key.
		delete(c.byKey, e.key)
		e.ID, e.key = id, k
		c.byKey[k] = e
	case old == nil:
		c.byKey[k] = e
	}
}

// identifyPlaces gives places from structured data the identifiers of the text's places.
func (c *collector) identifyPlaces(ids *placeIDs) {
	for _, e := range c.entities {
		if e.Type == typePlace {
			c.identify(e, ids.of(e.Text))
		}
	}
}

// locate returns the mentions of entities from structured data, as whole words in order. Of overlapping names the
// longest counts.
func (c *collector) locate(text string) []mention {
	c.text = text
	var found []mention
	budget := searchBudget
	// Entities are in the order of the page's structured data, so the budget goes to the first ones.
	for _, e := range c.entities {
		if isPattern(e.Type) {
			continue // the scanner finds it in any form
		}
		if budget -= len(text); budget < 0 {
			break
		}
		found = appendOccurrences(found, text, e)
	}
	// By start, then the longest first: the pass below keeps the first of overlapping ones.
	slices.SortStableFunc(found, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	end := 0
	return slices.DeleteFunc(found, func(m mention) bool {
		if m.start < end {
			return true
		}
		end = m.end
		return false
	})
}

// isPattern reports whether the scanner finds entities of the type.
func isPattern(kind string) bool {
	switch kind {
	case typeDOI, typeEmail, typeISBN, typeISSN, typeORCID, typePhone:
		return true
	}
	return false
}

// appendOccurrences appends the whole-word occurrences of e's name in text.
func appendOccurrences(found []mention, text string, e *known) []mention {
	name := e.Text
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		// Occurrences of a name do not overlap each other.
		at = start + len(name)
		if !wordBefore(text, start) && !wordAfter(text, at) {
			found = append(found, mention{
				start: start, end: at, kind: e.Type, confidence: float64(e.Confidence), source: e.Source, entity: e,
			})
		}
	}
	return found
}

// mention counts a mention. An entity known from structured data or a link gets its place. Entities of patterns from
// links take the form of the text.
func (c *collector) mention(m mention) {
	text := cmp.Or(m.name, c.text[m.start:m.end])
	// Numbers and addresses keep the form of the text.
	if m.kind == typePerson || m.kind == typePlace || m.kind == typeOrganization {
		text = evenly(text)
	}
	e := m.entity
	if e != nil && e.same != nil {
		e = e.same
	}
	if e == nil {
		e = c.byKey[key{m.kind, cmp.Or(m.id, text)}]
	}
	if e == nil {
		e = c.add(schemas.Entity{
			// A copy, since the text shares a page's memory.
			Type: m.kind, Text: strings.Clone(text), Source: m.source, ID: m.id, Confidence: schemas.Float(m.confidence),
		})
	}
	if e == nil {
		return // the limit is reached
	}
	// An entity from a link takes the form of the text. Those from structured data (m.entity) keep their name, and so
	// do places with several names.
	if e.Count++; e.Count == 1 && m.entity == nil && m.kind != typePlace {
		e.Text = strings.Clone(text)
	}
	// Counted beyond the limit, but not kept.
	if len(e.Mentions) < c.maxMentions {
		e.Mentions = append(e.Mentions, schemas.Span{Start: m.start, End: m.end})
	}
	e.Confidence = max(e.Confidence, schemas.Float(m.confidence))
}

// evenly returns a name with one space between words. Lines that were wrapped may be indented.
func evenly(name string) string {
	if strings.Contains(name, "  ") || strings.Contains(name, "\u00a0") {
		return strings.Join(strings.Fields(name), " ")
	}
	return name
}

func (c *collector) sorted() []schemas.Entity {
	all := make([]schemas.Entity, 0, len(c.entities))
	for _, e := range c.entities {
		if e.same == nil {
			all = append(all, e.Entity)
		}
	}
	// Type, text and identifier break ties, so the order does not depend on a map or on the layers.
	slices.SortFunc(all, func(a, b schemas.Entity) int {
		return cmp.Or(
			cmp.Compare(place(&a), place(&b)), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text), cmp.Compare(a.ID, b.ID),
		)
	})
	// The caller keeps the slice for long.
	return slices.Clip(all)
}

// place returns the offset of e in the text; entities without one come last.
func place(e *schemas.Entity) int {
	if len(e.Mentions) == 0 {
		// The greatest int.
		return int(^uint(0) >> 1)
	}
	return e.Mentions[0].Start
}
