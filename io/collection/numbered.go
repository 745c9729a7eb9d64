package collection

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// unitName is what a shard's name, of either layout, tells its unit from others by.
func unitName(name string) string {
	if n, ok := holdings.ParseName(name); ok {
		return n.Unit
	}
	n, _ := holdings.ParseNumbered(name)
	return holdings.Numbered{ID: n.ID, Total: n.Total, Joined: n.Joined}.String()
}

func isShard(name string) bool {
	_, ok := holdings.FileTypeOf(name)
	return ok
}

// numbersFile had the numbers of units that are not those which their rows were committed with.
const numbersFile = "numbers.json"

// number is the place of a unit in a plan: the ID-th of Total. The unit of joined records is after the last, with
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
	err := folder.ReadJSON(f, holdings.Hidden(numbersFile), maxRowBytes, &numbers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrContent) {
		return nil, nil
	}
	return numbers, err
}

// shard is the name of a shard of the unit with this number.
func (n number) shard(p holdings.FileType) holdings.Numbered {
	if n.ID == n.Total {
		return holdings.Numbered{FileType: p, Joined: true}
	}
	return holdings.Numbered{FileType: p, ID: n.ID, Total: n.Total}
}
