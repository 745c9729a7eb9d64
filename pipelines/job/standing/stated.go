package standing

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// stated returns the options that the manifest has for units, by unit.
func stated(f folder.Folder) (map[string]map[string]any, error) {
	// A run migrates such a folder first.
	if older, err := ledger.IsOlder(f); err != nil || older {
		return nil, err
	}
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	options := map[string]map[string]any{}
	for _, u := range m.Units {
		if len(u.Shards) > 0 && u.MadeWith != nil {
			options[ledger.UnitOfName(u.Shards[0].Name)] = u.MadeWith
		}
	}
	return options, err
}
