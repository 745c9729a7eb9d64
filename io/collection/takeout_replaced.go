package collection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// Replacing has tell called by TakeDown with the names of shards of documents in Parquet, before the first of them is
// written again under its name: for what refers to these files.
func (c *Collection) Replacing(tell func(names []string) error) { c.replacing = tell }

// affectedUnits are the keys of units that have anything of the pages. Whoever refers to their Parquet shards is told.
func (t *takeOut) affectedUnits(rows map[string]Row) (keys []string, err error) {
	moved, err := t.c.movedShards()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		// Documents that a compaction has moved were taken out by shared.
		here := slices.DeleteFunc(slices.Clone(rows[key].Shards), moved.has)
		has, err := t.affected(here)
		if err != nil {
			return nil, fmt.Errorf("unit %s: %w", nameOf(key), err)
		}
		if !has && t.moved[nameOf(key)] == nil {
			continue // as it is, with the times of its files
		}
		keys = append(keys, key)
		for _, s := range here {
			if p, _ := holdings.FileTypeOf(s.Name); p.Kind == holdings.KindDocuments && p.Ext == holdings.ExtParquet {
				names = append(names, s.Name)
			}
		}
	}
	if t.c.replacing == nil || len(names) == 0 {
		return keys, nil
	}
	return keys, t.c.replacing(names)
}
