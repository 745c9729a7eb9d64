package lake

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
)

// ErrNoSnapshot is a snapshot that is not there: it never was, or was expired.
var ErrNoSnapshot = errors.New("lake: there is no such snapshot")

// Snapshot is what the table was after a commit.
type Snapshot struct {
	ID        int64     // 0 of a table that nothing was committed to
	Parent    int64     // 0 of the first one
	Time      time.Time // in UTC, in milliseconds
	Operation string    // append, overwrite, replace, delete
	Manifest  string    // SHA-256 of the manifest that it was made of; empty when another program made it
	Files     int64     // data files in it
	Records   int64     // rows in them
	Added     int64     // data files that the commit added
	Removed   int64     // data files that it removed
}

// Point is a snapshot that is asked for: by its ID, or the newest at or before a Time. The zero value is the newest.
type Point struct {
	ID   int64
	Time time.Time
}

// Snapshots are those that there are, oldest first. Snapshots of branches that others made are among them.
func (t *Table) Snapshots(ctx context.Context) ([]Snapshot, error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	var all []Snapshot
	// In the order of the metadata, to which commits append.
	for _, s := range now.Metadata().Snapshots() {
		all = append(all, describe(s))
	}
	return all, nil
}

// At is the snapshot of a point.
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

// find is the snapshot of a point, nil where the newest of a table without any is asked for.
func find(meta table.Metadata, p Point) (*table.Snapshot, error) {
	switch {
	case p.ID != 0:
		// Also one of another branch: who names an id means that snapshot.
		if s := meta.SnapshotByID(p.ID); s != nil {
			return s, nil
		}
		return nil, fmt.Errorf("%w: %d", ErrNoSnapshot, p.ID)
	case p.Time.IsZero():
		// nil for a table to which nothing was committed, which is an empty answer and no error.
		return meta.CurrentSnapshot(), nil
	}
	for s := range history(meta) {
		// From the newest back, along the main branch: the first that is old enough is what the table was at
		// that time.
		if s.TimestampMs <= p.Time.UnixMilli() {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w at %s", ErrNoSnapshot, p.Time.UTC().Format(time.RFC3339))
}

// history are the newest snapshot and those that it came from, as far as they are there.
func history(meta table.Metadata) iter.Seq[*table.Snapshot] {
	return func(yield func(*table.Snapshot) bool) {
		s := meta.CurrentSnapshot()
		for range len(meta.Snapshots()) { // metadata of others might lead in a circle
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
	// The parent may have been expired: the id stays.
	if s.ParentSnapshotID != nil {
		out.Parent = *s.ParentSnapshotID
	}
	if s.Summary == nil {
		return out
	}
	number := func(key string) int64 {
		// Summaries are optional in parts: other programs leave some of these out.
		n, _ := strconv.ParseInt(s.Summary.Properties[key], 10, 64) // what is not there is 0
		return n
	}
	out.Operation, out.Manifest = string(s.Summary.Operation), s.Summary.Properties[manifestKey]
	out.Files, out.Records = number("total-data-files"), number("total-records")
	out.Added, out.Removed = number("added-data-files"), number("deleted-data-files")
	return out
}

// entries are the files of a snapshot, data and deletes; none of nil.
func entries(s *table.Snapshot, files iceio.IO) iter.Seq2[iceberg.ManifestEntry, error] {
	return func(yield func(iceberg.ManifestEntry, error) bool) {
		if s == nil {
			return
		}
		// The list of manifests is one file; each manifest is another, read as it is come to.
		manifests, err := s.Manifests(files)
		if err != nil {
			yield(nil, fmt.Errorf("lake: snapshot %d: %w", s.SnapshotID, err))
			return
		}
		// Manifests of deletes are among them; whoever wants data alone asks each entry.
		for _, m := range manifests {
			// Entries that a manifest notes as deleted are left out: they are of the snapshot before.
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
