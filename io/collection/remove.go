package collection

import (
	"errors"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
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
