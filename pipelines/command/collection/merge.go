package collection

import (
	"context"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func merge(ctx context.Context, j *job) (int, error) {
	withdraw := func(names []string) error { return j.withdraw(ctx, names) }
	takedowns, rewritten, failed := false, false, false
	return j.takeIn(ctx, func(c *collection.Collection, from folder.Folder) (int, error) {
		done, err := care.Merge(ctx, c, from, withdraw)
		failed = err != nil
		takedowns, rewritten = takedowns || done.Takedowns && !failed, rewritten || done.Rewritten
		return done.Units, err
	}, func(c *collection.Collection) (int, error) {
		if !takedowns {
			return cli.ExitDone, j.changed(ctx)
		}
		m, err := ledger.Finished(j.f)
		if err != nil {
			return cli.ExitFailed, err
		}
		// The list has only hashes, so tables of HBase are searched whole.
		code, err := j.takeElsewhere(ctx, c, m, takenElsewhere{snapshots: rewritten})
		if err != nil || failed {
			return code, err
		}
		return code, takedown.End(j.f, nil)
	})
}

// adopt takes in files of another program.
func adopt(ctx context.Context, j *job) (int, error) {
	return j.takeIn(ctx, func(c *collection.Collection, from folder.Folder) (int, error) {
		o := shard.Options{}
		// A new collection has no manifest yet and gets the default formats.
		if m, err := ledger.Finished(j.f); err == nil {
			o.Formats = formatsOf(m.Options)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		done, err := care.Adopt(ctx, c, from, o)
		if done.Undated > 0 {
			j.say("no time    %s: the timestamp of the first is %.60q. They have none now, and the flag timestamp",
				cli.Plural(done.Undated, "document"), done.Example)
		}
		return done.Units, err
	}, func(*collection.Collection) (int, error) { return cli.ExitDone, j.changed(ctx) })
}

// formatsOf returns the document formats in a manifest's options. It returns nil, meaning the default, if there are
// none.
func formatsOf(options map[string]any) (list []string) {
	// JSON has a list of any; unexpected values are ignored.
	names, _ := options["formats"].([]any)
	for _, n := range names {
		if s, is := n.(string); is && (s == holdings.FormatJSONL || s == holdings.FormatParquet) {
			list = append(list, s)
		}
	}
	return list
}

// takeIn opens the collection or makes a new one, and adds the units of folders. Parameter then brings the index
// and others up to date.
func (j *job) takeIn(
	ctx context.Context, take func(*collection.Collection, folder.Folder) (int, error),
	then func(*collection.Collection) (int, error),
) (code int, err error) {
	// Checking all names first keeps a mistake in the last one from leaving a partial result.
	for _, name := range j.args {
		if err := folder.Check(name); err != nil {
			return cli.ExitUsage, cli.Usagef("%v", err)
		}
	}
	// j.open would refuse a new collection.
	c, err := collection.Open(j.f, collection.OpenOptions{})
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	for i, name := range j.args {
		code, err = j.takeFrom(ctx, c, name, take)
		if err != nil && i == 0 && !errors.Is(err, care.ErrRefused) {
			return code, err
		}
		if err != nil {
			break
		}
	}
	// Each folder is committed on its own: after an error the earlier ones stay, and the same command skips them.
	code2, err2 := then(c)
	return max(code, code2), errors.Join(err, err2)
}

// takeFrom adds the units of a folder.
func (j *job) takeFrom(
	ctx context.Context, c *collection.Collection, name string,
	take func(*collection.Collection, folder.Folder) (int, error),
) (int, error) {
	from := folder.Open(ctx, name, j.store)
	units, err := take(c, from)
	err = errors.Join(err, from.Close())
	switch {
	case errors.Is(err, care.ErrNothing), errors.Is(err, care.ErrCompacted), errors.Is(err, care.ErrUnfinished),
		errors.Is(err, care.ErrOverlap), errors.Is(err, care.ErrNoCollection):
		return cli.ExitUsage, cli.Usagef("%v", err)
	case errors.Is(err, care.ErrRefused):
		j.say("taken in   %s of %s", cli.Plural(units, "unit"), name)
		return cli.ExitFailed, err
	case err != nil:
		return cli.ExitFailed, err
	}
	j.say("taken in   %s of %s", cli.Plural(units, "unit"), name)
	return cli.ExitDone, nil
}
