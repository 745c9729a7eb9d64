package query

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// open opens the collection as it is now, or as it was at --snapshot.
func open(ctx context.Context, c config, f folder.Folder) (*contentdb.DB, error) {
	// Sorting gets half of the memory: reading needs some as well.
	// A pipeline reads the shards, so an index would be brought up to date for nobody.
	o := contentdb.Options{NoIndex: c.noIndex || c.runner != "", MemoryBytes: int(c.memory / 2)}
	if c.snapshot != "" {
		files, err := filesOf(ctx, c, f)
		if err != nil {
			return nil, err
		}
		o.Files = files
	}
	return contentdb.Open(ctx, f, o)
}

// filesOf are the files of the snapshot that may have an answer.
func filesOf(ctx context.Context, c config, f folder.Folder) ([]schemas.Shard, error) {
	t, err := lake.Open(ctx, f, c.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil, cli.Usagef("--snapshot: %s has no snapshots; `collection lake` keeps them from then on", c.collection)
	}
	if errors.Is(err, lake.ErrCatalogue) {
		return nil, cli.Usagef("--snapshot: %v", err)
	}
	if err != nil {
		return nil, err
	}
	point, err := pointOf(ctx, t, c.snapshot)
	if err != nil {
		return nil, err
	}
	return filesIn(ctx, t, point, c.query)
}

// filesIn are the files of a point in a table that may have an answer to q.
func filesIn(ctx context.Context, t *lake.Table, p lake.Point, q query.Query) ([]schemas.Shard, error) {
	// The table's own statistics leave out files that cannot have an answer.
	plan, err := t.Plan(ctx, p, q)
	if err != nil {
		return nil, err
	}
	files := make([]schemas.Shard, len(plan)) // not nil, which would stand for the collection as it is
	for i, file := range plan {
		// Without a hash, which tables do not have: the name and the length stand for it.
		files[i] = schemas.Shard{Name: file.Name, Bytes: file.Bytes}
	}
	return files, nil
}

// newest is the snapshot that the table has now, which has what other programs wrote.
const newest = "newest"

// pointOf reads what --snapshot names: the newest snapshot, one by its number, or a time, at whose end it was the
// newest. A number that a snapshot has is that, and else it may be a time written in digits.
func pointOf(ctx context.Context, t *lake.Table, text string) (p lake.Point, err error) {
	if text == newest {
		return lake.Point{}, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err == nil && id > 0 {
		p.ID = id
		if _, err := t.At(ctx, p); err == nil {
			return p, nil
		} else if !errors.Is(err, lake.ErrNoSnapshot) {
			return p, err
		}
	}
	// 2026-03 is the whole month: what counts is how things stood at its end, before April began.
	if _, to, err := query.Period(text); err == nil {
		p = lake.Point{Time: to.Add(-1)}
		if _, err := t.At(ctx, p); err == nil || !errors.Is(err, lake.ErrNoSnapshot) {
			return p, err
		}
	}
	// Neither: the list says what there is to name.
	list, err := t.Snapshots(ctx)
	if err != nil {
		return p, err
	}
	return p, cli.Usagef("--snapshot=%s is neither %s nor the number of a snapshot nor a time since the first; there "+
		"are %s", text, newest, describe(list))
}

// shown is how many snapshots an error lists.
const shown = 10

// describe lists snapshots, the newest first.
func describe(list []lake.Snapshot) string {
	if len(list) == 0 {
		return "none"
	}
	var b strings.Builder
	for i := range list {
		if i == shown {
			fmt.Fprintf(&b, "\n  and %d older: see `collection snapshots`", len(list)-shown)
			break
		}
		// Snapshots are listed the oldest first.
		s := list[len(list)-1-i]
		fmt.Fprintf(&b, "\n  %-19d  %s  %d rows", s.ID, s.Time.Format("2006-01-02T15:04:05.000Z"), s.Records)
	}
	return b.String()
}
