package contentdb

import (
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// spelled are the fields of few values that Spellings compares. Values of the others are names or texts.
var spelled = []string{
	"data.type", "data.syntax", "language", "mime_detected", "page_type", "record_type", "flags", "entities.type",
}

// maxSpelled bounds the values of a field that are compared.
const maxSpelled = 10_000

// Spelling is a test of a filter with a value in other capital letters, which captures have.
type Spelling struct {
	Was, Is *query.Compare
	Count   int64 // captures that fit the whole filter with it
}

// Spellings returns tests of a filter with values that captures have in other capital letters. They are a reason why
// nothing matches: `data.type = product` for Product. Both may exist, as schema.org has Article and Open Graph article,
// so a filter compares exactly.
func (db *DB) Spellings(ctx context.Context, e query.Expr) (list []Spelling, err error) {
	tests := query.Conjuncts(e)
	for i, t := range tests {
		c, is := t.(*query.Compare)
		if !is || c.Op != query.Equal || !slices.Contains(spelled, c.Field) {
			continue
		}
		if v := c.Value; v.Any || v.Before || v.After {
			continue
		}
		groups, err := db.Facets(ctx, query.Query{AllVersions: true}, []string{c.Field}, maxSpelled)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			value := g.Values[0]
			if value == c.Value.Text || !strings.EqualFold(value, c.Value.Text) {
				continue
			}
			other, err := query.NewCompare(c.Field, query.Equal, value)
			if err != nil {
				continue // a value with a star
			}
			again := slices.Clone(tests)
			again[i] = other
			n, err := db.Count(ctx, query.Query{Where: &query.And{List: again}, AllVersions: true})
			if err != nil {
				return nil, err
			}
			if n > 0 {
				list = append(list, Spelling{Was: c, Is: other, Count: n})
			}
		}
	}
	return list, nil
}
