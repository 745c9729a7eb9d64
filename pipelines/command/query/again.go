package query

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// retries is how often a question is asked again: a change that follows another may replace the next snapshot as well.
const retries = 3

// replacedWait is how long a question waits for the end of a change that replaces shards under their names, which is a
// takedown. A variable, for tests.
var replacedWait = 20 * time.Second

// unsentError is an error of an answer of which nobody has a part yet.
type unsentError struct {
	error
	db *contentdb.DB // that was asked, which is closed
}

func (e *unsentError) Unwrap() error { return e.error }

// isReplaced reports whether the question can be asked again, of another snapshot: files that the manifest names were
// replaced or removed while it was answered. For the end of a change that replaces shards it waits.
func isReplaced(ctx context.Context, err error) bool {
	var unsent *unsentError
	// An answer that was sent in part cannot be begun again.
	if !errors.As(err, &unsent) || !errors.Is(err, holdings.ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	for deadline, said := time.Now().Add(replacedWait), false; ; {
		changed, failed := unsent.db.Changed()
		// Files that are gone do not come back, so they are not waited for.
		if changed || failed != nil || !errors.Is(err, holdings.ErrChanged) {
			return changed
		}
		// Said once, since this loop runs ten times a second.
		if !said {
			slog.Warn("a shard is not what the manifest says: waiting for a change of the collection to end", "error", err)
			said = true
		}
		if time.Now().After(deadline) {
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
}
