package collection

import (
	"context"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// merge takes in the units of other collections, one after the other.
func merge(ctx context.Context, j *job) (int, error) {
	return j.takeIn(ctx, func(c *collection.Collection, from folder.Folder) (int, error) { return c.Merge(ctx, from) })
}

// adopt takes in what another program wrote.
func adopt(ctx context.Context, j *job) (int, error) {
	return j.takeIn(ctx, func(c *collection.Collection, from folder.Folder) (int, error) {
		o := collection.Options{}
		// A new collection has no totals yet, and takes the default formats.
		if m, err := collection.Finished(j.f); err == nil {
			o.Formats = formatsOf(m.Options)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		return c.Adopt(ctx, from, o)
	})
}

// formatsOf are the formats of documents that a manifest's options name; none, which is the default, when they do not.
func formatsOf(options map[string]any) (list []string) {
	// What is read from JSON is a list of any; what is not as expected counts as not there.
	names, _ := options["formats"].([]any)
	for _, n := range names {
		if s, is := n.(string); is && (s == holdings.FormatJSONL || s == holdings.FormatParquet) {
			list = append(list, s)
		}
	}
	return list
}

// takeIn opens the collection, which may be a new one, and takes units from folders into it.
func (j *job) takeIn(
	ctx context.Context, take func(*collection.Collection, folder.Folder) (int, error),
) (code int, err error) {
	// All names are checked before anything is taken in: a slip in the last one should not leave the first ones done.
	for _, name := range j.args {
		if err := folder.Check(name); err != nil {
			return cli.ExitUsage, cli.Usagef("%v", err)
		}
	}
	// Not by j.open, which wants a collection that is there.
	c, err := collection.Open(j.f, collection.OpenOptions{})
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	for _, name := range j.args {
		from := folder.Open(ctx, name, j.store)
		// Each folder is committed for itself: what was taken in before an error stays, and saying the same again skips it.
		units, err := take(c, from)
		// The folder is closed within the loop: there may be many.
		err = errors.Join(err, from.Close())
		switch {
		case errors.Is(err, collection.ErrNothing), errors.Is(err, collection.ErrCompacted),
			errors.Is(err, collection.ErrOverlap), errors.Is(err, fs.ErrNotExist):
			return cli.ExitUsage, cli.Usagef("%v", err)
		case err != nil:
			return cli.ExitFailed, err
		}
		j.say("taken in   %s of %s", plural(units, "unit"), name)
	}
	return cli.ExitDone, j.changed(ctx)
}
