package plan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
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
