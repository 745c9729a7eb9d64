package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// Expiry says which snapshots go.
type Expiry struct {
	Before time.Time // those made before; zero for all but those that Keep names
	Keep   int       // how many of the newest stay whatever their age; the newest one always does
	// Young is how long a file that no snapshot refers to is left alone, since a commit that is going on may be about to
	// refer to it. Zero is a day. In a bucket ages are not known here, and such files go when nothing else is written.
	Young time.Duration
	// DryRun tells what would go, and removes nothing.
	DryRun bool
}

// Expired is what has gone.
type Expired struct {
	Snapshots []Snapshot
	Files     []string // data files and metadata, by name
	Bytes     int64    // of the data files among them
}

// Expire removes snapshots, and then all files that no snapshot refers to any more: shards that the manifest has not
// either, data of other programs, manifests, their lists and lists of shards. Snapshots that a tag or a branch of
// another program names stay. It is for a folder in which nobody is running; a run that is killed in it leaves files
// that the next one removes.
func (t *Table) Expire(ctx context.Context, e Expiry) (Expired, error) {
	var out Expired
	now, err := t.load(ctx)
	if err != nil {
		return out, err
	}
	// First the metadata, then the files: killed between the two, files are left that nothing refers to,
	// and never the other way round.
	gone := outdated(now.Metadata(), e)
	for _, s := range gone {
		out.Snapshots = append(out.Snapshots, describe(s))
	}
	meta := now.Metadata()
	if len(gone) > 0 {
		updates := removal(gone)
		// From here on meta is what the table is afterwards, and sweep asks that.
		if meta, err = t.forget(ctx, now, updates, e.DryRun); err != nil {
			return out, err
		}
	}
	return out, t.sweep(ctx, meta, e, &out)
}

// removal is the update that removes snapshots.
func removal(gone []table.Snapshot) []table.Update {
	ids := make([]int64, len(gone))
	for i, s := range gone {
		ids[i] = s.SnapshotID
	}
	updates := []table.Update{table.NewRemoveSnapshotsUpdate(ids, false)} // files are removed by sweep
	if slices.ContainsFunc(gone, func(s table.Snapshot) bool { return rewrites(describe(s)) }) {
		updates = append(updates, table.NewSetPropertiesUpdate(iceberg.Properties{othersKey: "true"}))
	}
	return updates
}

// forget commits the removal of snapshots, or tells what it would give.
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
	// Who commits meanwhile may build on what is to go, so a race ends it; nothing was removed by then.
	var head *int64 // nil: there is no main branch, as others' tables may have it
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

// outdated are the snapshots that go, oldest first.
func outdated(meta table.Metadata, e Expiry) []table.Snapshot {
	keep := map[int64]bool{}
	// The main branch is one of them, so that the newest snapshot stays.
	for _, ref := range meta.Refs() {
		keep[ref.SnapshotID] = true
	}
	// Counted along the main branch, since those are the versions of the collection that a user means.
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

// Files in metadata/ that are the table's: what else is there is left alone.
var (
	avroPattern = regexp.MustCompile(`^(snap-.*|.*-m\d+|.*)\.avro$`)
	listPattern = regexp.MustCompile(`^shards-[0-9a-f]{64}\.json\.gz$`)
	tempPattern = regexp.MustCompile(`^\..+\.tmp-(\d+)-[0-9a-f]{16}-\d+$`) // with the process's number
)

// sweep removes what nothing refers to: shards directly in the folder, data/ and metadata/.
func (t *Table) sweep(ctx context.Context, meta table.Metadata, e Expiry, out *Expired) error {
	// By what all snapshots refer to that are left, on any branch.
	used, err := t.references(ctx, meta)
	if err != nil {
		return err
	}
	// Read after the commit: shards of a run that finishes now are in it.
	if _, shards, err := readManifest(t.f); err == nil {
		for _, s := range shards {
			used[s.Name] = true
		}
	} else {
		// Without a manifest, while a run is going on or after one was killed, nobody knows which shards are in use.
		return errors.Join(err, ctx.Err())
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

// maxDataDirs bounds how many folders below data/ are looked at: one a month is what Spark makes.
const maxDataDirs = 100_000

// dataDirs are data/ and the folders in it, of partitions.
func (t *Table) dataDirs() ([]string, error) {
	dirs := []string{"data"}
	// The list grows while it is gone over: folders of partitions may hold others.
	for i := 0; i < len(dirs) && len(dirs) < maxDataDirs; i++ {
		names, err := t.f.Names(dirs[i])
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			// As in timestamp_month=2026-11, or of binary digits, as Iceberg's layout for object stores has it.
			if strings.Contains(name, "=") || strings.Trim(name, "01") == "" {
				dirs = append(dirs, dirs[i]+"/"+name)
			}
		}
	}
	return dirs, nil
}

func (t *Table) sweepDir(dir string, used map[string]bool, meta table.Metadata, e Expiry, out *Expired) error {
	// A folder that is not there has no files: data/ is made by other programs alone.
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
		// By the clock of this machine against that of the file system: a day leaves room for both.
		recent := time.Since(stat.Modified) < young
		switch {
		// The list of the manifest of now is needed to know what the next one changes.
		case used[name] || name == listName(current):
			continue
		case dir == "" && shardPattern.MatchString(base): // no run is writing: there is a manifest
		// Another program may have written it for a commit that is still to come.
		case dir == metadataDir && !recent && isMetadata(base):
		case strings.HasPrefix(dir, "data") && !recent && strings.HasSuffix(base, ".parquet"):
		default:
			continue
		}
		// Bytes counts data alone, by which a user sees what expiring has freed.
		if dir != metadataDir {
			out.Bytes += stat.Size
		}
		names = append(names, name)
	}
	// stats is a map; the report has to be the same each time.
	slices.Sort(names)
	for _, name := range names {
		out.Files = append(out.Files, name)
		// The list is the same as that of a real run.
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
	return avroPattern.MatchString(base) || listPattern.MatchString(base) || tempPattern.MatchString(base)
}

// references are the files that the table's snapshots refer to, by name.
func (t *Table) references(ctx context.Context, meta table.Metadata) (map[string]bool, error) {
	used := map[string]bool{}
	err := t.walk(ctx, meta, func(name string, _ *File) error {
		used[name] = true
		return nil
	})
	return used, err
}
