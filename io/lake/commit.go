//go:build !noiceberg && !local

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

// Commit makes a change as one snapshot, for programs that have no manifest. It retries when other commits come first.
func (t *Table) Commit(ctx context.Context, o Change) (Snapshot, error) {
	// The cache lives over all attempts, so that a lost race does not read the footers again.
	footers := map[schemas.Shard]*tableShard{}
	return t.retry(ctx, func(c *change) (err error) {
		c.key = o.Key
		for s := range history(c.now.Metadata()) {
			// For an empty change, retry returns the newest snapshot and commits nothing.
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
	cat        table.CatalogIO // the catalogue that gets the commit
	now        *table.Table
	key        string // the key of its snapshot
	add        []*tableShard
	remove     []string           // names in the folder
	drop, put  []iceberg.DataFile // files of others that are removed, and the files with their remaining rows
	properties map[string]string  // of the table
}

// attempts limits the tries of a commit. With that many concurrent processes some would wait for a minute; whenever one
// attempt loses, another commit has succeeded.
const attempts = 100

// retry prepares and makes a change until it succeeds; prepare fills the change in for the current state of the table.
// The library's own retry does not work here. When Hadoop's catalogue loses a race, its error is not a
// table.ErrCommitFailed. When the library does repeat a commit, it adds the same files again even if another process
// has added them in the meantime.
func (t *Table) retry(ctx context.Context, prepare func(*change) error) (Snapshot, error) {
	for n := 0; ; n++ {
		// Each attempt prepares the change again: the winner of a race may have made the same change.
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
		// The library would repeat a commit by itself, so each call makes one attempt only.
		meta, err := t.attempt(ctx, c)
		if err == nil {
			return newest(meta), nil
		}
		// A commit may succeed and still return an error, for example when the answer of a server is lost. If the table
		// has not changed, the commit failed and the error stands.
		after, loadErr := t.load(ctx)
		if errors.Is(loadErr, ErrNone) { // nobody has made the table
			return Snapshot{}, err
		}
		if loadErr != nil || after.MetadataLocation() == now.MetadataLocation() || n == attempts {
			return Snapshot{}, errors.Join(err, loadErr)
		}
		select {
		case <-ctx.Done():
			return Snapshot{}, context.Cause(ctx)
		// A random pause keeps the losers of one race from meeting again.
		case <-time.After(rand.N(20 * time.Millisecond * time.Duration(min(n+1, 10)))):
		}
	}
}

// loadOrBegin loads the table, or begins one, and returns the catalogue that gets the commit.
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

// attempt commits a change to the state of the table for which it was prepared. On failure it leaves no files after,
// unless the table uses them by now.
func (t *Table) attempt(ctx context.Context, c *change) (table.Metadata, error) {
	// Columns get a commit of their own, because a data file may refer only to columns that the table has. A schema
	// with unused columns does no harm.
	if err := t.evolve(ctx, c); err != nil {
		return nil, err
	}
	// newTable returns this type only.
	io, err := c.now.FS(ctx)
	if err != nil {
		return nil, err
	}
	files := io.(*fileIO)
	txn := c.now.NewTransaction()
	// Manifests are written through files, which records them for drop.
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
		// The commit stands from here on. A later error concerns the cleanup only.
		return meta, files.dropMerged(meta)
	}
	// After any other error the commit may stand and the table may use the files. Expire finds out.
	if errors.Is(err, errRace) || errors.Is(err, table.ErrCommitFailed) { // certainly not made
		err = errors.Join(err, files.drop(nil))
	}
	return nil, err
}

// dropMerged removes manifests that were written for a commit and then merged with others in the same commit.
func (x *fileIO) dropMerged(meta table.Metadata) error {
	// If another commit follows ours, its history names our files that are in use.
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

// evolve adds the columns that the table lacks, with the ids that they have in the shards.
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
		// If two processes add columns at once, one fails and retries with the columns of the other.
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

// stage puts the change into a transaction. It makes one snapshot, or two where a shard's bytes were replaced under its
// name: a snapshot cannot remove and add the same path.
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
		// The shard was replaced under its name: the first snapshot removes it and the second adds it.
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
	// Both snapshots have the key, so that neither looks like one of another program.
	props := iceberg.Properties{manifestKey: c.key}
	if err := txn.ReplaceDataFilesWithDataFiles(ctx, removed, first, props, table.WithoutAutoNameMapping()); err != nil {
		return err
	}
	if len(second) == 0 {
		return nil
	}
	return txn.AddDataFiles(ctx, second, props, table.WithoutAutoNameMapping())
}

// removed are the table's files that the change removes.
func (c *change) removed(files iceio.IO) ([]iceberg.DataFile, error) {
	// The names that are not found yet.
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
				// This is the table's own entry, with its registered partition: a removal has to name both.
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
		// Three names are enough for the message. They are sorted because maps have no order.
		slices.Sort(names)
		return nil, fmt.Errorf("%w (%s)", ErrMerged, strings.Join(names[:min(3, len(names))], ", "))
	}
	return found, nil
}
