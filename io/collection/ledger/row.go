package ledger

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Row is what a committed unit leaves in the hidden folder, so that later runs can check it. Its ID is the unit's
// Number in the plan at commit; later plans may number it differently.
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

// IsAdopted reports whether the unit is a file of documents, or one that is not an archive and has no captures.
func (r Row) IsAdopted() bool {
	// Archives have a format.
	return len(r.Inputs) == 1 && r.Inputs[0].Format == "" && r.Inputs[0].Kind() == schemas.KindFile
}

// Note is what the committer of a unit records for later runs. It is not part of the manifest.
type Note struct {
	// Stamps tell quickly whether input files have changed, by name: for example size and time of modification.
	Stamps   map[string]string `json:"stamps,omitempty"`
	Options  string            `json:"options,omitempty"`  // options of the unit, as a key of LastRun.Options
	Dir      string            `json:"dir,omitempty"`      // base of relative names of inputs
	Division string            `json:"division,omitempty"` // how the inputs were divided into units
}

// check returns an error if the row is not consistent: an edited row must not name files of others, which would be
// removed.
func (r Row) check(key string) error {
	if r.Key != key {
		return fmt.Errorf("row %s: not the row of this unit", key)
	}
	unit, err := UnitOfShards(r.Shards)
	if err == nil && unit != UnitOfKey(key) {
		err = fmt.Errorf("%q is not a shard of this unit", r.Shards[0].Name)
	}
	if err != nil {
		return fmt.Errorf("row %s: %w", key, err)
	}
	return nil
}

// UnitOfShards returns the unit of the shards, as their names have it. All must be of one unit, and no two of the same
// type.
func UnitOfShards(shards []schemas.Shard) (unit string, err error) {
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

// ReadRow reads the row of the unit with this key. Invalid content is ErrContent.
func ReadRow(f folder.Folder, name, key string) (Row, error) {
	var r Row
	if err := folder.ReadJSON(f, holdings.Hidden(name), maxRowBytes, &r); err != nil {
		return Row{}, err
	}
	if err := r.check(key); err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return r, nil
}
