package collection

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

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

// heldPattern matches shards that were moved aside into the hidden folder while units were renumbered: key, kind and
// extension.
var heldPattern = regexp.MustCompile(`^[0-9a-f]{64}-[a-z]+\.[a-z.]+$`)

func heldName(key string, p holdings.FileType) string { return key + "-" + p.Kind + p.Ext }

// forgetOlder removes the rest of layout 1 and writes today's marker.
func (c *Collection) forgetOlder() error {
	older, err := isOlder(c.f)
	if err != nil || !older {
		return err
	}
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != numbersFile && !heldPattern.MatchString(name) {
			continue
		}
		if err := c.f.Remove(holdings.Hidden(name)); err != nil {
			return err
		}
	}
	// The marker changes only after the removals are durable.
	if err := errors.Join(c.f.Sync(""), c.f.Sync(holdings.HiddenDir)); err != nil {
		return err
	}
	return c.f.Write(holdings.Hidden(holdings.MarkerFile), []byte(holdings.MarkerText))
}
