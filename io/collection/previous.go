package collection

import (
	"errors"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// A run that starts over keeps the manifest and all files it names, like any other change. Every unit is done again,
// and the next manifest replaces the old one. Damaged and compacted collections cannot be kept and are removed first.

// beginRedo prepares the folder for a run that does everything again. It reports whether the collection may stay until
// the run ends. If not, the caller removes it.
func (c *Collection) beginRedo() (stays bool, err error) {
	if !c.isWhole() {
		return false, nil
	}
	// These were made from the old collection, which the run must not use.
	for _, name := range []string{holdings.ReportFile, holdings.PageFile, holdings.Hidden(holdings.LastRunFile)} {
		err = errors.Join(err, c.f.Remove(name))
	}
	return true, errors.Join(err, interim.Keep(c.f, nil))
}

// isWhole reports whether the folder has a manifest of today's layout, no compaction, and all shards unchanged. A
// folder that cannot be read is not whole.
func (c *Collection) isWhole() bool {
	older, err := ledger.IsOlder(c.f)
	if err != nil || older {
		return false
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil {
		return false
	}
	if k, err := c.Compaction(); err != nil || len(k.Sources)+len(k.Files()) > 0 {
		return false
	}
	rows, err := c.Rows()
	if err != nil {
		return false
	}
	files, err := ledger.List(c.f)
	if err != nil {
		return false
	}
	named := ledger.UnitsOf(m)
	for _, r := range rows {
		if whole, err := c.verify(files, r); err != nil || !whole {
			return false
		}
		delete(named, ledger.UnitOfKey(r.Key))
	}
	return len(named) == 0 // a unit without a row cannot be retired
}
