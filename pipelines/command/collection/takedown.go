package collection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// takeDown removes pages from the shards. It also removes them from the index, from earlier snapshots of the Iceberg
// table, and from HBase tables.
func takeDown(ctx context.Context, j *job) (code int, err error) {
	var entries []takedown.Entry
	// All arguments are parsed before anything is removed.
	for _, what := range j.args {
		e, err := takedown.Parse(what)
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
	// Finished also finds the manifest of a take-down that was killed, so the same command continues.
	m, err := ledger.Finished(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// Finds wrong URLs before anything is removed.
	if _, err := tables(m, j.tables); err != nil {
		return cli.ExitUsage, err
	}
	// From here on, the same command can repeat whatever fails.
	withdraw := func(names []string) error { return j.withdraw(ctx, names) }
	done, err := care.TakeDown(ctx, c, entries, withdraw)
	if err != nil {
		return cli.ExitFailed, fmt.Errorf("%w: not all was removed: say the same again when this is mended", err)
	}
	// The last entry has the totals.
	last := done[len(done)-1]
	j.say("removed    %s; %s written again", cli.Plural(last.Documents, "document"), cli.Plural(last.Shards, "shard"))
	code, err = j.takeElsewhere(ctx, c, m, takenElsewhere{what: j.args, snapshots: true})
	if err != nil {
		return code, err
	}
	return code, takedown.End(j.f, done)
}

// errLeft means that a take-down has not reached all places.
var errLeft = errors.New("the documents have nothing of it any more, and other places may; say the same again, which " +
	"goes on, when this is mended")

// takenElsewhere says what takeElsewhere removes.
type takenElsewhere struct {
	what      []string // the URLs and hosts; nil if they are not known
	snapshots bool     // all earlier snapshots of the table, even if no file of them has a listed page
}

// takeElsewhere removes pages from everything made of the documents. A failing place does not stop the others.
func (j *job) takeElsewhere(
	ctx context.Context, c *collection.Collection, m schemas.Manifest, o takenElsewhere,
) (int, error) {
	var left []error
	for _, place := range []struct {
		name string
		take func() error
	}{
		{"the index", func() error { return errors.Join(j.takeFromIndex(ctx), care.RemoveDerived(j.f)) }},
		{"the Iceberg table", func() error {
			if left, err := j.takeFromSnapshots(ctx, o.snapshots); err != nil || left {
				return err
			}
			_, err := care.Expire(c, nil)
			return err
		}},
		// Last, because its servers may be down.
		{"tables of HBase", func() error { return j.takeFromTables(ctx, m, o.what) }},
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

// takeFromIndex removes pages from the index. It reports an index that is lost.
func (j *job) takeFromIndex(ctx context.Context) error {
	lost, err := contentdb.PurgeIndex(ctx, j.f, j.indexMemory())
	if lost != nil && err == nil {
		j.say("index      removed, and made again by the next query: %v", lost)
	}
	return err
}

// withdraw removes shards from the table before they are replaced.
func (j *job) withdraw(ctx context.Context, names []string) error {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.Withdraw(ctx, names)
}

// takeFromSnapshots removes earlier snapshots of the table, if there is one. Unless all is set, it leaves them if no
// file of them has a listed page.
func (j *job) takeFromSnapshots(ctx context.Context, all bool) (left bool, err error) {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	list, err := takedown.Read(j.f)
	if err != nil {
		return false, err
	}
	// The older snapshots can go only after a new one without the pages.
	if err := j.changed(ctx); err != nil {
		return false, err
	}
	if !all {
		if found, err := j.leftInTable(ctx, t); err != nil || len(found) == 0 {
			return true, err
		}
	}
	rows, err := t.TakeOut(ctx, list.Has)
	if err != nil {
		return false, fmt.Errorf("the collection has nothing of it any more, but its table may: %w", err)
	}
	if rows > 0 {
		j.say("table      %s removed that other programs wrote", cli.Plural(rows, "row"))
	}
	// Young files go too: the collection is locked, and unreferenced files may have pages taken down.
	gone, err := t.Expire(ctx, lake.Expiry{Keep: 1, Young: time.Nanosecond})
	if err != nil {
		return false, err
	}
	j.say("snapshots  %s removed, with %s", cli.Plural(len(gone.Snapshots), "snapshot"),
		cli.Plural(len(gone.Files), "file"))
	return false, j.leftInSnapshots(ctx, t)
}

// leftInSnapshots returns an error if remaining files of snapshots have pages taken down.
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

// leftInTable lists the files of all snapshots with pages taken down, except shards of the manifest.
func (j *job) leftInTable(ctx context.Context, t *lake.Table) ([]lake.Problem, error) {
	list, err := takedown.Read(j.f)
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
