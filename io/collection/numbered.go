package collection

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// unitName returns the part of a shard's name, in either layout, that identifies its unit.
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

// numbersFile held the current numbers of units whose rows have older ones.
const numbersFile = "numbers.json"

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

// maxRowBytes limits a row file: a unit of 100,000 small files needs 20 MB.
const maxRowBytes = 256 << 20
