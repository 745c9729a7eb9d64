//go:build !noiceberg && !local

package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Expire removes snapshots, and then all files without a reference. These are shards that are not in the manifest
// either, data of other programs, manifests, manifest lists and lists of shards. Snapshots that a tag or a branch of
// another program names stay. Call it only when nothing else uses the folder. If it is killed, the next call removes
// the files that it left.
func (t *Table) Expire(ctx context.Context, e Expiry) (Expired, error) {
	var out Expired
	now, err := t.load(ctx)
	if err != nil {
		return out, err
	}
	// Metadata first, then files. If the process is killed between the two, unreferenced files remain, never the
	// reverse.
	gone := outdated(now.Metadata(), e)
	for _, s := range gone {
		out.Snapshots = append(out.Snapshots, describe(s))
	}
	meta := now.Metadata()
	if len(gone) > 0 {
		updates := removal(gone)
		// From here on meta is the state after the removal, which sweep uses.
		if meta, err = t.forget(ctx, now, updates, e.DryRun); err != nil {
			return out, err
		}
	}
	return out, t.sweep(ctx, meta, e, &out)
}

// removal returns the update that removes snapshots.
func removal(gone []table.Snapshot) []table.Update {
	ids := make([]int64, len(gone))
	for i, s := range gone {
		ids[i] = s.SnapshotID
	}
	updates := []table.Update{table.NewRemoveSnapshotsUpdate(ids, false)} // sweep removes the files
	if slices.ContainsFunc(gone, func(s table.Snapshot) bool { return rewrites(describe(s)) }) {
		updates = append(updates, table.NewSetPropertiesUpdate(iceberg.Properties{othersKey: "true"}))
	}
	return updates
}

// forget commits the removal of snapshots; in a dry run it returns the metadata that would result.
func (t *Table) forget(
	ctx context.Context, now *table.Table, updates []table.Update, dry bool,
) (table.Metadata, error) {
	if dry {
		meta, err := table.UpdateTableMetadata(now.Metadata(), updates, now.MetadataLocation())
		if err != nil {
			return nil, fmt.Errorf("lake: %w", err)
		}
		return meta, nil
	}
	// A concurrent commit may build on the snapshots that go, so a race ends the call. Nothing is removed at that
	// point.
	var head *int64 // nil: there is no main branch, as can happen in tables of others
	if s := now.Metadata().CurrentSnapshot(); s != nil {
		head = &s.SnapshotID
	}
	needs := []table.Requirement{
		table.AssertTableUUID(now.Metadata().TableUUID()), table.AssertRefSnapshotID(table.MainBranch, head),
	}
	meta, _, err := t.cat.CommitTable(ctx, t.ident, needs, updates)
	if err != nil {
		return nil, fmt.Errorf("lake: expire: %w", err)
	}
	return meta, nil
}

// outdated returns the snapshots to remove, oldest first.
func outdated(meta table.Metadata, e Expiry) []table.Snapshot {
	keep := map[int64]bool{}
	// The main branch is one of the refs, so the newest snapshot stays.
	for _, ref := range meta.Refs() {
		keep[ref.SnapshotID] = true
	}
	// Keep counts along the main branch, because those are the versions of the collection.
	n := 0
	for s := range history(meta) {
		if n++; n <= max(e.Keep, 1) {
			keep[s.SnapshotID] = true
		}
	}
	var gone []table.Snapshot
	for _, s := range meta.Snapshots() {
		if !keep[s.SnapshotID] && (e.Before.IsZero() || s.TimestampMs < e.Before.UnixMilli()) {
			gone = append(gone, s)
		}
	}
	return gone
}

// Patterns for the table's files in metadata/; other files there are left alone.
var (
	avroPattern = pattern.Lazy(`^(snap-.*|.*-m\d+|.*)\.avro$`)
	listPattern = pattern.Lazy(`^shards-[0-9a-f]{64}\.json\.gz$`)
	tempPattern = pattern.Lazy(`^\..+\.tmp-(\d+)-[0-9a-f]{16}-\d+$`) // with the process id
)

// sweep removes files without references: shards directly in the folder, and files in data/ and metadata/.
func (t *Table) sweep(ctx context.Context, meta table.Metadata, e Expiry, out *Expired) error {
	// The references of all remaining snapshots, on any branch.
	used, err := t.references(ctx, meta)
	if err != nil {
		return err
	}
	// The manifest is read after the commit, so that it has the shards of a run that has just finished.
	if _, shards, err := readManifest(t.f); err == nil {
		for _, s := range shards {
			used[s.Name] = true
		}
	} else {
		return errors.Join(err, ctx.Err()) // without a manifest nobody knows which shards are in use
	}
	// An interrupted run has units that no manifest names yet.
	rows, err := ledger.Rows(t.f)
	if err != nil {
		return err
	}
	waiting, err := ledger.Waiting(t.f, rows)
	if err != nil {
		return err
	}
	for key := range waiting {
		for _, s := range rows[key].Shards {
			used[s.Name] = true
		}
	}
	dirs, err := t.dataDirs()
	if err != nil {
		return err
	}
	for _, dir := range append([]string{"", metadataDir}, dirs...) {
		if err := t.sweepDir(dir, used, meta, e, out); err != nil {
			return fmt.Errorf("lake: expire: %w", err)
		}
	}
	return nil
}

// maxDataDirs limits the folders that are listed in data/. Spark makes one for each month.
const maxDataDirs = 100_000

// dataDirs returns data/ and its folders of partitions.
func (t *Table) dataDirs() ([]string, error) {
	dirs := []string{"data"}
	// The list grows during the loop, because folders of partitions may hold others.
	for i := 0; i < len(dirs) && len(dirs) < maxDataDirs; i++ {
		names, err := t.f.Names(dirs[i])
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			// Names such as timestamp_month=2026-11, or binary digits in Iceberg's layout for object stores.
			if strings.Contains(name, "=") || strings.Trim(name, "01") == "" {
				dirs = append(dirs, dirs[i]+"/"+name)
			}
		}
	}
	return dirs, nil
}

func (t *Table) sweepDir(dir string, used map[string]bool, meta table.Metadata, e Expiry, out *Expired) error {
	// A missing folder has no files. Only other programs make data/.
	stats, err := t.f.Stats(dir)
	if err != nil {
		return err
	}
	young := e.Young
	if young == 0 {
		young = 24 * time.Hour
	}
	current := meta.Properties()[manifestKey]
	var names []string
	for base, stat := range stats {
		name := path.Join(dir, base)
		// This compares the clock of this machine with that of the file system. A day leaves room for both.
		recent := time.Since(stat.Modified) < young
		switch {
		// The next change is computed from the list of the current manifest.
		case used[name] || name == listName(current):
			continue
		case dir == "" && shardPattern().MatchString(base): // no run is writing, because of the lock
		// Another program may have written these files for a commit that is still to come.
		case dir == metadataDir && !recent && isMetadata(base):
		case strings.HasPrefix(dir, "data") && !recent && strings.HasSuffix(base, ".parquet"):
		default:
			continue
		}
		// Bytes counts data files only, since they are the space that a user sees freed.
		if dir != metadataDir {
			out.Bytes += stat.Size
		}
		names = append(names, name)
	}
	// stats is a map; the report has to be the same each time.
	slices.Sort(names)
	for _, name := range names {
		out.Files = append(out.Files, name)
		// The list equals that of a real run.
		if e.DryRun {
			continue
		}
		if err := t.f.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

func isMetadata(base string) bool {
	return avroPattern().MatchString(base) || listPattern().MatchString(base) || tempPattern().MatchString(base)
}

// references returns the names of the files that the table's snapshots refer to.
func (t *Table) references(ctx context.Context, meta table.Metadata) (map[string]bool, error) {
	used := map[string]bool{}
	err := t.walk(ctx, meta, func(name string, _ *File) error {
		used[name] = true
		return nil
	})
	return used, err
}
