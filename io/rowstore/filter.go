package rowstore

import "bytes"

// Filter tells by a row's cells whether it is read: a [Column], an [All] or an [Any]. It looks at the versions that
// the range's Since and Till take, of all families, and at every version of a column however few are read. Every store
// decides it where the rows are, so that rows that it leaves out do not travel.
type Filter interface{ isFilter() }

// Column takes rows that have a cell in the column, with Value unless that is nil.
type Column struct {
	Family, Qualifier string
	Value             []byte
}

// All takes rows that all of its filters take.
type All []Filter

// Any takes rows that one of its filters takes: none, when there are none.
type Any []Filter

func (Column) isFilter() {}
func (All) isFilter()    {}
func (Any) isFilter()    {}

// Takes reports whether the range's filter takes a row: for stores that have no filters themselves.
// It looks at the row as it is stored, before Take has cut it down to the families and versions that are read: a filter
// may ask for a column that the reader does not want.
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
	// A nil filter takes every row. Only filters of this package exist, since isFilter is not exported.
	return true // nil
}

// FamiliesOf are the families that a filter looks at, each once.
// A store whose filters see only what is read has to add them to the families that it reads, and take them out of the
// answer again.
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
