package plan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// Make finds the inputs and divides them into units. It returns a usage error for wrong inputs, since nothing has
// begun. Files below the output are left out: `ingest .` must not read what it wrote.
//
// A plan that is only shown never fails because of the folder's content: MakePlan returns the plan for an empty
// folder, with the refusal.
func Make(ctx context.Context, c Request) (*Plan, error) {
	var read bytes.Buffer
	stdin := c.Stdin
	if c.Shown && stdin != nil {
		c.Stdin = io.TeeReader(stdin, &read) // standard input can be read only once
	}
	p, err := makePlan(ctx, c)
	var refusal *cli.UsageError
	if !c.Shown || c.Fresh || c.Keep.Prune || !errors.As(err, &refusal) {
		return p, err
	}
	c.Fresh, c.Keep = true, Keeping{Compression: c.Keep.Compression}
	if stdin != nil {
		c.Stdin = io.MultiReader(&read, stdin)
	}
	if p, _ := makePlan(ctx, c); p != nil {
		p.Refusal = refusal.Message
		return p, nil
	}
	return nil, err
}

func makePlan(ctx context.Context, c Request) (*Plan, error) {
	// A plan may be printed and never run, so these connections are the plan's own. Run opens others.
	store := blob.New(c.Remote)
	defer store.Close()
	p := &Plan{Inputs: &work.Inputs{Stamps: map[string]string{}, Times: map[string]time.Time{}}}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	p.Request = c
	// With --watch, the database of sources may have changed since the command began.
	err := c.readSources(ctx)
	if err != nil {
		return nil, err
	}
	// The order matters: the folder decides which options apply, and the options decide the keys of rows. The request
	// is copied, so the plan's own stays as it was.
	if p.folder, err = readFolder(ctx, c); err != nil {
		return nil, err
	}
	if err := c.keepOptions(p.folder); err != nil {
		return nil, c.busyOr(ctx, err)
	}
	p.Recipe = c.Recipe
	p.folder.Divide(c.Division())
	if p.keeper, err = newKeeper(ctx, c, p.folder, store); err != nil {
		return nil, err
	}
	p.asked = c.asked(p.folder, p.keeper.world.Dir())
	if p.chooser, err = newChooser(c.Schedule, p.folder, c.Recipe, time.Now()); err != nil {
		return nil, cli.Usagef("--since: %v", err)
	}
	// Kinds of inputs that the command does not use are planned too, because their rows have to be settled. Archives
	// are first, because they make the Inputs to which the others add.
	for _, add := range []func(context.Context, *blob.Store, Request) error{p.addArchives, p.addIndexes, p.addTopics} {
		if err := add(ctx, store, c); err != nil {
			return nil, err
		}
	}
	if err := p.keep(c); err != nil {
		return nil, c.busyOr(ctx, err)
	}
	// Units that stay are not read, so the workers need not reach their archives.
	return p, cmp.Or(c.checkReach(p.Own()), c.checkURLs(p.Units))
}

// addArchives plans to read archives; without any names, those of the project.
func (p *Plan) addArchives(ctx context.Context, store *blob.Store, c Request) error {
	// It must be the first source: it replaces p.Inputs, to which the others add.
	args := slices.DeleteFunc(slices.Clone(c.Inputs), standing.IsTopic)
	// A command that names only topics or indexes reads no archives.
	if len(args) == 0 && len(c.Inputs)+len(c.Indexes) > 0 {
		return p.keeper.archives(nil, nil)
	}
	if len(args) == 0 {
		if _, err := os.Stat(defaultInput); err != nil {
			return cli.Usagef("no archives named, and there is no %s here to read instead; name files, folders or patterns",
				defaultInput)
		}
		args = []string{defaultInput}
	}
	// Find calls Listed before it divides any file, so that the rows that stay are settled before it asks Taken.
	in, err := work.Find(ctx, store, args, c.Stdin, work.FindOptions{
		UnitSize: c.UnitSize, Output: c.Output, Wanted: p.chooser.wanted, Known: p.folder.Known,
		Listed: func(files []blob.Info, twice []blob.Twice) error { return p.keeper.archives(files, twice) },
		Taken:  func(r schemas.Range) bool { return p.keeper.taken.Has(r) },
	})
	if err != nil {
		return inputError(ctx, err)
	}
	// Notes are about what Find skipped, such as repeated names and empty folders.
	for _, note := range in.Notes() {
		p.Request.Log.Warn(note)
	}
	p.Inputs = in
	return p.keeper.check(p.Units)
}

// addIndexes plans to read the records that the lines of indexes point to.
func (p *Plan) addIndexes(ctx context.Context, store *blob.Store, c Request) error {
	if len(c.Indexes) == 0 {
		return p.keeper.indexes(nil, nil)
	}
	files, err := store.Expand(ctx, c.Indexes, c.Stdin)
	if err != nil {
		return inputError(ctx, err)
	}
	// An unreadable archive leaves a note and the run goes on. An unreadable index is an error, because nobody would
	// know which captures are missing.
	for _, f := range files {
		if f.Unreadable != "" {
			return cli.Usagef("--cdx: %s: %s", schemas.Printable(f.Name), f.Unreadable)
		}
	}
	if files, err = p.Add(files, p.chooser.wanted); err != nil {
		return err
	}
	lookups, err := c.lookups(ctx, store, files)
	if err != nil {
		return err
	}
	if err := p.keeper.indexes(files, lookups); err != nil {
		return err
	}
	// Indexes are planned one by one because each may have its own folder of archives. IDs continue those of the
	// plan.
	var units []schemas.Unit
	for i := range files {
		more, err := work.PlanIndexes(ctx, store, files[i:i+1], c.UnitSize, lookups[i], len(p.Units)+len(units))
		if err != nil {
			return inputError(ctx, err)
		}
		units = append(units, more...)
	}
	// A unit of an index has one input: a range of its lines.
	units = slices.DeleteFunc(units, func(u schemas.Unit) bool { return p.keeper.taken.Has(u.Inputs[0]) })
	if err := p.keeper.check(units); err != nil {
		return err
	}
	for _, u := range units {
		p.Bytes += u.Bytes()
	}
	p.Units = append(p.Units, units...)
	return nil
}
