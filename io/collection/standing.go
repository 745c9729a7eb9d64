package collection

import (
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// standing are the units of a plan that cannot be done again.
type standing struct {
	keys map[string]bool
	// joined means that the unit of joined records is among them.
	joined bool
}

func newStanding(keys []string, rows map[string]ledger.Row) standing {
	s := standing{keys: map[string]bool{}}
	for _, key := range keys {
		s.keys[key] = true
		s.joined = s.joined || rows[key].Joins() && rows[key].Key != ""
	}
	return s
}
