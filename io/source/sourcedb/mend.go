package sourcedb

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Damaged returns the states and pages of the generation that are missing or changed. They cannot be derived from the
// Source DB, which must be made again from its collections: see Forget. It reads all of them.
func (db *DB) Damaged() ([]string, error) {
	return db.damagedOf(slices.Concat(db.manifest.States, db.manifest.Pages))
}

// damagedOf returns the shards that are missing or changed.
func (db *DB) damagedOf(shards []schemas.Shard) (list []string, err error) {
	for _, s := range shards {
		sum, _, err := hashOf(db.f, s.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || sum != s.SHA256 {
			list = append(list, s.Name)
		}
	}
	return list, nil
}

// Lacks returns how many parts of the generation belong to none of these units, each given by its shards.
func (m Manifest) Lacks(units [][]schemas.Shard) (n int) {
	named := map[string]bool{}
	for _, shards := range units {
		named[PartKey(shards)] = true
		// A unit that was not read completely has a different part.
		named[shardsKey("unit", shards)] = true
	}
	of := map[string]string{}
	for _, l := range m.Losses {
		of[l.Part] = l.Unit
	}
	for _, key := range m.Parts {
		if !named[key] && !named[of[key]] {
			n++
		}
	}
	return n
}

// Forget makes the next Update ignore the current generation, which stays until then.
func (db *DB) Forget() { db.manifest = Manifest{} }

// partRun matches a run of a part: its key, kind, and the beginning of its hash.
var partRun = pattern.Lazy(`^part-([0-9a-f]{20})-(?:states|pages)-([0-9a-f]{20})$`)

// DropDamagedParts removes changed parts of killed runs, so that their units are read again. It returns the names of
// the files.
func (db *DB) DropDamagedParts() (dropped []string, err error) {
	names, err := db.f.Names(hiddenDir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		of := partRun().FindStringSubmatch(name)
		if of == nil {
			continue
		}
		sum, _, err := hashOf(db.f, hidden(name))
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(sum, of[2]) {
			continue
		}
		// The row first: without its files it would seem complete.
		if err := errors.Join(db.f.Remove(partFile(of[1])), db.f.Remove(hidden(name))); err != nil {
			return nil, err
		}
		dropped = append(dropped, name)
	}
	return dropped, nil
}
