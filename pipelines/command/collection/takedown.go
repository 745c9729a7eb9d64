package collection

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// takeDown removes pages from the shards, then the index, which is made again of what is left, the Iceberg table's
// earlier snapshots, whose files have them still, and the rows of tables of HBase.
func takeDown(ctx context.Context, j *job) (code int, err error) {
	var entries []collection.Takedown
	// All are read before anything is removed.
	for _, what := range j.args {
		e, err := collection.ParseTakedown(what)
		if err != nil {
			return cli.ExitUsage, cli.Usagef("%v", err)
		}
		e.Time, e.Reason = time.Now().UTC().Format(time.RFC3339), j.reason
		entries = append(entries, e)
	}
	c, err := j.open()
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	// Also of a take-down that was killed, whose manifest was put aside: the same command goes on.
	m, err := collection.Finished(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// Only to find mistakes in the addresses before anything is removed.
	if _, err := tables(m, j.tables); err != nil {
		return cli.ExitUsage, err
	}
	// It can be repeated: whatever fails from here on, the same command looks for all of it again.
	c.Replacing(func(names []string) error { return j.withdraw(ctx, names) })
	done, err := c.TakeDown(ctx, entries)
	if err != nil {
		return cli.ExitFailed, fmt.Errorf("%w: not all was removed: say the same again when this is mended", err)
	}
	// The last entry has the sums of all.
	last := done[len(done)-1]
	j.say("removed    %s; %s written anew", plural(last.Documents, "document"), plural(last.Shards, "shard"))
	return j.takeElsewhere(ctx, c, m)
}

// errLeft is a takedown that has not come everywhere.
var errLeft = errors.New("the documents have nothing of it any more, and other places may; say the same again, which " +
	"goes on, when this is mended")

// takeElsewhere removes pages from what else was made of the documents: one place that fails keeps no other from it.
func (j *job) takeElsewhere(ctx context.Context, c *collection.Collection, m schemas.Manifest) (int, error) {
	var left []error
	for _, place := range []struct {
		name string
		take func() error
	}{
		{"the index", func() error { return errors.Join(c.RemoveDerived(), j.removeIndex(ctx)) }},
		{"the Iceberg table", func() error {
			if err := j.takeFromSnapshots(ctx); err != nil {
				return err
			}
			// The table names them no more.
			_, err := c.Expire(nil)
			return err
		}},
		// Last, since it asks servers, which may be away.
		{"tables of HBase", func() error { return j.takeFromTables(ctx, m) }},
	} {
		if err := place.take(); err != nil {
			left = append(left, fmt.Errorf("%w: %s: %w", errLeft, place.name, err))
		}
	}
	if len(left) > 0 {
		return cli.ExitFailed, errors.Join(left...)
	}
	return cli.ExitDone, nil
}

// withdraw takes shards out of the table, where there is one, before they are replaced.
func (j *job) withdraw(ctx context.Context, names []string) error {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil
	}
	if err == nil {
		err = t.Withdraw(ctx, names)
	}
	// Another program has put their rows into other files: the newest snapshot does not name them.
	if errors.Is(err, lake.ErrMerged) {
		return nil
	}
	return err
}

// takeFromSnapshots removes the table's earlier snapshots, where there is a table.
func (j *job) takeFromSnapshots(ctx context.Context) error {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	list, err := collection.ReadTakedowns(j.f)
	if err != nil {
		return err
	}
	// A new snapshot without the pages first; then the older ones can go.
	if err := j.changed(ctx); err != nil {
		return err
	}
	rows, err := t.TakeOut(ctx, list.Has)
	if err != nil {
		return fmt.Errorf("the collection has nothing of it any more, but its table may: %w", err)
	}
	if rows > 0 {
		j.say("table      %s removed that other programs wrote", plural(rows, "row"))
	}
	// Nothing is young: the collection is locked, and what no snapshot refers to may have what was taken down.
	gone, err := t.Expire(ctx, lake.Expiry{Keep: 1, Young: time.Nanosecond})
	if err != nil {
		return err
	}
	j.say("snapshots  %s removed, with %s", plural(len(gone.Snapshots), "snapshot"), plural(len(gone.Files), "file"))
	return j.leftInSnapshots(ctx, t)
}

// leftInSnapshots is an error for files of snapshots that could not go and have pages that were taken down.
func (j *job) leftInSnapshots(ctx context.Context, t *lake.Table) error {
	left, err := j.leftInTable(ctx, t)
	for _, p := range left {
		err = errors.Join(err, fmt.Errorf("%s: %s", p.Name, p.Message))
	}
	if err != nil {
		return fmt.Errorf("the collection has nothing of it any more, but snapshots of its table may: %w", err)
	}
	return nil
}

// leftInTable lists the files of all snapshots, except for shards of the manifest, that have what was taken down.
func (j *job) leftInTable(ctx context.Context, t *lake.Table) ([]lake.Problem, error) {
	list, err := collection.ReadTakedowns(j.f)
	if err != nil || len(list.Entries) == 0 {
		return nil, err
	}
	all, _, err := holdings.Whole(j.f)
	if err != nil {
		return nil, err
	}
	have := map[string]int64{}
	for _, s := range all.Shards {
		have[s.Name] = s.Bytes
	}
	return t.Left(ctx, list.Has, func(name string, bytes int64) bool { return have[name] == bytes })
}

// removeIndex removes the index where it is not in the collection: of one in a bucket it is among this user's caches.
// Other users' are theirs to remove, or go when they ask the next time.
func (j *job) removeIndex(ctx context.Context) error {
	// Opened only to learn its folder: which one that is, index.Open alone decides.
	x, err := index.Open(ctx, j.f, index.Options{})
	if err != nil {
		return err
	}
	dir, _ := x.Dir()
	return errors.Join(x.Close(), os.RemoveAll(dir))
}
