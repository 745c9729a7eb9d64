package entity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// searchBudget bounds the bytes that are searched for names from structured data: 64 names in a text of 1 MiB, all
// names in a usual one. Each name costs a pass over the text; names beyond the budget keep what structured data says,
// without places in the text.
const searchBudget = 64 << 20

// A mention is an entity at a place in the text. start and end are bytes of the text. Of mentions without an id, the
// text is their identity.
type mention struct {
	start, end int
	kind       string // its type
	id         string
	confidence float64
	source     string
	name       string // what it is a short form of; empty if it is none
	entity     *known // the entity, where it was known before the text was looked at
}

// A known is an entity that is being collected.
type known struct {
	schemas.Entity
	key  key
	same *known // which one it turned out to be, instead of one of its own
}

// A collector keeps different entities, up to a limit. entities keeps the order of arrival, which decides what is
// kept at the limit: structured data comes first.
type collector struct {
	entities    []*known
	byKey       map[key]*known
	limit       int // of entities
	maxMentions int // of one entity
	text        string
}

// A key says which entities are the same: type and identifier or, without one, text. A type alone is not enough of a
// distinction: "Washington" is a place and a person.
type key struct{ kind, id string }

func newCollector(limit, maxMentions int) *collector {
	return &collector{byKey: map[key]*known{}, limit: limit, maxMentions: maxMentions}
}

// add keeps e unless it is known, or there are enough, and returns the one that is kept, or nil.
func (c *collector) add(e schemas.Entity) *known {
	// Without an identifier the text stands in for it. The two cannot collide in practice:
	// identifiers are addresses or canonical numbers.
	k := key{e.Type, cmp.Or(e.ID, e.Text)}
	// At the limit an unknown entity gets nil, a known one is still counted.
	if old := c.byKey[k]; old != nil || len(c.entities) >= c.limit {
		return old
	}
	n := &known{Entity: e, key: k}
	c.byKey[k] = n
	c.entities = append(c.entities, n)
	return n
}

// identify gives an entity without an identifier one. Two entities that turn out to be the same become one, which keeps
// what the first says; one that has an identifier of its own keeps it, and is found by the other too.
func (c *collector) identify(e *known, id string) {
	k := key{e.Type, id}
	if id == "" {
		return
	}
	switch old := c.byKey[k]; {
	case old == e:
	case old != nil && e.ID == "":
		// Its key is left: by its text, it is the other from now on.
		e.same, c.byKey[e.key] = old, old
	case old == nil && e.ID == "":
		// The map must follow, or the entity would be found under its old key only.
		delete(c.byKey, e.key)
		e.ID, e.key = id, k
		c.byKey[k] = e
	case old == nil:
		c.byKey[k] = e
	}
}

// identifyPlaces gives places that structured data names the identifiers that the text's places have.
func (c *collector) identifyPlaces(ids *placeIDs) {
	for _, e := range c.entities {
		if e.Type == typePlace {
			c.identify(e, ids.of(e.Text))
		}
	}
}

// locate returns where text names the entities that structured data named, as whole words: in order and, where names
// overlap, the longest.
func (c *collector) locate(text string) []mention {
	c.text = text
	var found []mention
	budget := searchBudget
	// Entities come in the order of the page's structured data, so the budget goes to the first ones.
	for _, e := range c.entities {
		if isPattern(e.Type) {
			continue // the scanner finds it, however it is written
		}
		if budget -= len(text); budget < 0 {
			break
		}
		found = appendOccurrences(found, text, e)
	}
	// By start, and of those that begin together the longest first: the pass below keeps the first of
	// what overlaps.
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

// isPattern reports whether entities of the type are found by the scanner.
func isPattern(kind string) bool {
	switch kind {
	case typeDOI, typeEmail, typeISBN, typeISSN, typeORCID, typePhone:
		return true
	}
	return false
}

// appendOccurrences appends where e's name is in text as whole words.
func appendOccurrences(found []mention, text string, e *known) []mention {
	name := e.Text
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		// Behind this one: occurrences of a name do not overlap each other.
		at = start + len(name)
		if !wordBefore(text, start) && !wordAfter(text, at) {
			found = append(found, mention{
				start: start, end: at, kind: e.Type, confidence: float64(e.Confidence), source: e.Source, entity: e,
			})
		}
	}
	return found
}

// mention counts one. An entity that structured data or a link named already gets its place, and a pattern is from then
// on written as the text writes it.
func (c *collector) mention(m mention) {
	text := cmp.Or(m.name, c.text[m.start:m.end])
	e := m.entity
	if e != nil && e.same != nil {
		e = e.same
	}
	if e == nil {
		e = c.byKey[key{m.kind, cmp.Or(m.id, text)}]
	}
	if e == nil {
		e = c.add(schemas.Entity{
			// The text is a part of a page's memory, which a copy lets go.
			Type: m.kind, Text: strings.Clone(text), Source: m.source, ID: m.id, Confidence: schemas.Float(m.confidence),
		})
	}
	if e == nil {
		return // there are enough
	}
	// A pattern's entity from a link is shown as the text writes it, not as the link does. Those of
	// structured data (m.entity) keep their name, and so does a place that the text names otherwise.
	if e.Count++; e.Count == 1 && m.entity == nil && m.kind != typePlace {
		e.Text = strings.Clone(text)
	}
	// Counted beyond the limit, but not kept.
	if len(e.Mentions) < c.maxMentions {
		e.Mentions = append(e.Mentions, schemas.Span{Start: m.start, End: m.end})
	}
	e.Confidence = max(e.Confidence, schemas.Float(m.confidence))
}

// sorted returns what was kept.
func (c *collector) sorted() []schemas.Entity {
	all := make([]schemas.Entity, 0, len(c.entities))
	for _, e := range c.entities {
		if e.same == nil {
			all = append(all, e.Entity)
		}
	}
	// Type, text and identifier break ties, so the order never depends on a map or on the order of
	// layers.
	slices.SortFunc(all, func(a, b schemas.Entity) int {
		return cmp.Or(
			cmp.Compare(place(&a), place(&b)), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text), cmp.Compare(a.ID, b.ID),
		)
	})
	// The caller keeps the slice for long.
	return slices.Clip(all)
}

// place returns where e is in the text; one that is not comes after all that are.
func place(e *schemas.Entity) int {
	if len(e.Mentions) == 0 {
		// The greatest int.
		return int(^uint(0) >> 1)
	}
	return e.Mentions[0].Start
}
