package collection

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Replace writes the manifest again, for these results of finished units and with the options of m. It is for tasks
// beside a run: if one was interrupted, the rows with the keys in others wait for it.
func (c *Collection) Replace(m schemas.Manifest, results []schemas.UnitResult, others []string) error {
	ch, there, err := ledger.ReadChange(c.f)
	if err != nil {
		return err
	}
	if there {
		ch.Waiting = others
	}
	_, err = c.Finish(results, Run{
		Units: len(results), Options: m.Options, Versions: m.Versions, SiteTemplates: m.SiteTemplates,
		Index:  slices.ContainsFunc(m.Files, func(s schemas.Shard) bool { return s.Name == ledger.IndexFile }),
		change: &ch,
	})
	return err
}

// Folder returns the folder of the collection.
func (c *Collection) Folder() folder.Folder { return c.f }
