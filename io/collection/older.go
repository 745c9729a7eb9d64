package collection

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Layout 1 named shards by the number of their unit and the number of all units: documents-00017-of-00240.jsonl.zst. So
// each new file renamed all of them. This file reads such a folder; migrate.go brings it to today's layout.

// isOlder reports whether the folder has layout 1 or is on its way from it.
func isOlder(f folder.Folder) (bool, error) {
	text, err := folder.ReadFile(f, holdings.Hidden(holdings.MarkerFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return holdings.IsOlderMarker(string(text)), err
}

// olderRow is a row in layout 1.
type olderRow struct {
	Row
	Total int `json:"total"` // units in the plan at commit
}

// check returns an error if the row is not consistent.
func (r olderRow) check(key string) error {
	if r.Key != key || r.Total < 1 || r.ID < 0 || r.ID > r.Total || len(r.Shards) == 0 {
		return fmt.Errorf("%w: row %s: not the row of this unit", ErrContent, key)
	}
	seen := map[holdings.FileType]bool{}
	for _, s := range r.Shards {
		n, ok := holdings.ParseNumbered(s.Name) // the row was checked
		if !ok || seen[n.FileType] || n != (number{r.ID, r.Total}).shard(n.FileType) {
			return fmt.Errorf("%w: row %s: %q is not a shard of unit %d of %d", ErrContent, key, s.Name, r.ID, r.Total)
		}
		seen[n.FileType] = true
	}
	return nil
}

// olderUnitOf is unitOf for layout 1. The row was checked, so the shards are of one unit.
func olderUnitOf(shards []schemas.Shard) (unit string, err error) {
	for _, s := range shards {
		if _, ok := holdings.ParseNumbered(s.Name); !ok {
			return "", fmt.Errorf("%q is not a shard of layout 1", s.Name)
		}
	}
	if len(shards) == 0 {
		return "", errors.New("no shards")
	}
	return unitName(shards[0].Name), nil
}

// readOlder reads the row of a unit; its shards have the names at commit.
func readOlder(f folder.Folder, name, key string) (r olderRow, err error) {
	data, err := folder.ReadFile(f, holdings.Hidden(name), maxRowBytes)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("row %s: %w: %w", key, ErrContent, err)
	}
	return r, r.check(key)
}

// olderReader returns a function that reads rows of a folder of layout 1 with the current names of shards. Rows of
// today's layout are returned as they are.
func olderReader(f folder.Folder) (func(f folder.Folder, name, key string) (Row, error), error) {
	numbers, err := readNumbers(f)
	return func(f folder.Folder, name, key string) (Row, error) {
		// A folder on its way has rows of both layouts.
		today, err := readRow(f, name, key)
		if err == nil || !errors.Is(err, ErrContent) {
			return today, err
		}
		r, err := readOlder(f, name, key)
		if err != nil {
			return Row{}, err
		}
		if p, other := numbers[key]; other {
			for i, s := range r.Shards {
				n, _ := holdings.ParseNumbered(s.Name) // the row was checked
				r.Shards[i].Name = p.shard(n.FileType).String()
			}
		}
		return r.Row, nil
	}, err
}

// number is the position of a unit in a plan: the ID-th of Total. The unit of joined records has the ID Total.
type number struct {
	ID    int `json:"id"`
	Total int `json:"total"`
}

// place is the number of a unit. From is the number before, if a run was killed while it renamed the shards.
type place struct {
	number
	From number `json:"from,omitzero"`
}

// readNumbers reads numbersFile, by unit key. A file with invalid content counts as missing: units that are not found
// are done again.
func readNumbers(f folder.Folder) (map[string]place, error) {
	var numbers map[string]place
	err := folder.ReadJSON(f, holdings.Hidden(numbersFile), maxRowBytes, &numbers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return nil, nil
	}
	return numbers, err
}

// shard returns the name of a shard of the unit with this number.
func (n number) shard(p holdings.FileType) holdings.Numbered {
	if n.ID == n.Total {
		return holdings.Numbered{FileType: p, Joined: true}
	}
	return holdings.Numbered{FileType: p, ID: n.ID, Total: n.Total}
}

// numbersFile held the current numbers of units whose rows have older ones.
const numbersFile = "numbers.json"
