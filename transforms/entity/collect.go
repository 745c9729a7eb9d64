package entity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// searchBudget bounds the bytes that are searched for names from structured data: 64 names in a text of 1 MiB, all
// names in a usual one.
const searchBudget = 64 << 20

// A mention is an entity at a place in the text.
type mention struct {
	start, end int
	kind       string // its type
	id         string
	confidence float64
}

// A collector keeps different entities, up to a limit.
type collector struct {
	entities []schemas.Entity
	byKey    map[key]int
	limit    int
	text     string
}

// A key says which entities are the same: type and identifier or, without one, text.
type key struct{ kind, id string }

func newCollector(limit int) *collector {
	return &collector{byKey: map[key]int{}, limit: limit}
}

// keyOf returns e's key.
func keyOf(e *schemas.Entity) key { return key{e.Type, cmp.Or(e.ID, e.Text)} }

// add keeps e unless it is known or there are enough.
func (c *collector) add(e schemas.Entity) {
	k := keyOf(&e)
	if _, known := c.byKey[k]; known || len(c.entities) >= c.limit {
		return
	}
	c.byKey[k] = len(c.entities)
	c.entities = append(c.entities, e)
}

// locate looks for the entities that structured data named in text: Count and Start are of whole words.
func (c *collector) locate(text string) {
	c.text = text
	budget := searchBudget
	for i := range c.entities {
		e := &c.entities[i]
		if isPattern(e.Type) {
			continue // the scanner finds it, however it is written
		}
		if budget -= len(text); budget < 0 {
			return
		}
		e.Count, e.Start = occurrences(text, e.Text)
	}
}

// isPattern reports whether entities of the type are found by the scanner.
func isPattern(kind string) bool {
	switch kind {
	case typeDOI, typeEmail, typeISBN, typeISSN, typeORCID, typePhone:
		return true
	}
	return false
}

// occurrences returns how often name stands in text as whole words, and where first.
func occurrences(text, name string) (n int, first *int) {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(name)
		if wordBefore(text, start) || wordAfter(text, at) {
			continue
		}
		if n++; n == 1 {
			first = &start
		}
	}
	return n, first
}

// mention takes what the scanner found. An entity that structured data or a link named already gets its place, and is
// from then on written as the text writes it.
func (c *collector) mention(m mention) {
	text := c.text[m.start:m.end]
	i, known := c.byKey[key{m.kind, cmp.Or(m.id, text)}]
	if !known {
		c.add(schemas.Entity{
			Type: m.kind, Text: strings.Clone(text), Count: 1, Start: &m.start,
			Source: sourcePattern, ID: m.id, Confidence: m.confidence,
		})
		return
	}
	e := &c.entities[i]
	if e.Count++; e.Start == nil {
		e.Start, e.Text = &m.start, strings.Clone(text)
	}
	e.Confidence = max(e.Confidence, m.confidence)
}

// sorted returns what was kept.
func (c *collector) sorted() []schemas.Entity {
	slices.SortFunc(c.entities, func(a, b schemas.Entity) int {
		return cmp.Or(
			cmp.Compare(place(&a), place(&b)), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text), cmp.Compare(a.ID, b.ID),
		)
	})
	return c.entities
}

// place returns where e is in the text; one that is not comes after all that are.
func place(e *schemas.Entity) int {
	if e.Start == nil {
		return int(^uint(0) >> 1)
	}
	return *e.Start
}
