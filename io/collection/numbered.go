package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

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

// unitName is what a shard's name, of either layout, tells its unit from others by.
func unitName(name string) string {
	if n, ok := parseShard(name); ok {
		return n.unit
	}
	n, _ := parseNumbered(name)
	return numbered{id: n.id, total: n.total, joined: n.joined}.String()
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
	err := folder.ReadJSON(f, hidden(numbersFile), maxRowBytes, &numbers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return nil, nil
	}
	return numbers, err
}

// shard is the name of a shard of the unit with this number.
func (n number) shard(p part) numbered {
	if n.ID == n.Total {
		return numbered{part: p, joined: true}
	}
	return numbered{part: p, id: n.ID, total: n.Total}
}
