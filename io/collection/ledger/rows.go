package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ReadRows reads all rows, by key. bad are the keys of rows with invalid content. Known rows are read again only if
// their files have changed.
func ReadRows(f folder.Folder, known map[string]Row) (rows map[string]Row, bad []string, err error) {
	keys, err := Keys(f)
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	older, err := IsOlder(f)
	if err != nil {
		return nil, nil, err
	}
	read := ReadRow
	if older {
		if read, err = olderReader(f); err != nil {
			return nil, nil, err
		}
		// Known rows have shard names of the other layout.
		known = nil
	}
	stats, err := f.Stats(holdings.HiddenDir)
	if err != nil {
		return nil, nil, err
	}
	found := make([]Row, len(keys))
	errs := make([]error, len(keys))
	folder.Numbers(AtOnce, len(keys), func(i int) {
		name := RowFile(keys[i])
		r, there := known[keys[i]]
		// Without a time of modification, a change would go unnoticed.
		if now := stats[name]; !there || now.Modified.IsZero() || r.file != now {
			r, errs[i] = read(f, name, keys[i])
			r.file = now
		}
		found[i] = r
	})
	rows = map[string]Row{}
	for i, r := range found {
		switch err := errs[i]; {
		case errors.Is(err, ErrContent):
			bad = append(bad, keys[i])
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			return nil, nil, err
		default:
			rows[r.Key] = r
		}
	}
	return rows, bad, nil
}

// Rows returns the rows of the finished units in f, by key, including units that no recent run has asked for. It
// changes nothing. While another run writes to f, some of its rows may be missing.
func Rows(f folder.Folder) (map[string]Row, error) {
	rows, _, err := ReadRows(f, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(""), err)
	}
	return rows, nil
}

// Lost returns the units of a manifest that have no row, or one with invalid content. Shared shards have none.
func Lost(m schemas.Manifest, k Compaction, rows map[string]Row) (lost []schemas.UnitResult) {
	have := make(map[string]bool, len(rows))
	for key := range rows {
		have[UnitOfKey(key)] = true
	}
	shared := map[string]bool{}
	for _, s := range k.Files() {
		shared[s.Name] = true
	}
	for _, u := range m.Units {
		if !slices.ContainsFunc(u.Shards, func(s schemas.Shard) bool { return shared[s.Name] || have[UnitOfName(s.Name)] }) {
			lost = append(lost, u)
		}
	}
	return lost
}

// Keys returns the keys of the rows in f, sorted.
func Keys(f folder.Folder) ([]string, error) {
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, name := range names {
		if key, rest, ok := SplitKey(name); ok && rest == rowExt {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// AtOnce is how many rows are read in parallel, because in an object store each takes a request.
const AtOnce = 32
