//go:build !noiceberg && !local

package lake

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
)

// Snapshots returns all snapshots, oldest first, including those of branches that others made.
func (t *Table) Snapshots(ctx context.Context) ([]Snapshot, error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	var all []Snapshot
	// The metadata has them in the order of the commits.
	for _, s := range now.Metadata().Snapshots() {
		all = append(all, describe(s))
	}
	return all, nil
}

// At returns the snapshot at a point.
func (t *Table) At(ctx context.Context, p Point) (Snapshot, error) {
	now, err := t.load(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	s, err := find(now.Metadata(), p)
	if err != nil || s == nil {
		return Snapshot{}, err
	}
	return describe(*s), nil
}

// find returns the snapshot at a point. It returns nil for the newest snapshot of a table without any.
func find(meta table.Metadata, p Point) (*table.Snapshot, error) {
	switch {
	case p.ID != 0:
		// A snapshot of another branch is also valid: an id names that snapshot.
		if s := meta.SnapshotByID(p.ID); s != nil {
			return s, nil
		}
		return nil, fmt.Errorf("%w: %d", ErrNoSnapshot, p.ID)
	case p.Time.IsZero():
		// It is nil for a table without commits, which is an empty answer and no error.
		return meta.CurrentSnapshot(), nil
	}
	for s := range history(meta) {
		// From the newest back along the main branch: the first that is old enough was the state at that time.
		if s.TimestampMs <= p.Time.UnixMilli() {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w at %s", ErrNoSnapshot, p.Time.UTC().Format(time.RFC3339))
}

// history yields the newest snapshot and its ancestors, as far as they exist.
func history(meta table.Metadata) iter.Seq[*table.Snapshot] {
	return func(yield func(*table.Snapshot) bool) {
		s := meta.CurrentSnapshot()
		for range len(meta.Snapshots()) { // metadata of others might form a cycle
			if s == nil || !yield(s) || s.ParentSnapshotID == nil {
				return
			}
			s = meta.SnapshotByID(*s.ParentSnapshotID)
		}
	}
}

// newest describes the newest snapshot.
func newest(meta table.Metadata) Snapshot {
	if s := meta.CurrentSnapshot(); s != nil {
		return describe(*s)
	}
	return Snapshot{}
}

func describe(s table.Snapshot) Snapshot {
	out := Snapshot{ID: s.SnapshotID, Time: time.UnixMilli(s.TimestampMs).UTC()}
	// The id stays even if the parent has expired.
	if s.ParentSnapshotID != nil {
		out.Parent = *s.ParentSnapshotID
	}
	if s.Summary == nil {
		return out
	}
	number := func(key string) int64 {
		// Parts of a summary are optional, and other programs leave some of these out.
		n, _ := strconv.ParseInt(s.Summary.Properties[key], 10, 64) // a missing value gives 0
		return n
	}
	out.Operation, out.Manifest = string(s.Summary.Operation), s.Summary.Properties[manifestKey]
	out.Files, out.Records = number("total-data-files"), number("total-records")
	out.Added, out.Removed = number("added-data-files"), number("deleted-data-files")
	return out
}

// entries yields the files of a snapshot, both data and deletes. For nil it yields none.
func entries(s *table.Snapshot, files iceio.IO) iter.Seq2[iceberg.ManifestEntry, error] {
	return func(yield func(iceberg.ManifestEntry, error) bool) {
		if s == nil {
			return
		}
		// The list of manifests is one file. Each manifest is another file, which is read in turn.
		manifests, err := s.Manifests(files)
		if err != nil {
			yield(nil, fmt.Errorf("lake: snapshot %d: %w", s.SnapshotID, err))
			return
		}
		// Manifests of deletes are included; callers that want data alone check each entry.
		for _, m := range manifests {
			// Entries marked as deleted are skipped: they belong to the snapshot before.
			for e, err := range m.Entries(files, true) {
				if err != nil {
					yield(nil, fmt.Errorf("lake: %s: %w", m.FilePath(), err))
					return
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}
