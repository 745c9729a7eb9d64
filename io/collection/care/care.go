package care

import (
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Collection is an open collection, as the tasks of this package need it.
type Collection interface {
	Folder() folder.Folder
	// Rows returns the rows of the finished units, by key.
	Rows() (map[string]ledger.Row, error)
	// Compaction returns the note of moved documents, and SaveCompaction replaces it.
	Compaction() (ledger.Compaction, error)
	SaveCompaction(k ledger.Compaction) error
	// Replace writes the manifest again, with the options of m. Rows with the keys in others wait for their run.
	Replace(m schemas.Manifest, results []schemas.UnitResult, others []string) error
}
