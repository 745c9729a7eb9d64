package collection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// Replacing makes TakeDown call tell, before it rewrites Parquet shards of documents under their names, with those
// names. It is for whatever refers to these files.
func (c *Collection) Replacing(tell func(names []string) error) { c.replacing = tell }

// affectedUnits returns the keys of units that hold anything of listed pages, after telling Replacing's function about
// their Parquet shards.
func (t *takeOut) affectedUnits(rows map[string]Row) (keys []string, err error) {
	moved, err := t.c.movedShards()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		// Moved documents were removed by shared.
		here := slices.DeleteFunc(slices.Clone(rows[key].Shards), moved.has)
		has, err := t.affected(here)
		if err != nil {
			return nil, fmt.Errorf("unit %s: %w", nameOf(key), err)
		}
		if !has && t.moved[nameOf(key)] == nil {
			continue // unchanged, with the times of its files
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
