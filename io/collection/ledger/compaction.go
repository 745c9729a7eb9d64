package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

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

// Moved are the hashes of shards whose documents were moved, by name.
type Moved map[string]string

// Has reports whether the documents of a shard were moved. A shard of the same name but with other bytes is of a unit
// that was done again.
func (m Moved) Has(s schemas.Shard) bool {
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

// Current reports whether a unit still has the shards of the source, by either name. now has hashes by shard names.
func (s Source) Current(now map[string]string) bool {
	has := func(shards []schemas.Shard) bool {
		return !slices.ContainsFunc(shards, func(s schemas.Shard) bool { return now[s.Name] != s.SHA256 })
	}
	// One changed shard is enough: all formats hold the same documents.
	return has(s.Shards) || len(s.Retired) > 0 && has(s.Retired)
}

// IsOlder reports whether an earlier version wrote the shard; Compact then rewrites it.
func (s CompactShard) IsOlder() bool { return s.Form != parquetfile.Form }

// ReadCompaction reads the note of moved documents in f; it is empty if f was never compacted.
func ReadCompaction(f folder.Folder) (Compaction, error) {
	var k Compaction
	err := folder.ReadJSON(f, holdings.Hidden(CompactedFile), holdings.MaxManifestBytes, &k)
	if errors.Is(err, fs.ErrNotExist) {
		return Compaction{}, nil
	}
	if err == nil {
		err = k.check()
	}
	if err != nil {
		return Compaction{}, err
	}
	return k, nil
}

// Check refuses notes that this package does not write, because the files they name are removed.
func (k Compaction) check() error {
	for _, s := range k.Shards {
		if n, ok := holdings.ParseName(s.Name); !ok || n.Kind != holdings.KindDocuments {
			return fmt.Errorf("%s: %w: %q is not a shard of documents", CompactedFile, ErrContent, s.Name)
		}
		for _, i := range s.Sources {
			if i < 0 || i >= len(k.Sources) {
				return fmt.Errorf("%s: %w: %s has a source that is not there", CompactedFile, ErrContent, s.Name)
			}
		}
	}
	for _, source := range k.Sources {
		_, err := UnitOfShards(source.Shards)
		if err == nil && len(source.Retired) > 0 {
			_, err = UnitOfShards(source.Retired)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", CompactedFile, ErrContent, err)
		}
	}
	return nil
}

// Moved returns the hashes of shards whose documents were moved, by name.
func (k Compaction) Moved() Moved {
	moved := make(Moved, len(k.Sources))
	for _, source := range k.Sources {
		for _, s := range slices.Concat(source.Shards, source.Retired) {
			moved[s.Name] = s.SHA256
		}
	}
	return moved
}

// Apply returns the units as the manifest lists them.
func (k Compaction) Apply(units []schemas.UnitResult) []schemas.UnitResult {
	if len(k.Sources) == 0 {
		return units
	}
	moved := k.Moved()
	// Clones, because the caller owns the units, and rows keep all their shards.
	list := slices.Clone(units)
	for i, u := range list {
		list[i].Shards = slices.DeleteFunc(slices.Clone(u.Shards), func(s schemas.Shard) bool {
			return moved.Has(s)
		})
	}
	for _, s := range k.Shards {
		// Numbered after the units: readers see them as further units without inputs.
		list = append(list, schemas.UnitResult{Unit: Joined(len(list)), Shards: []schemas.Shard{s.Shard}})
	}
	return list
}

// Gone returns the replaced shards. Shards are named by their bytes, so the name of a replaced one may come back. Then
// it is in Shards, and not gone.
func (k Compaction) Gone() []schemas.Shard {
	return slices.DeleteFunc(slices.Clone(k.Replaced), func(r schemas.Shard) bool {
		return slices.ContainsFunc(k.Shards, func(s CompactShard) bool { return s.Name == r.Name })
	})
}

// Files returns the shards in the folder that belong to the compaction and not to a unit.
func (k Compaction) Files() (list []schemas.Shard) {
	for _, s := range k.Shards {
		list = append(list, s.Shard)
	}
	return append(list, k.Replaced...)
}

// ReadSources returns the source of each row, as an index into s.Sources.
func ReadSources(f folder.Folder, s CompactShard) ([]int, error) {
	name := holdings.Hidden(SourcesFile(s.Name))
	data, err := folder.ReadFile(f, name, holdings.MaxManifestBytes)
	if err != nil {
		return nil, err
	}
	list := make([]int, 0, min(s.Rows, int64(len(data)))) // a row takes at least a byte
	for len(data) > 0 {
		i, n := binary.Uvarint(data)
		if n <= 0 || i >= uint64(len(s.Sources)) {
			return nil, fmt.Errorf("%s: %w", f.Path(name), ErrContent)
		}
		list, data = append(list, int(i)), data[n:]
	}
	if int64(len(list)) != s.Rows {
		return nil, fmt.Errorf("%s: %w: sources of %d rows, and there are %d", f.Path(name), ErrContent, len(list), s.Rows)
	}
	return list, nil
}
