package lake

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/schemas"
)

// ErrMerged is a shard that is to leave the table, in which another program has rewritten it: its rows are in other
// files, among rows that stay.
var ErrMerged = errors.New("lake: shards that are gone from the collection were rewritten by another program: " +
	"remove metadata/ and data/ to make the table anew of the collection alone, or remove those rows in that program")

// Change is what one commit changes.
type Change struct {
	// Key names the change, as the hash of what it was made of: a change whose key a snapshot in the history of the
	// newest one has was made already, and is not made again.
	Key    string
	Add    []schemas.Shard // that are in the folder
	Remove []string        // names of shards in the table
}

// Commit makes a change, as one snapshot, for programs that have no manifest of what they add. It is tried again when
// other commits come first.
func (t *Table) Commit(ctx context.Context, o Change) (Snapshot, error) {
	// Kept over all attempts: a lost race need not read the footers again.
	footers := map[schemas.Shard]*shard{}
	return t.retry(ctx, func(c *change) (err error) {
		c.key = o.Key
		for s := range history(c.now.Metadata()) {
			// With nothing in the change retry returns the newest snapshot and commits nothing.
			if s.Summary != nil && s.Summary.Properties[manifestKey] == o.Key {
				return nil
			}
		}
		c.remove = o.Remove
		c.add, err = readShards(ctx, t.f, o.Add, footers)
		return err
	})
}

// change is one attempt at a commit.
type change struct {
	cat        table.CatalogIO // that it is committed to
	now        *table.Table
	key        string // of its snapshot
	add        []*shard
	remove     []string           // names in the folder
	drop, put  []iceberg.DataFile // files of others that go, and what is left of them
	properties map[string]string  // of the table
}

// attempts bounds how often a commit is tried. With that many processes at once some would wait for a minute; each
// attempt that loses is a commit of another that succeeds.
const attempts = 100

// retry makes a change that prepare fills in for what the table is at the time, until it is made. The library does not:
// what Hadoop's catalogue says of a lost race is not a table.ErrCommitFailed, and where it does repeat a commit it adds
// the same files again, whether or not another process has added them meanwhile.
func (t *Table) retry(ctx context.Context, prepare func(*change) error) (Snapshot, error) {
	for n := 0; ; n++ {
		// Anew for each attempt: the winner of a race may have made the very change.
		now, cat, err := t.loadOrBegin(ctx)
		if err != nil {
			return Snapshot{}, err
		}
		c := &change{now: now, cat: cat}
		if err := prepare(c); err != nil {
			return Snapshot{}, err
		}
		if len(c.add)+len(c.remove)+len(c.properties)+len(c.drop)+len(c.put) == 0 {
			return newest(now.Metadata()), nil
		}
		// The library would repeat a commit by itself: it is called for one attempt each.
		meta, err := t.attempt(ctx, c)
		if err == nil {
			return newest(meta), nil
		}
		// An error may come after the commit was made, as when the answer of a server is lost. If the table has not changed,
		// it was not, and the error stands.
		after, loadErr := t.load(ctx)
		if errors.Is(loadErr, ErrNone) { // nor has anybody else made it
			return Snapshot{}, err
		}
		if loadErr != nil || after.MetadataLocation() == now.MetadataLocation() || n == attempts {
			return Snapshot{}, errors.Join(err, loadErr)
		}
		select {
		case <-ctx.Done():
			return Snapshot{}, context.Cause(ctx)
		// A random pause, so that those who lost together do not come back together.
		case <-time.After(rand.N(20 * time.Millisecond * time.Duration(min(n+1, 10)))):
		}
	}
}

// loadOrBegin loads the table, or begins one where there is none, and tells to which catalogue it is committed.
func (t *Table) loadOrBegin(ctx context.Context) (*table.Table, table.CatalogIO, error) {
	now, err := t.load(ctx)
	if !errors.Is(err, ErrNone) {
		return now, t.cat, err
	}
	u, err := t.begin()
	if err != nil {
		return nil, nil, err
	}
	now, err = u.LoadTable(ctx, t.ident)
	return now, u, err
}

// attempt commits a change to what the table was when it was prepared. When it fails it leaves no files after, unless
// they are the table's by now.
func (t *Table) attempt(ctx context.Context, c *change) (table.Metadata, error) {
	// A commit of its own: a data file may only refer to columns that the table has. A schema that has
	// grown and has no such file yet does no harm.
	if err := t.evolve(ctx, c); err != nil {
		return nil, err
	}
	// newTable gives no other kind.
	io, err := c.now.FS(ctx)
	if err != nil {
		return nil, err
	}
	files := io.(*fileIO)
	txn := c.now.NewTransaction()
	// Manifests are written here, through files, which notes them for drop.
	err = c.stage(ctx, txn, files)
	var commit table.TableCommit
	if err == nil {
		commit, err = txn.TableCommit()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lake: %w", err), files.drop(nil))
	}
	meta, _, err := c.cat.CommitTable(ctx, t.ident, commit.Requirements, commit.Updates)
	if u, is := c.cat.(*unborn); is && err == nil {
		err = u.publish(ctx)
	}
	if err == nil {
		// The commit stands from here on: an error is of cleaning up alone.
		return meta, files.dropMerged(meta)
	}
	// After any other error the commit may stand, and the files may be the table's: Expire finds out.
	if errors.Is(err, errRace) || errors.Is(err, table.ErrCommitFailed) { // certainly not made
		err = errors.Join(err, files.drop(nil))
	}
	return nil, err
}

// dropMerged removes those manifests that were written for a commit and then merged with others for it.
func (x *fileIO) dropMerged(meta table.Metadata) error {
	// Where another commit has come on top of ours by now, what is in use of ours is in its history.
	used, snapshots := map[string]bool{}, 0
	for s := range history(meta) {
		if snapshots++; snapshots > 2 || len(x.written) == 0 { // stage makes at most two
			break
		}
		manifests, err := s.Manifests(x)
		if err != nil {
			return fmt.Errorf("lake: snapshot %d: %w", s.SnapshotID, err)
		}
		uris := []string{s.ManifestList}
		for _, m := range manifests {
			uris = append(uris, m.FilePath())
		}
		for _, uri := range uris {
			if name, err := nameIn(x.location, uri); err == nil {
				used[name] = true
			}
		}
	}
	return x.drop(used)
}

// evolve adds the columns to the table that it lacks, by the ids that they have in the shards.
func (t *Table) evolve(ctx context.Context, c *change) error {
	meta := c.now.Metadata()
	schema, grown := meta.CurrentSchema(), false
	for _, s := range c.add {
		more, changed, err := union(schema, s.schema)
		if err != nil {
			return fmt.Errorf("%w (%s)", err, s.Name)
		}
		schema, grown = more, grown || changed
	}
	if !grown {
		return nil
	}
	_, _, err := c.cat.CommitTable(ctx, t.ident,
		// Of two that add columns at once one fails, and retry sees what the other has added.
		[]table.Requirement{table.AssertTableUUID(meta.TableUUID()), table.AssertCurrentSchemaID(meta.CurrentSchema().ID)},
		[]table.Update{table.NewAddSchemaUpdate(schema), table.NewSetCurrentSchemaUpdate(-1)})
	if err != nil {
		return err
	}
	if u, is := c.cat.(*unborn); is {
		c.now, err = u.LoadTable(ctx, t.ident)
		return err
	}
	c.now, err = t.load(ctx)
	return err
}

// stage puts the change into a transaction: one snapshot, or two where a shard's bytes were replaced under its name,
// since no snapshot can have a path both removed and added.
func (c *change) stage(ctx context.Context, txn *table.Transaction, files iceio.IO) error {
	shape, err := shapeOf(c.now.Metadata())
	if err != nil {
		return err
	}
	removed, err := c.removed(files)
	if err != nil {
		return err
	}
	removed = append(removed, c.drop...)
	first, second := slices.Clone(c.put), []iceberg.DataFile(nil)
	for _, s := range c.add {
		d, err := s.dataFile(shape)
		switch {
		case err != nil:
			return err
		// Replaced under its name: it is removed in the first snapshot, and added in the second.
		case slices.Contains(c.remove, s.Name):
			second = append(second, d)
		default:
			first = append(first, d)
		}
	}
	if len(c.properties) > 0 {
		if err := txn.SetProperties(c.properties); err != nil {
			return err
		}
	}
	// Both snapshots have the key, so that neither is taken for that of another program.
	props := iceberg.Properties{manifestKey: c.key}
	if err := txn.ReplaceDataFilesWithDataFiles(ctx, removed, first, props, table.WithoutAutoNameMapping()); err != nil {
		return err
	}
	if len(second) == 0 {
		return nil
	}
	return txn.AddDataFiles(ctx, second, props, table.WithoutAutoNameMapping())
}

// removed are the table's files that are to go.
func (c *change) removed(files iceio.IO) ([]iceberg.DataFile, error) {
	// What is asked for and not found yet.
	left := make(map[string]bool, len(c.remove))
	for _, name := range c.remove {
		left[name] = true
	}
	var found []iceberg.DataFile
	if len(left) > 0 {
		for e, err := range entries(c.now.CurrentSnapshot(), files) {
			if err != nil {
				return nil, err
			}
			if name, err := nameIn(c.now.Location(), e.DataFile().FilePath()); err == nil && left[name] {
				// The table's own entry, with the partition under which it was registered: a removal has to name
				// both.
				found = append(found, e.DataFile())
				delete(left, name)
			}
		}
	}
	if len(left) > 0 {
		var names []string
		for name := range left {
			names = append(names, name)
		}
		// Three names are enough to see what happened; sorted, since maps have no order.
		slices.Sort(names)
		return nil, fmt.Errorf("%w (%s)", ErrMerged, strings.Join(names[:min(3, len(names))], ", "))
	}
	return found, nil
}
