package standing

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// lostUnits returns the units of the manifest that have no valid row.
func lostUnits(f folder.Folder, rows map[string]ledger.Row) ([]schemas.UnitResult, error) {
	// A run migrates such a folder first.
	if older, err := ledger.IsOlder(f); err != nil || older {
		return nil, err
	}
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k, err := ledger.ReadCompaction(f)
	return ledger.Lost(m, k, rows), err
}
