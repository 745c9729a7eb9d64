package collection

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/collection/layout"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/schemas"
)

// sweep removes what killed runs left: temporary files, spills, shards renamed before their unit had a row, and shards
// of compactions without a note.
func (c *Collection) sweep() error {
	if err := errors.Join(c.f.Sweep(), c.sweepTemps()); err != nil {
		return err
	}
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !leftover(name) })
	for _, name := range names {
		if err := c.sweepHidden(name); err != nil {
			return err
		}
	}
	return c.sweepShared()
}

// sweepHidden removes one leftover of the hidden folder.
func (c *Collection) sweepHidden(name string) error {
	switch {
	case ledger.IsSpill(name):
		return os.RemoveAll(c.f.Path(holdings.Hidden(name))) // only local folders have spills in them
	case ledger.IsPending(name):
		return c.dropPending(name)
	}
	return c.f.Remove(holdings.Hidden(name))
}

// dropPending removes the renamed shards of a unit that was being committed, and then its pending row. If the unit has
// a row, the shards belong to another attempt, or were being replaced: see settlePending.
func (c *Collection) dropPending(name string) error {
	key, _, _ := ledger.SplitKey(name)
	r, err := ledger.ReadRow(c.f, name, key)
	if errors.Is(err, ledger.ErrContent) {
		// Without a valid note the unit's shards are unnamed files, which Finish removes.
		r, err = ledger.Row{}, nil
	}
	if err != nil {
		return err
	}
	_, err = c.f.Size(holdings.Hidden(ledger.RowFile(key)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
		for _, s := range r.Shards {
			// Removing a missing shard is not an error.
			err = errors.Join(err, c.f.Remove(s.Name))
		}
	case err == nil && r.Key != "":
		err = c.settlePending(r)
	}
	if err != nil {
		return err
	}
	return c.f.Remove(holdings.Hidden(name))
}

// removeAll empties the collection. The manifest goes first, so that a half-empty folder does not look finished; then
// all shards that it or the rows list.
func (c *Collection) removeAll() error {
	// Read before the manifest goes, because both name shards.
	rows, bad, err := ledger.ReadRows(c.f, c.known)
	if err != nil {
		return err
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m = schemas.Manifest{} // unreadable: the rows list shards too
	}
	if err := ledger.RemoveManifest(c.f); err != nil {
		return err
	}
	for _, name := range []string{ledger.IndexFile, holdings.ReportFile, holdings.PageFile} {
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	if err := interim.Keep(c.f, nil); err != nil {
		return err
	}
	for _, r := range rows {
		if err := c.dropRow(r); err != nil {
			return err
		}
	}
	for _, key := range bad {
		if err := c.f.Remove(holdings.Hidden(ledger.RowFile(key))); err != nil {
			return err
		}
	}
	for _, u := range m.Units {
		// Shards of units without rows.
		if err := c.removeShards(u.Shards); err != nil {
			return err
		}
	}
	return errors.Join(seekpoint.Clear(c.f), layout.Forget(c.f), c.f.Remove(holdings.Hidden(holdings.LastRunFile)),
		c.f.Remove(holdings.Hidden(holdings.RunsFile)), c.forgetCompaction())
}
