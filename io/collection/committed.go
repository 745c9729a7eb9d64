package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Committed returns the result of a unit that somebody has committed since the folder was opened for the run, from
// inputs with these stamps: its row is there, and its shards have the sizes that the row says. Otherwise ok is false.
//
// A runner that loses results has units done again, and a row that is there saves that. Who opened the folder has
// compared its shards with their hashes; one that was written since is not read again here.
func Committed(f folder.Folder, u schemas.Unit, key string,
	stamps map[string]string,
) (r schemas.UnitResult, ok bool, err error) {
	row, err := readRow(f, rowName(key), key)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("collection: %w", err)
	}
	// The inputs have changed since: the result is of other bytes.
	if !maps.Equal(row.Stamps, stamps) {
		return r, false, nil
	}
	compacted, err := ReadCompaction(f)
	if err != nil {
		return r, false, err
	}
	moved := compacted.moved()
	for _, s := range row.Shards {
		// It may have expired, and its documents are in a shared shard.
		if moved.has(s) {
			continue
		}
		size, err := f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size != s.Bytes {
			return r, false, nil
		}
		if err != nil {
			return r, false, fmt.Errorf("collection: %w", err)
		}
	}
	r = row.UnitResult
	// The row has the number of the plan that it was committed in.
	r.ID = u.ID
	return r, true, nil
}
