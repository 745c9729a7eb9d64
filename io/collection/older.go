package collection

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Layout 1 named shards by the number of their unit and how many there were, so that a file more renamed them all:
// documents-00017-of-00240.jsonl.zst. This file knows how such a folder is read, and migrate.go how it is brought to
// today's layout.

// The markers of such a folder, and of one that is on its way to today's: programs that know layout 1 alone refuse it.
const (
	olderMarker  = "This folder is written by Gleaner, layout 1.\n"
	movingMarker = "This folder is written by Gleaner, layout 1 on its way to " + Layout + ".\n"
)

func isOlderMarker(text string) bool { return text == olderMarker || text == movingMarker }

// isOlder tells whether the folder has that layout, or is on its way.
func isOlder(f folder.Folder) (bool, error) {
	text, err := readFile(f, hidden(markerFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return isOlderMarker(string(text)), err
}

// numbered is a shard's name of that layout taken apart.
type numbered struct {
	part
	id     int
	total  int
	joined bool // of the unit of joined records, which has no number: documents-joined.jsonl.zst
}

// String is the name of the file. Both numbers are as wide as the total, and five digits at least.
func (n numbered) String() string {
	if n.joined {
		return n.kind + "-joined" + n.ext
	}
	width := max(5, len(strconv.Itoa(n.total)))
	return fmt.Sprintf("%s-%0*d-of-%0*d%s", n.kind, width, n.id, width, n.total, n.ext)
}

// maxTotal bounds the units of a plan: nine digits fit an int on every platform.
const maxTotal = 999_999_999

// parseNumbered takes a name apart, and refuses whatever is not exactly a name of that layout.
func parseNumbered(s string) (numbered, bool) {
	p, middle, ok := splitName(s)
	if ok && middle == "joined" {
		return numbered{part: p, joined: true}, true
	}
	first, second, _ := strings.Cut(middle, "-of-")
	id, errID := strconv.Atoi(first)
	total, errTotal := strconv.Atoi(second)
	n := numbered{part: p, id: id, total: total}
	ok = ok && errID == nil && errTotal == nil && id >= 0 && id < total && total <= maxTotal
	// Written again it must be the same: so "1" and "00001" are not two names of one shard.
	return n, ok && n.String() == s
}

// partOf is what a shard of either layout holds.
func partOf(name string) (part, bool) {
	if n, ok := parseShard(name); ok {
		return n.part, true
	}
	n, ok := parseNumbered(name)
	return n.part, ok
}

func isShard(name string) bool {
	_, ok := partOf(name)
	return ok
}

// numbersFile had the numbers of units that are not those which their rows were committed with.
const numbersFile = "numbers.json"

// number is the place of a unit in a plan: the ID-th of Total. The unit of joined records is behind the last, with
// Total.
type number struct {
	ID    int `json:"id"`
	Total int `json:"total"`
}

// place is the number of a unit, and, when a run was killed while it renamed the shards, the one that they had before.
type place struct {
	number
	From number `json:"from,omitzero"`
}

// readNumbers reads that file, by keys of units. One that somebody has edited counts as none: units that are not found
// are done again.
func readNumbers(f folder.Folder) (map[string]place, error) {
	var numbers map[string]place
	err := readJSON(f, hidden(numbersFile), maxRowBytes, &numbers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return nil, nil
	}
	return numbers, err
}

// olderRow is a row as that layout has it.
type olderRow struct {
	Row
	Total int `json:"total"` // how many units the plan had that it was committed in
}

// check tells whether the row can be followed.
func (r olderRow) check(key string) error {
	if r.Key != key || r.Total < 1 || r.ID < 0 || r.ID > r.Total || len(r.Shards) == 0 {
		return fmt.Errorf("%w: row %s: not the row of this unit", ErrContent, key)
	}
	seen := map[part]bool{}
	for _, s := range r.Shards {
		n, ok := parseNumbered(s.Name)
		if !ok || seen[n.part] || n != (number{r.ID, r.Total}).shard(n.part) {
			return fmt.Errorf("%w: row %s: %q is not a shard of unit %d of %d", ErrContent, key, s.Name, r.ID, r.Total)
		}
		seen[n.part] = true
	}
	return nil
}

// shard is the name of a shard of the unit with this number.
func (n number) shard(p part) numbered {
	if n.ID == n.Total {
		return numbered{part: p, joined: true}
	}
	return numbered{part: p, id: n.ID, total: n.Total}
}

// readOlder reads the row of a unit, whose shards have the names that they were committed with.
func readOlder(f folder.Folder, name, key string) (r olderRow, err error) {
	data, err := readFile(f, hidden(name), maxRowBytes)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("row %s: %w: %w", key, ErrContent, err)
	}
	return r, r.check(key)
}

// olderReader reads rows of such a folder, whose shards have the names that their units have now. Rows that are in
// today's layout already are taken as they are.
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
				n, _ := parseNumbered(s.Name) // the row was checked
				r.Shards[i].Name = p.shard(n.part).String()
			}
		}
		return r.Row, nil
	}, err
}

// heldPattern is where shards stepped aside to in the hidden folder while units were renumbered: their key, and what
// they hold.
var heldPattern = regexp.MustCompile(`^[0-9a-f]{64}-[a-z]+\.[a-z.]+$`)

func heldName(key string, p part) string { return key + "-" + p.kind + p.ext }

// forgetOlder makes the folder one of today's layout, when no row of the other is left.
func (c *Collection) forgetOlder() error {
	older, err := isOlder(c.f)
	if err != nil || !older {
		return err
	}
	names, err := c.f.Names(hiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != numbersFile && !heldPattern.MatchString(name) {
			continue
		}
		if err := c.f.Remove(hidden(name)); err != nil {
			return err
		}
	}
	// The marker changes when nothing of the old layout can come back after a failure of the machine.
	if err := errors.Join(c.f.Sync(""), c.f.Sync(hiddenDir)); err != nil {
		return err
	}
	return c.f.Write(hidden(markerFile), []byte(markerText))
}
