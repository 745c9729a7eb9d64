package pagedata

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// rdfa returns the resources that RDFa describes as items, in the order of their first statements. A resource that is
// the value of another is found there, the first time.
func (r *reader) rdfa() (items []*Item) {
	t := &tree{r: r, of: map[string][]statement{}, placed: map[string]bool{}}
	inner := map[string]bool{}
	for _, s := range r.statements() {
		if t.of[s.subject] == nil {
			t.order = append(t.order, s.subject)
		}
		t.of[s.subject] = append(t.of[s.subject], s)
		if s.resource && s.object != s.subject && s.predicate != rdfType {
			inner[s.object] = true
		}
	}
	// First resources that are not values of others, then circles of them.
	for _, again := range []bool{false, true} {
		for _, subject := range t.order {
			if t.placed[subject] || inner[subject] != again {
				continue
			}
			if it := t.item(subject, 0); it != nil {
				items = append(items, it)
			}
		}
	}
	return items
}

// tree makes items of statements.
type tree struct {
	r      *reader
	of     map[string][]statement // by subject
	order  []string
	placed map[string]bool
}

func (t *tree) item(subject string, depth int) *Item {
	t.placed[subject] = true
	id := subject
	if strings.HasPrefix(id, "_:") {
		id = ""
	}
	it := t.r.item(schemas.SyntaxRDFa, nil, id)
	if it == nil {
		return nil
	}
	seen := map[statement]bool{}
	for _, s := range t.of[subject] {
		// A graph is a set.
		if seen[s] {
			continue
		}
		seen[s] = true
		switch {
		case s.predicate == rdfType && s.resource:
			it.Types = append(it.Types, s.object)
		case s.resource && t.of[s.object] != nil && !t.placed[s.object] && depth+1 < maxDepth:
			if child := t.item(s.object, depth+1); child != nil {
				t.r.append(it, Prop{Name: s.predicate, Item: child})
			}
		default:
			t.r.add(it, s.predicate, s.object, s.lang)
		}
	}
	return it
}
