package ledger

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// tableDir is the metadata folder of a collection's Iceberg table (io/lake).
const tableDir = "metadata"

// HasTable reports whether the collection in f has an Iceberg table.
func HasTable(f folder.Folder) (bool, error) {
	names, err := f.Names(tableDir)
	isMetadata := func(name string) bool { return strings.HasSuffix(name, ".metadata.json") }
	return err == nil && slices.ContainsFunc(names, isMetadata), err
}
