//go:build !noiceberg && !local

package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TakeOut removes the rows whose URLs gone reports from data files of other programs, such as Spark's inserts or
// updates. It rewrites each file without them, in one commit, and returns the number of removed rows. It skips shards
// of the collection: these are rewritten in place, and Sync brings the table to them. Earlier snapshots keep the rows
// until Expire. Call it only when nothing else uses the folder; it can be repeated.
//
// It leaves a table as it is if the table has delete files (ErrDeletes), files elsewhere (ErrOutside), or files that
// are not Parquet.
func (t *Table) TakeOut(ctx context.Context, gone func(url string) bool) (rows int64, err error) {
	r := &rewriter{f: t.f, gone: gone, known: map[string]rewritten{}}
	if _, err := t.retry(ctx, func(c *change) error { return r.prepare(ctx, c) }); err != nil {
		return 0, errors.Join(err, r.discard())
	}
	return r.rows, t.forgetRemoved(ctx)
}

// rewriter rewrites data files of other programs.
type rewriter struct {
	f     folder.Folder
	gone  func(url string) bool
	known map[string]rewritten // by the name of the replaced file; kept over attempts
	rows  int64                // removed by this attempt
}

// rewritten is the remaining part of a file.
type rewritten struct {
	name          string // empty if no row remains, or all do
	bytes         int64
	kept, removed int64
	bounds        map[int]bound
}

// prepare fills in a change.
func (r *rewriter) prepare(ctx context.Context, c *change) error {
	files, err := c.now.FS(ctx)
	if err != nil {
		return err
	}
	// The key is that of the table's manifest, which marks the snapshot as ours.
	c.key, r.rows = c.now.Properties()[manifestKey], 0
	deletes := false
	for e, err := range entries(c.now.CurrentSnapshot(), files) {
		if err != nil {
			return err
		}
		d := e.DataFile()
		if d.ContentType() != iceberg.EntryContentData {
			deletes = true
			continue
		}
		name, err := nameIn(c.now.Location(), d.FilePath())
		if err == nil && !shardPattern().MatchString(name) {
			err = r.file(ctx, c, name, d)
		}
		if err != nil {
			return err
		}
	}
	// Deletes name rows by file and position, or precede the new file: these rows would come back.
	if deletes && len(c.drop) > 0 {
		return ErrDeletes
	}
	return nil
}

// file adds a data file to the change if rows of it have to go.
func (r *rewriter) file(ctx context.Context, c *change, name string, d iceberg.DataFile) (err error) {
	made, known := r.known[name]
	if !known {
		if d.FileFormat() != iceberg.ParquetFile {
			return fmt.Errorf("lake: %s is %s: pages can be taken out of Parquet alone", name, d.FileFormat())
		}
		if made, err = r.rewrite(ctx, name); err != nil {
			return err
		}
		r.known[name] = made
	}
	if made.removed == 0 {
		return nil
	}
	r.rows += made.removed
	c.drop = append(c.drop, d)
	if made.kept == 0 {
		return nil
	}
	left, err := made.dataFile(c.now, d)
	c.put = append(c.put, left)
	return err
}

// dataFile returns the entry of the remaining part of a file, in its partition.
func (m rewritten) dataFile(now *table.Table, old iceberg.DataFile) (iceberg.DataFile, error) {
	specs := now.Metadata().PartitionSpecs()
	i := slices.IndexFunc(specs, func(s iceberg.PartitionSpec) bool { return s.ID() == int(old.SpecID()) })
	if i < 0 {
		return nil, fmt.Errorf("lake: %s is of a partition that the table does not know", old.FilePath())
	}
	b, err := iceberg.NewDataFileBuilder(specs[i], iceberg.EntryContentData, now.Location()+"/"+m.name,
		iceberg.ParquetFile, old.Partition(), nil, nil, m.kept, m.bytes)
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", m.name, err)
	}
	describeBounds(b, m.bounds)
	return b.Build(), nil
}

// discard removes the files that were written for a commit that failed.
func (r *rewriter) discard() error {
	var errs []error
	for _, made := range r.known {
		if made.name != "" {
			errs = append(errs, r.f.Remove(made.name))
		}
	}
	return errors.Join(errs...)
}

// forgetRemoved rewrites the newest snapshot's manifests without their entries of removed files, because the bounds of
// those entries hold SURTs of removed pages.
func (t *Table) forgetRemoved(ctx context.Context) error {
	for n := 0; ; n++ {
		now, err := t.load(ctx)
		if err != nil {
			return err
		}
		txn := now.NewTransaction()
		done, err := txn.RewriteManifests(ctx,
			table.WithRewriteManifestPredicate(func(m iceberg.ManifestFile) bool { return m.DeletedDataFiles() > 0 }),
			// All entries go to one manifest; without a key a lone manifest would stay as it is.
			table.WithRewriteManifestClusterBy(func(iceberg.DataFile) any { return "" }))
		if err != nil {
			return fmt.Errorf("lake: %w", err)
		}
		if done.IsNoOp() {
			return nil
		}
		commit, err := txn.TableCommit()
		if err != nil {
			return fmt.Errorf("lake: %w", err)
		}
		_, _, err = t.cat.CommitTable(ctx, t.ident, commit.Requirements, commit.Updates)
		// Another program was first. Expire removes the written files.
		if race := errors.Is(err, errRace) || errors.Is(err, table.ErrCommitFailed); !race || n == attempts {
			return err
		}
	}
}

// Left lists the files of all snapshots with rows whose URLs gone reports, or with unknown URLs. It does not read files
// for which skip returns true.
func (t *Table) Left(
	ctx context.Context, gone func(url string) bool, skip func(name string, bytes int64) bool,
) (problems []Problem, err error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	err = t.walk(ctx, now.Metadata(), func(name string, data *File) error {
		if data == nil || skip(name, data.Bytes) {
			return ctx.Err()
		}
		// Check reports a different length: the file that the snapshot meant is gone.
		if size, err := t.f.Size(name); err != nil || size != data.Bytes {
			return ctx.Err()
		}
		if message := left(ctx, t.f, name, data, gone); message != "" {
			problems = append(problems, Problem{name, message})
		}
		return ctx.Err()
	})
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Name, b.Name) })
	return problems, err
}

// left describes the removed pages that a file still has, or returns "".
func left(ctx context.Context, f folder.Folder, name string, data *File, gone func(url string) bool) string {
	if data.format != iceberg.ParquetFile {
		if data.content == iceberg.EntryContentPosDeletes {
			return "" // positions of rows, for example in a bitmap
		}
		return fmt.Sprintf("is %s, and may have pages that were taken down", data.format)
	}
	p, err := openParquet(f, name)
	if err != nil {
		return err.Error()
	}
	defer p.close()
	n, err := p.count(ctx, gone)
	switch {
	case errors.Is(err, errNoURLs) && data.content != iceberg.EntryContentData:
		return "" // deletes by other columns
	case err != nil:
		return err.Error()
	case n > 0:
		return fmt.Sprintf("has %d rows of pages that were taken down: repeat the takedown, and remove the tags and "+
			"branches that keep the snapshot", n)
	}
	return ""
}

// madeName returns a new name in the same folder for the replacement of a file.
func madeName(name string) string {
	return path.Join(path.Dir(name), "rows-"+folder.Unique()+".parquet")
}
