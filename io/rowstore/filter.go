package rowstore

import "bytes"

// Filter selects rows by their cells: a [Column], an [All] or an [Any]. It tests every version of all families within
// the range's Since and Till, however few are read. Every store evaluates it at the rows, so that rejected rows do not
// travel.
type Filter interface{ isFilter() }

// Column takes rows with a cell in the column, and with this Value unless it is nil.
type Column struct {
	Family, Qualifier string
	Value             []byte
}

// All takes rows that all of its filters take.
type All []Filter

// Any takes rows that one of its filters takes. Without filters it takes none.
type Any []Filter

func (Column) isFilter() {}
func (All) isFilter()    {}
func (Any) isFilter()    {}

// Takes reports whether the range's filter takes a row, for stores without their own filters. It needs the row as it is
// stored, before Take removes families and versions. A filter may test a column that the reader does not want.
func (r Range) Takes(row Row) bool { return r.takes(r.Where, row) }

func (r Range) takes(f Filter, row Row) bool {
	switch f := f.(type) {
	case All:
		for _, x := range f {
			if !r.takes(x, row) {
				return false
			}
		}
		return true
	case Any:
		for _, x := range f {
			if r.takes(x, row) {
				return true
			}
		}
		return false
	case Column:
		for _, c := range row.Cells {
			if c.Family == f.Family && c.Qualifier == f.Qualifier && r.hasTime(c.Time) &&
				(f.Value == nil || bytes.Equal(c.Value, f.Value)) {
				return true
			}
		}
		return false
	}
	// A nil filter takes every row. All filters are from this package, since isFilter is not exported.
	return true // nil
}

// FamiliesOf returns the families that a filter tests, each once. A store whose filters see only the read families has
// to read these too, and remove them from the answer.
func FamiliesOf(f Filter) []string {
	seen := map[string]bool{}
	var names []string
	var walk func(Filter)
	walk = func(f Filter) {
		switch f := f.(type) {
		case All:
			for _, x := range f {
				walk(x)
			}
		case Any:
			for _, x := range f {
				walk(x)
			}
		case Column:
			if !seen[f.Family] {
				seen[f.Family], names = true, append(names, f.Family)
			}
		}
	}
	walk(f)
	return names
}
