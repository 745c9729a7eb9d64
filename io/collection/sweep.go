package collection

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
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

// sweepTemps removes the temporary files beside the shards.
func (c *Collection) sweepTemps() error {
	names, err := c.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// sweepAttempts removes temporary shards and spills of attempts that were killed during the run, which may be
// gigabytes. By now all units have results. A duplicate attempt that is still under way fails, but nobody needs it.
// Small leftovers are left to the next Open.
func (c *Collection) sweepAttempts() error {
	if err := c.sweepTemps(); err != nil {
		return err
	}
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !spillPattern.MatchString(name) {
			continue
		}
		if err := c.f.RemoveAll(holdings.Hidden(name)); err != nil {
			return err
		}
	}
	return nil
}

// leftover reports whether name, in the hidden folder, is a leftover.
func leftover(name string) bool {
	return spillPattern.MatchString(name) || isPending(name) || tempPattern.MatchString(name)
}

// sweepHidden removes one leftover of the hidden folder.
func (c *Collection) sweepHidden(name string) error {
	switch {
	case spillPattern.MatchString(name):
		return os.RemoveAll(c.f.Path(holdings.Hidden(name))) // only local folders have spills in them
	case isPending(name):
		return c.dropPending(name)
	}
	return c.f.Remove(holdings.Hidden(name))
}

// dropPending removes the renamed shards of a unit that was being committed, and then its pending row. If the unit has
// a row, the shards belong to another attempt, or were being replaced: see settlePending.
func (c *Collection) dropPending(name string) error {
	key, _, _ := keyOf(name)
	r, err := readRow(c.f, name, key)
	if errors.Is(err, ErrContent) {
		// Without a valid note the unit's shards are unnamed files, which Finish removes.
		r, err = Row{}, nil
	}
	if err != nil {
		return err
	}
	_, err = c.f.Size(holdings.Hidden(rowName(key)))
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
	rows, err := c.rows()
	if err != nil {
		return err
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m = schemas.Manifest{} // unreadable: the rows list shards too
	}
	if err := c.removeManifest(); err != nil {
		return err
	}
	for _, name := range []string{IndexFile, holdings.ReportFile, holdings.PageFile} {
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	if err := c.KeepInterims(nil); err != nil {
		return err
	}
	for _, r := range rows {
		if err := c.dropRow(r); err != nil {
			return err
		}
	}
	for _, u := range m.Units {
		// Shards of units without rows.
		if err := c.removeShards(u.Shards); err != nil {
			return err
		}
	}
	return errors.Join(c.forgetOlder(), c.f.Remove(holdings.Hidden(holdings.AskedFile)), c.forgetCompaction())
}

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

// removeManifest makes the run an unfinished one, durably.
func (c *Collection) removeManifest() error {
	err := c.f.Remove(holdings.ManifestFile)
	for _, name := range []string{asideFile, nextFile, changeFile} {
		err = errors.Join(err, c.f.Remove(holdings.Hidden(name)))
	}
	if err != nil {
		return err
	}
	return c.f.Sync("")
}
