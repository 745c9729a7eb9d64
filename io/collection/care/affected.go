package care

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// affectedUnits returns the keys of units that hold anything of listed pages, after calling tell with the names
// of their Parquet shards.
func (t *removal) affectedUnits(rows map[string]ledger.Row) (keys []string, err error) {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		// Moved documents were removed by shared.
		here := slices.DeleteFunc(slices.Clone(rows[key].Shards), t.moved.Has)
		has, err := t.affected(here)
		if err != nil {
			return nil, fmt.Errorf("unit %s: %w", ledger.UnitOfKey(key), err)
		}
		if !has && t.fewer[ledger.UnitOfKey(key)] == nil {
			continue // unchanged, with the times of its files
		}
		keys = append(keys, key)
		for _, s := range here {
			if p, _ := holdings.FileTypeOf(s.Name); p.Kind == holdings.KindDocuments && p.Ext == holdings.ExtParquet {
				names = append(names, s.Name)
			}
		}
	}
	if t.tell == nil || len(names) == 0 {
		return keys, nil
	}
	return keys, t.tell(names)
}
