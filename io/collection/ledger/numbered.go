package ledger

import (
	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// UnitOfName returns the part of a shard's name, in either layout, that identifies its unit.
func UnitOfName(name string) string {
	if n, ok := holdings.ParseName(name); ok {
		return n.Unit
	}
	n, _ := holdings.ParseNumbered(name)
	return holdings.Numbered{ID: n.ID, Total: n.Total, Joined: n.Joined}.String()
}

func IsShard(name string) bool {
	_, ok := holdings.FileTypeOf(name)
	return ok
}

// maxRowBytes limits a row file: a unit of 100,000 small files needs 20 MB.
const maxRowBytes = 256 << 20
