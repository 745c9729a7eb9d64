package collection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// updateIndex updates the index, as every query does first. Users run it before large updates or to make the first
// query fast. It does not lock the collection, since the index is of the current manifest.
func updateIndex(ctx context.Context, j *job) (int, error) {
	began := time.Now()
	r, err := contentdb.UpdateIndex(ctx, j.f, contentdb.UpdateOptions{
		Rebuild: j.rebuild, MemoryBytes: j.indexMemory(),
	})
	if err != nil {
		return cli.ExitFailed, err
	}
	switch {
	// Busy alone is not a failure if the index is complete.
	case r.Busy && (j.rebuild || r.Stale > 0):
		return cli.ExitFailed, fmt.Errorf("another process is updating the index, which lacks %s: try again later",
			cli.Plural(r.Stale, "shard"))
	case r.ReadOnly != "" && (j.rebuild || r.Stale > 0):
		return cli.ExitFailed, fmt.Errorf("the index cannot be written: %w", errors.New(r.ReadOnly))
	}
	j.say("shards     %s; %d added, %d replaced, %d "+
		"removed", cli.FormatCount(int64(r.Shards)), r.Added, r.Replaced, r.Removed)
	j.say("rows       %s in %s", cli.FormatCount(r.Rows), time.Since(began).Round(time.Millisecond))
	j.say("index      %s in %s", cli.FormatBytes(r.Bytes), r.Dir)
	if n := r.Links.Shards; n > 0 {
		j.say("links      %s in %s; %d added, %d removed", cli.FormatBytes(r.Links.Bytes),
			cli.Plural(n, "shard"), r.Links.Made,
			r.Links.Removed)
	}
	if j.meaning {
		n, err := contentdb.UpdateMeaning(ctx, j.f, meaningmodel.Opener(""))
		if err != nil {
			return cli.ExitFailed, err
		}
		j.say("meanings   of %s", cli.Plural(n, "passage"))
	}
	if r.Away != "" {
		j.say("           there since %s", r.Away)
	}
	// With --rebuild the user knows the reason.
	if r.Rebuilt != "" && !j.rebuild {
		j.say("           made anew: %s", r.Rebuilt)
	}
	return cli.ExitDone, nil
}
