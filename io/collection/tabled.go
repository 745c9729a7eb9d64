package collection

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// tableDir is the metadata folder of a collection's Iceberg table (io/lake).
const tableDir = "metadata"

// removeShard removes a shard that no unit has any more. If the collection has an Iceberg table, its Parquet documents
// stay until their snapshots expire: readers of the table still use them.
func (c *Collection) removeShard(name string) error {
	if p, ok := holdings.FileTypeOf(name); ok && p.Kind == holdings.KindDocuments && p.Ext == holdings.ExtParquet {
		if tabled, err := c.isTabled(); err != nil || tabled {
			return err
		}
	}
	return c.f.Remove(name)
}

// isTabled reports whether the collection has a table. It looks once, because tables are not made during a run.
func (c *Collection) isTabled() (bool, error) {
	if c.tabled == nil {
		names, err := c.f.Names(tableDir)
		if err != nil {
			return false, err
		}
		has := false
		for _, name := range names {
			has = has || strings.HasSuffix(name, ".metadata.json")
		}
		c.tabled = &has
	}
	return *c.tabled, nil
}
