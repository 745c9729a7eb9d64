package standing

import (
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// Policy is what the user allows.
type Policy struct {
	Add   bool // other archives than those of the folder
	Prune bool // to remove units whose archives are gone
}

// Found is what a command has found so far, of all classes settled up to now.
type Found struct {
	IDs     map[string]bool   // of files that can be read
	Stamps  map[string]string // of files, by StampID
	Pages   map[string]int    // of folders of single pages, by id
	Trimmed map[string]int64  // first retained offsets of topic partitions, by id
}

// NewFound returns a Found without files.
func NewFound() Found {
	return Found{
		IDs: map[string]bool{}, Stamps: map[string]string{}, Pages: map[string]int{}, Trimmed: map[string]int64{},
	}
}

// World answers questions about files that the rows of units cannot answer.
type World interface {
	// ID identifies a range's file; see Names.ID.
	ID(dir string, r schemas.Range) string
	// Covers returns the argument of the command that covers a file, and whether there is one.
	Covers(id string) (arg string, ok bool)
	// Gone reports whether a file no longer exists. In doubt it is not gone.
	Gone(id string, covered bool) bool
	// EmptyAbove returns the nearest existing folder above a path if it is empty, or "".
	EmptyAbove(path string) string
	// Same reports whether a range has the bytes that its row noted, though its file has another stamp.
	Same(in schemas.Range, stamp string) (bool, error)
	// Captures counts a row's captures from the files.
	Captures(r ledger.Row, files map[string]bool) (int64, error)
}

// Outcome is what becomes of the rows of one class.
type Outcome struct {
	Stay    []ledger.Row // rows that stay as they are
	Waiting []string     // keys of rows that wait for their own command, sorted
	Waits   string       // one of their archives, the first by name
	Pruned  []ledger.Row // rows that --prune removes
	Redone  int          // units that --prune does again without the missing archives
	Removed int64        // captures that redone units lose
	Gone    int          // rows that stay, of archives that no longer exist
	Unnamed int          // rows that stay, of archives that the command does not name
}
