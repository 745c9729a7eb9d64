package shard

import (
	"errors"
	"io/fs"
	"maps"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Committed returns the result of a unit that was committed since the folder was opened, from inputs with these stamps.
// It returns ok false unless the unit has a row and shards of the sizes in that row.
//
// Runners that lose results repeat units, and this saves the work. Shards are not hashed here: Open compared the older
// ones.
func Committed(f folder.Folder, u schemas.Unit, key string,
	stamps map[string]string,
) (r schemas.UnitResult, ok bool, err error) {
	row, err := ledger.ReadRow(f, ledger.RowFile(key), key)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ledger.ErrContent) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	if !maps.Equal(row.Stamps, stamps) {
		return r, false, nil
	}
	compacted, err := ledger.ReadCompaction(f)
	if err != nil {
		return r, false, err
	}
	moved := compacted.Moved()
	for _, s := range row.Shards {
		// The shard may have expired; its documents are in a shared shard.
		if moved.Has(s) {
			continue
		}
		size, err := f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size != s.Bytes {
			return r, false, nil
		}
		if err != nil {
			return r, false, err
		}
	}
	r = row.UnitResult
	// The row has the number that the unit had in an earlier plan.
	r.ID = u.ID
	return r, true, nil
}
