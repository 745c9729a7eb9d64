package collection

import (
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Collection is an open folder. One process at a time has it open; its methods are for one goroutine.
type Collection struct {
	f     folder.Folder
	lock  *claim.Claimed
	known map[string]ledger.Row // rows read before the folder was opened
	redo  bool                  // all units are done again
	// waiting are the keys of rows that Resume leaves alone.
	waiting []string
	tabled  *bool // result of isTabled; nil before its first call
	// compacted is the note of moved documents; nil before it is read.
	compacted *ledger.Compaction
	moved     ledger.Moved
}
