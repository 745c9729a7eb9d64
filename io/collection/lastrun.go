package collection

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// NoteLastRun records in f, an open folder, what a run is asked for.
func NoteLastRun(f folder.Folder, a holdings.LastRun) error {
	data, err := folder.EncodeJSON(a)
	if err == nil {
		err = f.Write(holdings.Hidden(holdings.LastRunFile), data)
	}
	if err != nil {
		return fmt.Errorf("collection: note of what is asked for: %w", err)
	}
	return nil
}
