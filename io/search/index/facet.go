package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Count returns how many captures match a query, whatever its limit. For verify see Find.
func (x *Index) Count(ctx context.Context, q query.Query, verify Verify) (n int64, err error) {
	sets, w, err := x.answer(ctx, q, verify)
	if err != nil {
		return 0, err
	}
	defer w.close()
	for _, set := range sets {
		n += int64(set.GetCardinality())
	}
	return n, nil
}

// answer returns the versions of each volume that match a query, and their view, which the caller closes.
func (x *Index) answer(ctx context.Context, q query.Query, verify Verify) ([]*roaring.Bitmap, *view, error) {
	w, err := x.view(ctx, q, verify)
	if err != nil {
		return nil, nil, x.noted(err)
	}
	sets, err := w.chosen(ctx)
	if err != nil {
		w.close()
		return nil, nil, x.noted(err)
	}
	return sets, w, nil
}

// Facet is the number of matching captures that share some values.
type Facet struct {
	Values []string // one for each requested field, "" for a capture without one
	Count  int64
}

// FacetFields returns the fields that Facets counts by.
func FacetFields() (names []string) {
	for _, f := range smalls {
		names = append(names, f.facet)
	}
	for _, l := range lists {
		if l.field != textField {
			names = append(names, l.field)
		}
	}
	return names
}

// maxFacets limits the combinations of values that are counted at a time.
const maxFacets = 1_000_000

// ErrManyFacets means that there are more values, or combinations of values, than maxFacets.
var ErrManyFacets = fmt.Errorf("index: more than %d combinations of values: count by fewer fields, or fewer captures",
	maxFacets)

// Facets counts the captures that match a query, whatever its limit, by the values of some fields: see Counts. It
// returns the top combinations, or all for top 0: the most frequent first, equal ones sorted by values. It counts with
// bitmaps, so the number of captures hardly matters. For verify see Find.
func (x *Index) Facets(ctx context.Context, q query.Query, by []string, top int, verify Verify) ([]Facet, error) {
	if len(by) == 0 {
		return nil, fmt.Errorf("index: no field to count by; there are %s", strings.Join(FacetFields(), ", "))
	}
	fields, err := fieldsOf(by)
	if err != nil {
		return nil, err
	}
	sets, w, err := x.answer(ctx, q, verify)
	if err != nil {
		return nil, err
	}
	defer w.close()
	list, err := w.facets(ctx, sets, fields, top)
	return list, x.noted(err)
}

// fieldsOf returns the fields of these names.
func fieldsOf(by []string) ([]small, error) {
	fields, several := make([]small, len(by)), 0
	for i, name := range by {
		if unit, is := periodOf(name); is && (len(by) == 1 || unit == kindYear && isPair(by)) {
			fields[i] = small{kind: unit, facet: name}
			continue
		}
		if l, is := listOf(name); is && several == 0 {
			fields[i], several = small{kind: l.kind, facet: name}, 1
			continue
		}
		j := slices.IndexFunc(smalls, func(f small) bool { return f.facet == name || f.field == name && name != "" })
		if j < 0 {
			return nil, fmt.Errorf("index: cannot count by %q; fields to count by are %s", name,
				strings.Join(FacetFields(), ", "))
		}
		fields[i] = smalls[j]
	}
	return fields, nil
}

// isPair reports whether fields are two that addPairs counts by: none is a list.
func isPair(by []string) bool {
	return len(by) == 2 && by[0] != by[1] && !slices.ContainsFunc(by, func(name string) bool {
		_, is := listOf(name)
		return is
	})
}

// facets counts the versions of sets, one for each volume, by the combinations of fields.
func (w *view) facets(ctx context.Context, sets []*roaring.Bitmap, fields []small, top int) ([]Facet, error) {
	if len(fields) == 1 && (fields[0].kind == kindYear || fields[0].kind == kindDay) {
		return w.periods(ctx, sets, fields[0].kind, top)
	}
	if len(w.list) == 1 && len(fields) == 1 {
		return w.list[0].topValues(ctx, sets[0], fields[0].kind, top)
	}
	// One tally for all volumes: a value's number differs between them, its text does not.
	t := tally{}
	for i, s := range w.list {
		err := error(nil)
		if at := slices.IndexFunc(fields, func(f small) bool { return f.kind >= firstList }); at >= 0 && len(fields) > 1 {
			err = t.addBeside(ctx, s, sets[i], fields, at)
		} else {
			err = t.add(ctx, s, sets[i], fields)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.top(top), nil
}

// tally counts combinations of values.
type tally map[string]*Facet

// labelled is a value with its versions in one chunk.
type labelled struct {
	text string
	set  *roaring.Bitmap
}

// add counts the versions of a set, chunk by chunk, so that only one chunk's bitmaps are in memory.
func (t tally) add(ctx context.Context, s *snapshot, set *roaring.Bitmap, fields []small) error {
	switch len(fields) {
	case 1:
		return t.addValues(ctx, s, set, fields[0].kind)
	case 2:
		return t.addPairs(ctx, s, set, fields[0], fields[1])
	}
	for chunk, part := range chunks(set) {
		values := make([][]labelled, len(fields))
		for i, f := range fields {
			list, err := s.valuesIn(ctx, f.kind, chunk, part)
			if err != nil {
				return err
			}
			values[i] = list
		}
		if err := t.count(part, nil, values); err != nil {
			return err
		}
	}
	return nil
}

// topValues counts the versions of a set by the values of one field.
func (s *snapshot) topValues(ctx context.Context, set *roaring.Bitmap, k kind, top int) ([]Facet, error) {
	c, err := s.count(ctx, k, set)
	if err != nil {
		return nil, err
	}
	all := c.list()
	if top == 0 && len(all) > maxFacets {
		return nil, ErrManyFacets
	}
	return s.top(ctx, k, all, top)
}

// count counts the versions of a set by the values of one field.
func (s *snapshot) count(ctx context.Context, k kind, set *roaring.Bitmap) (*counts, error) {
	if k >= firstList {
		return s.countLists(ctx, k, set)
	}
	c := &counts{sparse: map[int64]uint64{}}
	return c, s.countValues(ctx, k, set, c.sparse)
}

// addValues counts the versions of a set by the values of one field.
func (t tally) addValues(ctx context.Context, s *snapshot, set *roaring.Bitmap, k kind) error {
	list, err := s.topValues(ctx, set, k, 0)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := t.note(f.Values, uint64(f.Count)); err != nil {
			return err
		}
	}
	return nil
}

// valuesIn returns the values of the versions of part, which is in one chunk.
func (s *snapshot) valuesIn(
	ctx context.Context, k kind, chunk uint32, part *roaring.Bitmap,
) (list []labelled, err error) {
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		set, err := scanBits(rows, &id)
		// Checked before the name is read: most values do not occur in the set.
		if err != nil || !set.Intersects(part) {
			return err
		}
		text, err := s.name(ctx, id)
		list = append(list, labelled{text, set})
		return err
	}, "select value, bits from bits where kind = ? and chunk = ?", k, chunk)
	return list, err
}

// count counts the combinations of the remaining fields in a set, for the given first values.
func (t tally) count(set *roaring.Bitmap, values []string, left [][]labelled) error {
	for _, v := range left[0] {
		// Full capacity, so that each combination gets its own list.
		combined := append(values[:len(values):len(values)], v.text)
		var err error
		if len(left) == 1 {
			// The last field is counted without making a bitmap.
			err = t.note(combined, set.AndCardinality(v.set))
		} else if both := roaring.And(set, v.set); !both.IsEmpty() {
			err = t.count(both, combined, left[1:])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note adds to the count of a combination.
func (t tally) note(values []string, n uint64) error {
	if n == 0 {
		return nil
	}
	var key []byte
	for _, v := range values {
		// With its length, so that keys are unique.
		key = append(binary.AppendUvarint(key, uint64(len(v))), v...)
	}
	f := t[string(key)]
	if f == nil {
		// Checked before adding: the product of several fields has no other limit.
		if len(t) == maxFacets {
			return ErrManyFacets
		}
		f = &Facet{Values: values}
		t[string(key)] = f
	}
	f.Count += int64(n)
	return nil
}

// top returns the most frequent combinations.
func (t tally) top(n int) []Facet {
	list := make([]Facet, 0, len(t))
	for _, f := range t {
		list = append(list, *f)
	}
	return mostFrequent(list, n)
}

// mostFrequent sorts a list and cuts it to n, or not for 0.
func mostFrequent(list []Facet, n int) []Facet {
	slices.SortFunc(list, func(a, b Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Values, b.Values))
	})
	if n > 0 && len(list) > n {
		list = list[:n:n]
	}
	return list
}
