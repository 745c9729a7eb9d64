package standing

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Taken has the ranges of rows that stay, which a plan does not read again.
type Taken struct {
	id     func(dir string, r schemas.Range) string
	ranges map[string][]schemas.Range // by id
}

// NewTaken returns a Taken without ranges. The function identifies files as World.ID does.
func NewTaken(id func(dir string, r schemas.Range) string) *Taken {
	return &Taken{id, map[string][]schemas.Range{}}
}

// Add marks the ranges of a row as taken.
func (t *Taken) Add(r ledger.Row) {
	for _, in := range r.Inputs {
		id := t.id(r.Dir, in)
		t.ranges[id] = append(t.ranges[id], in)
	}
}

// Has reports whether units that stay cover a range. For a file that cannot be read now, any such unit is enough.
func (t *Taken) Has(r schemas.Range) bool {
	by := t.ranges[t.id("", r)]
	return len(by) > 0 && (r.Unreadable != "" || covered(r, by))
}

// Check returns an error if units that stay cover a range of the planned units in part. Ranges that they cover
// completely must have been removed.
func (t *Taken) Check(units []schemas.Unit) error {
	for _, u := range units {
		for _, in := range u.Inputs {
			by := t.ranges[t.id("", in)]
			// Both units would have documents of the same captures.
			if slices.ContainsFunc(by, func(b schemas.Range) bool { return overlap(b, in) }) {
				return cli.Usagef("%s was read in part by a run that was not finished, with other archives that are gone, "+
					"and by other units than those of this command: "+
					"give the --unit_size of that run, or --prune", schemas.Printable(in.File))
			}
		}
	}
	return nil
}

// Rest shortens units of topics, which have one range each, by the ranges that are taken. It drops empty units.
func (t *Taken) Rest(units []schemas.Unit) (rest []schemas.Unit) {
	for _, u := range units {
		in := &u.Inputs[0]
		// Rows that stay begin before the first retained message and do not overlap, so at most one reaches into a
		// unit.
		for _, by := range t.ranges[in.File] {
			if by.Start <= in.Start && in.Start < by.End {
				in.Start = by.End
			}
		}
		if in.Start < in.End {
			rest = append(rest, u)
		}
	}
	return rest
}

// Merge puts rows that stay between units, in the order of archive names. It numbers all units again, and returns the
// rows by the IDs of their units.
func Merge(units []schemas.Unit, rows []ledger.Row) (merged []schemas.Unit, stays map[int]ledger.Row) {
	stays = map[int]ledger.Row{}
	if len(rows) == 0 {
		return units, stays
	}
	// Sorting makes the plan independent of the order of maps.
	rows = slices.SortedStableFunc(slices.Values(rows), compareRows)
	stay := func() {
		stays[len(merged)] = rows[0]
		merged = append(merged, schemas.Unit{ID: len(merged), Inputs: plannedAll(rows[0].Inputs)})
		rows = rows[1:]
	}
	for _, u := range units {
		for len(rows) > 0 && comparePlaces(rows[0].Unit, u) < 0 {
			stay()
		}
		u.ID = len(merged)
		merged = append(merged, u)
	}
	for len(rows) > 0 {
		stay()
	}
	return merged, stays
}

// plannedAll returns ranges as they looked when they were planned.
func plannedAll(inputs []schemas.Range) []schemas.Range {
	list := make([]schemas.Range, len(inputs))
	for i, in := range inputs {
		list[i] = Planned(in)
	}
	return list
}
