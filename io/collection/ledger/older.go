package ledger

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

// IsOlder reports whether the folder has layout 1 or is on its way from it.
func IsOlder(f folder.Folder) (bool, error) {
	text, err := folder.ReadFile(f, holdings.Hidden(holdings.MarkerFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return holdings.IsOlderMarker(string(text)), err
}

// OlderRow is a row in layout 1.
type OlderRow struct {
	Row
	Total int `json:"total"` // units in the plan at commit
}

// check returns an error if the row is not consistent.
func (r OlderRow) check(key string) error {
	if r.Key != key || r.Total < 1 || r.ID < 0 || r.ID > r.Total || len(r.Shards) == 0 {
		return fmt.Errorf("%w: row %s: not the row of this unit", ErrContent, key)
	}
	seen := map[holdings.FileType]bool{}
	for _, s := range r.Shards {
		n, ok := holdings.ParseNumbered(s.Name) // the row was checked
		if !ok || seen[n.FileType] || n != (Number{r.ID, r.Total}).Shard(n.FileType) {
			return fmt.Errorf("%w: row %s: %q is not a shard of unit %d of %d", ErrContent, key, s.Name, r.ID, r.Total)
		}
		seen[n.FileType] = true
	}
	return nil
}

// OlderUnitOf is UnitOfShards for layout 1. The row was checked, so the shards are of one unit.
func OlderUnitOf(shards []schemas.Shard) (unit string, err error) {
	for _, s := range shards {
		if _, ok := holdings.ParseNumbered(s.Name); !ok {
			return "", fmt.Errorf("%q is not a shard of layout 1", s.Name)
		}
	}
	if len(shards) == 0 {
		return "", errors.New("no shards")
	}
	return UnitOfName(shards[0].Name), nil
}

// ReadOlder reads the row of a unit; its shards have the names at commit.
func ReadOlder(f folder.Folder, name, key string) (r OlderRow, err error) {
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
	numbers, err := ReadNumbers(f)
	return func(f folder.Folder, name, key string) (Row, error) {
		// A folder on its way has rows of both layouts.
		today, err := ReadRow(f, name, key)
		if err == nil || !errors.Is(err, ErrContent) {
			return today, err
		}
		r, err := ReadOlder(f, name, key)
		if err != nil {
			return Row{}, err
		}
		if p, other := numbers[key]; other {
			for i, s := range r.Shards {
				n, _ := holdings.ParseNumbered(s.Name) // the row was checked
				r.Shards[i].Name = p.Shard(n.FileType).String()
			}
		}
		return r.Row, nil
	}, err
}

// Number is the position of a unit in a plan: the ID-th of Total. The unit of joined records has the ID Total.
type Number struct {
	ID    int `json:"id"`
	Total int `json:"total"`
}

// Place is the number of a unit. From is the number before, if a run was killed while it renamed the shards.
type Place struct {
	Number
	From Number `json:"from,omitzero"`
}

// ReadNumbers reads NumbersFile, by unit key. A file with invalid content counts as missing: units that are not found
// are done again.
func ReadNumbers(f folder.Folder) (map[string]Place, error) {
	var numbers map[string]Place
	err := folder.ReadJSON(f, holdings.Hidden(NumbersFile), maxRowBytes, &numbers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return nil, nil
	}
	return numbers, err
}

// Shard returns the name of a shard of the unit with this number.
func (n Number) Shard(p holdings.FileType) holdings.Numbered {
	if n.ID == n.Total {
		return holdings.Numbered{FileType: p, Joined: true}
	}
	return holdings.Numbered{FileType: p, ID: n.ID, Total: n.Total}
}

// NumbersFile held the current numbers of units whose rows have older ones.
const NumbersFile = "numbers.json"
