package standing

import (
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// leftover is a row with the ids of its files, without duplicates.
type leftover struct {
	ledger.Row
	// ids of all files that it was read from; for joined records, of the files with their segments
	ids  []string
	left []string // the ids that the command has not found
}

// settling is one call of Settle.
type settling struct {
	folder *Folder
	rows   map[string]ledger.Row // of the folder, without those that wait
	found  Found
	policy Policy
	world  World
}

// rowsOf returns the rows of a class, sorted by key so that the same folder always gives the same plan. Rows of
// joined records have no inputs. They are settled with the archives, which every run settles.
func (s *settling) rowsOf(class Class) (list []leftover) {
	for _, key := range slices.Sorted(maps.Keys(s.rows)) {
		r := leftover{Row: s.rows[key]}
		if ClassOf(firstOf(r.Row)) != class {
			continue
		}
		seen, unread := map[string]bool{}, map[string]bool{}
		for _, in := range r.Inputs {
			if nothingOf(r.UnitResult, in) {
				unread[s.world.ID(r.Dir, in)] = true
			}
		}
		for _, id := range s.idsOf(r.Row) {
			// The ids of joined records come from stamps and may repeat.
			if seen[id] {
				continue
			}
			seen[id] = true
			r.ids = append(r.ids, id)
			// A row without inputs stays or goes with the units of its segments.
			if len(r.Inputs) > 0 && !s.found.IDs[id] && !unread[id] {
				r.left = append(r.left, id)
			}
		}
		// The topic exists, but its messages are gone.
		if len(r.left) == 0 && class == Topics && s.isTrimmed(r.Row) {
			r.left = r.ids
		}
		list = append(list, r)
	}
	return list
}

// idsOf returns the ids of a row's files; for joined records, of the files that have their segments.
func (s *settling) idsOf(r ledger.Row) (ids []string) {
	// Relative names are relative to the folder of the row's run.
	for _, in := range r.Inputs {
		ids = append(ids, s.world.ID(r.Dir, in))
	}
	if len(r.Inputs) > 0 {
		return ids
	}
	// Joined records have the names of their files as the keys of the stamps.
	for _, name := range slices.Sorted(maps.Keys(r.Stamps)) {
		ids = append(ids, s.world.ID(r.Dir, schemas.Range{File: name}))
	}
	if len(ids) > 0 {
		return ids
	}
	// Rows of earlier versions have no stamps, so count the files of all segments. Too many ids only make more rows
	// stay together.
	for _, other := range s.rows {
		for _, segment := range other.Segments {
			ids = append(ids, s.world.ID(other.Dir, schemas.Range{File: segment.File}))
		}
	}
	slices.Sort(ids)
	return ids
}

// isTrimmed reports whether a row has messages that the topic no longer retains. These are as gone as removed files.
func (s *settling) isTrimmed(r ledger.Row) bool {
	for _, in := range r.Inputs {
		if first, read := s.found.Trimmed[in.File]; read && in.Start < first {
			return true
		}
	}
	return false
}

// holds describes the content of the folder without the rows that wait.
func (s *settling) holds() string {
	return strings.TrimPrefix((&Folder{Rows: s.rows}).Describe(), "its ")
}
