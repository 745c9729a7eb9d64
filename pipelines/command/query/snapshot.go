package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// open opens the present collection, or its state at --snapshot.
func open(ctx context.Context, c config, f folder.Folder) (*contentdb.DB, error) {
	// Sorting gets half of the memory; reading needs the other half. Pipelines read the shards and need no index.
	o := contentdb.Options{NoIndex: c.noIndex || c.runner != "", MemoryBytes: int(c.memory / 2)}
	o.Meaning = meaningmodel.Opener(c.meaning)
	if c.snapshot != "" {
		var err error
		if o.Files, o.Whole, err = filesOf(ctx, c, f); err != nil {
			return nil, err
		}
	}
	return contentdb.Open(ctx, f, o)
}

// filesOf returns the files of the snapshot that may have answers, and all if these are not all.
func filesOf(ctx context.Context, c config, f folder.Folder) (files, whole []schemas.Shard, err error) {
	t, err := lake.Open(ctx, f, c.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil, nil, cli.Usagef("--snapshot: %s has no snapshots; `collection lake` keeps them from then on",
			c.collection)
	}
	if errors.Is(err, lake.ErrCatalogue) || errors.Is(err, lake.ErrLeftOut) {
		return nil, nil, cli.Usagef("--snapshot: %v", err)
	}
	if err != nil {
		return nil, nil, err
	}
	point, err := pointOf(ctx, t, c.snapshot)
	if err != nil {
		return nil, nil, err
	}
	return filesIn(ctx, t, point, c.query)
}

// filesIn returns the files of a point in the table that may have answers to q, and all files if these are not all.
func filesIn(
	ctx context.Context, t *lake.Table, p lake.Point, q query.Query,
) (files, whole []schemas.Shard, err error) {
	// The statistics of the table exclude other files. Its rows of revisits lack what an original has.
	q.Where = revisit.Wider(q.Where)
	if files, err = planned(ctx, t, p, q); err != nil || q.Where == nil && q.At.IsZero() {
		return files, nil, err
	}
	if whole, err = planned(ctx, t, p, query.Query{}); err != nil {
		return nil, nil, err
	}
	// Rows of other programs may lack the keys of their URL, so that bounds of these exclude nothing.
	for _, s := range whole {
		if _, ours := holdings.FileTypeOf(s.Name); !ours && !slices.Contains(files, s) {
			files = append(files, s)
		}
	}
	return files, whole, nil
}

// planned returns the files that the table selects for q.
func planned(ctx context.Context, t *lake.Table, p lake.Point, q query.Query) ([]schemas.Shard, error) {
	plan, err := t.Plan(ctx, p, q)
	if err != nil {
		return nil, err
	}
	files := make([]schemas.Shard, len(plan)) // not nil, which would mean the present collection
	for i, file := range plan {
		// Tables have no hashes: name and length stand for them.
		files[i] = schemas.Shard{Name: file.Name, Bytes: file.Bytes}
	}
	return files, nil
}

// newest is the present snapshot of the table, which includes files of other programs.
const newest = "newest"

// pointOf parses --snapshot: "newest", the number of a snapshot, or a time, at whose end it was the newest. Digits
// are first tried as a number, then as a time.
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
	// 2026-03 is the whole month, so its end counts.
	if _, to, err := query.Period(text); err == nil {
		p = lake.Point{Time: to.Add(-1)}
		if _, err := t.At(ctx, p); err == nil || !errors.Is(err, lake.ErrNoSnapshot) {
			return p, err
		}
	}
	list, err := t.Snapshots(ctx)
	if err != nil {
		return p, err
	}
	return p, cli.Usagef("--snapshot=%s is neither %s nor the number of a snapshot nor a time since the first; there "+
		"are %s", text, newest, describe(list))
}

// shown is how many snapshots an error lists.
const shown = 10

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
		// Snapshots are listed from the oldest.
		s := list[len(list)-1-i]
		fmt.Fprintf(&b, "\n  %-19d  %s  %d rows", s.ID, s.Time.Format("2006-01-02T15:04:05.000Z"), s.Records)
	}
	return b.String()
}
