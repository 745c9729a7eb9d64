package collection

import (
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// removeShards removes files that a manifest lists, if they have names of shards.
func (c *Collection) removeShards(shards []schemas.Shard) error {
	for _, s := range shards {
		if _, ok := holdings.FileTypeOf(s.Name); !ok {
			continue
		}
		if err := c.removeShard(s.Name); err != nil {
			return err
		}
	}
	return nil
}

// removeShard removes a shard that no unit has any more. If the collection has an Iceberg table, its Parquet documents
// stay until their snapshots expire: readers of the table still use them.
func (c *Collection) removeShard(name string) error {
	if p, ok := holdings.FileTypeOf(name); ok && p.Kind == holdings.KindDocuments && p.Ext == holdings.ExtParquet {
		// Looked for once, because tables are not made during a run.
		if c.tabled == nil {
			tabled, err := ledger.HasTable(c.f)
			if err != nil {
				return err
			}
			c.tabled = &tabled
		}
		if *c.tabled {
			return nil
		}
	}
	return c.f.Remove(name)
}
