package collection

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// sweep removes what killed runs left: temporary files, spills, shards of units that were killed between the renaming
// of their files and their row, and shards that were held for a unit whose row is gone.
func (c *Collection) sweep() error {
	if err := errors.Join(c.f.Sweep(), c.sweepTemps()); err != nil {
		return err
	}
	names, err := c.f.Names(hiddenDir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !leftover(name) })
	if len(names) == 0 {
		return nil // as nearly always: the rows, which are many, need not be read
	}
	rows, err := c.rows()
	if err != nil {
		return err
	}
	forget, err := c.look()
	if err != nil {
		return err
	}
	owned := owners(c, rows)
	forget()
	for _, name := range names {
		if err := c.sweepHidden(name, rows, owned); err != nil {
			return err
		}
	}
	return nil
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

// leftover tells whether a file of the hidden folder may be one, by its name.
func leftover(name string) bool {
	return spillPattern.MatchString(name) || isPending(name) || tempPattern.MatchString(name) || isHeld(name)
}

// sweepHidden removes one entry of the hidden folder when it is a leftover.
func (c *Collection) sweepHidden(name string, rows map[string]Row, owned map[string]bool) error {
	key, _, _ := keyOf(name)
	_, known := rows[key]
	switch {
	case spillPattern.MatchString(name):
		return os.RemoveAll(c.f.Path(hidden(name))) // only local folders have spills in them
	case isPending(name):
		return c.dropPending(name, key, owned)
	case tempPattern.MatchString(name), isHeld(name) && !known:
		return c.f.Remove(hidden(name))
	}
	return nil
}

// dropPending removes the shards of a unit that was being committed, as far as they had got their names, and then
// what said so.
func (c *Collection) dropPending(name, key string, owned map[string]bool) error {
	r, err := readRow(c.f, name, key)
	if err != nil && !errors.Is(err, errContent) {
		return err
	}
	for _, s := range r.Shards {
		if owned[s.Name] {
			continue
		}
		if err := c.f.Remove(s.Name); err != nil {
			return err
		}
	}
	return c.f.Remove(hidden(name))
}

// owners returns the names which the rows' shards are at.
func owners(c *Collection, rows map[string]Row) map[string]bool {
	taken := map[string]bool{}
	for _, r := range rows {
		for _, at := range c.places(r) {
			taken[at] = true
		}
	}
	return taken
}

// removeAll removes the manifest first, so that a folder half-emptied does not look finished, then what it lists and
// what the rows list.
func (c *Collection) removeAll() error {
	rows, err := c.rows()
	if err != nil {
		return err
	}
	m, err := ReadManifest(c.f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m = schemas.Manifest{} // not readable: the rows list the shards, too
	}
	if err := c.removeManifest(); err != nil {
		return err
	}
	if err := errors.Join(c.f.Remove(IndexFile), c.f.Remove(ReportFile), c.KeepInterims(nil)); err != nil {
		return err
	}
	for _, r := range rows {
		if err := c.dropRow(r, nil); err != nil {
			return err
		}
	}
	for _, u := range m.Units {
		if err := c.removeShards(u.Shards); err != nil {
			return err
		}
	}
	// The numbers go behind the rows, which they say the places of.
	return errors.Join(c.f.Remove(hidden(numbersFile)), c.f.Remove(hidden(askedFile)))
}

// removeShards removes files that a manifest lists; a name that is none of ours is not followed.
func (c *Collection) removeShards(shards []schemas.Shard) error {
	for _, s := range shards {
		if _, ok := parseShard(s.Name); !ok {
			continue
		}
		if err := c.f.Remove(s.Name); err != nil {
			return err
		}
	}
	return nil
}

// removeManifest makes the run an unfinished one, durably.
func (c *Collection) removeManifest() error {
	if err := c.f.Remove(ManifestFile); err != nil {
		return err
	}
	return c.f.Sync("")
}
