package sourcedb

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Damaged are the states and pages of the generation that are missing, or not as they were written. Nothing in the
// Source DB tells what they told: it has to be made again of its collections, see Forget. All of them are read.
func (db *DB) Damaged() ([]string, error) {
	return db.damagedOf(slices.Concat(db.manifest.States, db.manifest.Pages))
}

// damagedOf are those of shards that are missing, or not as they were written.
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

// Lacks is how many of the parts that a generation was made of are of none of these units, each of which is its shards.
func (m Manifest) Lacks(units [][]schemas.Shard) (n int) {
	named := map[string]bool{}
	for _, shards := range units {
		named[PartKey(shards)] = true
		// A unit that was not read whole has given another part than its shards should.
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

// Forget has the next Update make a generation of its parts alone. The one that is there stays until then.
func (db *DB) Forget() { db.manifest = Manifest{} }

// partRun is the name of a run of a part: its key, the kind, and the beginning of its hash.
var partRun = regexp.MustCompile(`^part-([0-9a-f]{20})-(?:states|pages)-([0-9a-f]{20})$`)

// DropDamagedParts removes those parts that killed runs have left whose files are not as they were written, and names
// the files: then their units are read again.
func (db *DB) DropDamagedParts() (dropped []string, err error) {
	names, err := db.f.Names(hiddenDir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		of := partRun.FindStringSubmatch(name)
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
		// The row goes first: one without its files would be taken for whole.
		if err := errors.Join(db.f.Remove(partFile(of[1])), db.f.Remove(hidden(name))); err != nil {
			return nil, err
		}
		dropped = append(dropped, name)
	}
	return dropped, nil
}
