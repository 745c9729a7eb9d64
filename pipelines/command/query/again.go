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

// retries is how often a question is asked again, since another change may replace the next snapshot too.
const retries = 3

// replacedWait is how long a question waits for a takedown, which replaces shards under their names, to end. A
// variable for tests.
var replacedWait = 20 * time.Second

// unsentError is an error before any part of the answer was sent.
type unsentError struct {
	error
	db *contentdb.DB // the database that was asked, now closed
}

func (e *unsentError) Unwrap() error { return e.error }

// isReplaced reports whether to ask the question again because files of the manifest were replaced or removed
// meanwhile. It waits for a change that replaces shards.
func isReplaced(ctx context.Context, err error) bool {
	var unsent *unsentError
	// A partly sent answer cannot be started again.
	if !errors.As(err, &unsent) || !errors.Is(err, holdings.ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	for deadline, said := time.Now().Add(replacedWait), false; ; {
		changed, failed := unsent.db.Changed()
		// Removed files do not come back, so this does not wait for them.
		if changed || failed != nil || !errors.Is(err, holdings.ErrChanged) {
			return changed
		}
		// Logged once: the loop runs ten times a second.
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
