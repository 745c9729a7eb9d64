package collection

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Row is what a committed unit leaves in the hidden folder, so that later runs can check it. Its ID is the unit's
// number in the plan at commit; later plans may number it differently.
type Row struct {
	Key string `json:"key"`
	Note
	// Modified are the times of the shards' last writes, in order, in nanoseconds since 1970. Renaming does not change
	// them.
	Modified []int64 `json:"modified,omitempty"`
	// Retired is the key that the unit had before it was retired; "" for other units. See Collection.retire.
	Retired string `json:"retired,omitempty"`
	schemas.UnitResult

	file folder.Stat // of the row's file when it was read
}

// Joins reports whether the unit is the one of joined records, the only one without inputs: see Joined.
func (r Row) Joins() bool { return len(r.Inputs) == 0 }

// Note is what the committer of a unit records for later runs. It is not part of the manifest.
type Note struct {
	// Stamps tell quickly whether input files have changed, by name: for example size and time of modification.
	Stamps   map[string]string `json:"stamps,omitempty"`
	Options  string            `json:"options,omitempty"`  // options of the unit, as a key of Asked.Options
	Dir      string            `json:"dir,omitempty"`      // base of relative names of inputs
	Division string            `json:"division,omitempty"` // how the inputs were divided into units
}

// check returns an error if the row is not consistent: an edited row must not name files of others, which would be
// removed.
func (r Row) check(key string) error {
	if r.Key != key {
		return fmt.Errorf("collection: row %s: not the row of this unit", key)
	}
	unit, err := unitOf(r.Shards)
	if err == nil && unit != nameOf(key) {
		err = fmt.Errorf("%q is not a shard of this unit", r.Shards[0].Name)
	}
	if err != nil {
		return fmt.Errorf("collection: row %s: %w", key, err)
	}
	return nil
}

// unitOf returns the unit of the shards, as their names have it. All must be of one unit, and no two of the same type.
func unitOf(shards []schemas.Shard) (unit string, err error) {
	seen := map[holdings.FileType]bool{}
	for _, s := range shards {
		n, ok := holdings.ParseName(s.Name)
		if !ok || len(seen) > 0 && n.Unit != unit || seen[n.FileType] {
			return "", fmt.Errorf("%q is not a shard of one unit with the others", s.Name)
		}
		seen[n.FileType], unit = true, n.Unit
	}
	if len(seen) == 0 {
		return "", errors.New("no shards")
	}
	return unit, nil
}

// readRow reads the row of the unit with this key. Invalid content is ErrContent.
func readRow(f folder.Folder, name, key string) (Row, error) {
	var r Row
	if err := folder.ReadJSON(f, holdings.Hidden(name), maxRowBytes, &r); err != nil {
		return Row{}, err
	}
	if err := r.check(key); err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return r, nil
}

// Compaction is the note of documents that were moved from units' shards to shared shards, each sorted and of one
// month. The rows of units stay as they are, so that later runs find the finished units. In the manifest, units lack
// the moved shards, and the shared shards follow all units, as shards of units without inputs. Readers of the manifest
// need not know about compactions.
//
// A source counts while a row still names its shards. After a unit was done again or removed, Finish rewrites the
// shared shards that hold its documents, without them.
type Compaction struct {
	Order   parquetfile.Order `json:"order"`
	Shards  []CompactShard    `json:"shards"`
	Sources []Source          `json:"sources"`
	// Replaced are shards of earlier compactions that no manifest names any more. Like those of the sources they stay
	// until they expire: earlier snapshots of a table may refer to them.
	Replaced []schemas.Shard `json:"replaced,omitempty"`
}

// movedShards are the hashes of shards whose documents were moved, by name.
type movedShards map[string]string

// has reports whether the documents of a shard were moved. A shard of the same name but with other bytes is of a unit
// that was done again.
func (m movedShards) has(s schemas.Shard) bool {
	sum, ok := m[s.Name]
	return ok && sum == s.SHA256
}

// CompactShard is a shared shard.
type CompactShard struct {
	schemas.Shard
	Month   string `json:"month"` // of capture, 2026-03; empty for documents without a time
	Rows    int64  `json:"rows"`
	Sources []int  `json:"sources"` // indexes into Compaction.Sources; the sources file indexes this list
	// Form is the parquetfile.Form of the shard; empty for forms before 7.
	Form string `json:"form,omitempty"`
}

// Source is where the documents of one unit were moved from: one shard, or one in each format with the same documents.
type Source struct {
	Unit   string          `json:"unit"` // as in the names of its shards
	Shards []schemas.Shard `json:"shards"`
	// Retired are the same shards by the names they have while the unit is done again: see Collection.retire.
	Retired []schemas.Shard `json:"retired,omitempty"`
}

// current reports whether a unit still has the shards of the source, by either name. now has hashes by shard names.
func (s Source) current(now map[string]string) bool {
	has := func(shards []schemas.Shard) bool {
		return !slices.ContainsFunc(shards, func(s schemas.Shard) bool { return now[s.Name] != s.SHA256 })
	}
	// One changed shard is enough: all formats hold the same documents.
	return has(s.Shards) || len(s.Retired) > 0 && has(s.Retired)
}

// Joined returns the unit of the records that are joined from the segments of all other units. It follows a plan of
// total units, reads what they noted, and is done after all of them.
func Joined(total int) schemas.Unit {
	return schemas.Unit{ID: total, Inputs: []schemas.Range{}}
}
