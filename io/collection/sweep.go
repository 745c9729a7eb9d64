package collection

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/schemas"
)

// sweep removes what killed runs left: temporary files, spills, shards of units that were killed between the renaming
// of their files and their row, and shards that were held for a unit whose row is gone.
func (c *Collection) sweep() error {
	if err := c.sweepTemps(); err != nil {
		return err
	}
	rows, err := c.rows()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(c.hidden(""))
	if err != nil {
		return err
	}
	owned := owners(c, rows)
	for _, e := range entries {
		if err := c.sweepHidden(e.Name(), rows, owned); err != nil {
			return err
		}
	}
	return nil
}

// sweepTemps removes the temporary files beside the shards.
func (c *Collection) sweepTemps() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isTemp(e.Name()) {
			continue
		}
		if err := removeFile(filepath.Join(c.dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// sweepHidden removes one entry of the hidden folder when it is a leftover.
func (c *Collection) sweepHidden(name string, rows map[string]Row, owned map[string]bool) error {
	path := c.hidden(name)
	key, rest, keyed := keyOf(name)
	_, known := rows[key]
	switch {
	case spillPattern.MatchString(name):
		return os.RemoveAll(path)
	case isPending(name):
		return c.dropPending(name, key, owned)
	case innerPattern.MatchString(name), markerTemp.MatchString(name), interimTemp.MatchString(name), keyed && rest[:1] == "-" && !known:
		return removeFile(path)
	}
	return nil
}

// dropPending removes the shards of a unit that was being committed, as far as they had got their names, and then
// what said so.
func (c *Collection) dropPending(name, key string, owned map[string]bool) error {
	r, err := c.row(name, key)
	if err != nil {
		return removeFile(c.hidden(name))
	}
	for _, s := range r.Shards {
		path := filepath.Join(c.dir, s.Name)
		if owned[path] {
			continue
		}
		if err := removeFile(path); err != nil {
			return err
		}
	}
	return removeFile(c.hidden(name))
}

// owners returns the paths which the rows' shards are at.
func owners(c *Collection, rows map[string]Row) map[string]bool {
	paths := map[string]bool{}
	for _, r := range rows {
		for _, s := range r.Shards {
			paths[c.locate(r.Key, s.Name)] = true
		}
	}
	return paths
}

// removeAll removes the manifest first, so that a folder half-emptied does not look finished, then what it lists and
// what the rows list.
func (c *Collection) removeAll() error {
	rows, err := c.rows()
	if err != nil {
		return err
	}
	m, err := ReadManifest(c.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m = schemas.Manifest{} // not readable: the rows list the shards, too
	}
	if err := c.removeManifest(); err != nil {
		return err
	}
	if err := errors.Join(removeFile(c.indexPath()), c.KeepInterims(nil)); err != nil {
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
	return nil
}

// removeShards removes files that a manifest lists; a name that is none of ours is not followed.
func (c *Collection) removeShards(shards []schemas.Shard) error {
	for _, s := range shards {
		if _, ok := parseShard(s.Name); !ok {
			continue
		}
		if err := removeFile(filepath.Join(c.dir, s.Name)); err != nil {
			return err
		}
	}
	return nil
}

// removeManifest makes the run an unfinished one, durably.
func (c *Collection) removeManifest() error {
	if err := removeFile(filepath.Join(c.dir, ManifestFile)); err != nil {
		return err
	}
	return syncDir(c.dir)
}
