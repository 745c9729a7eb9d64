package collection

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// tableDir is where an Iceberg table of the collection has its metadata (io/lake).
const tableDir = "metadata"

// removeShard removes a shard that no unit has any more. Where the collection has an Iceberg table, documents in
// Parquet stay: snapshots refer to them, and who reads the table now does so until it is brought to the new manifest.
// They go when their snapshots are expired.
func (c *Collection) removeShard(name string) error {
	if p, ok := holdings.FileTypeOf(name); ok && p.Kind == holdings.KindDocuments && p.Ext == holdings.ExtParquet {
		if tabled, err := c.isTabled(); err != nil || tabled {
			return err
		}
	}
	return c.f.Remove(name)
}

// isTabled reports whether the collection has such a table. It asks once: tables are made by callers that have no run
// going on.
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
