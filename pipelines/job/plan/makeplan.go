package plan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Make finds the inputs and divides them into units. It returns a usage error for wrong inputs, since nothing has
// begun. Files below the output are left out: `ingest .` must not read what it wrote.
//
// A plan that is only shown never fails because of the folder's content: Make returns the plan for an empty
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
	c.Log = cmp.Or(c.Log, slog.Default())
	// The order matters: the folder decides which recipe applies, and the recipe decides the keys of rows.
	h, err := c.complete(ctx)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Inputs: &work.Inputs{Stamps: map[string]string{}, Times: map[string]time.Time{}}, Request: c, folder: h,
	}
	if p.keeper, err = newKeeper(ctx, c, h, store); err != nil {
		return nil, err
	}
	p.asked = c.asked(h, p.keeper.world.Dir())
	if p.chooser, err = newChooser(c.Schedule, h, c.Recipe, time.Now()); err != nil {
		return nil, cli.Usagef("--since: %v", err)
	}
	// Kinds of inputs that the command does not use are planned too, because their rows have to be settled. Archives
	// are first, because they make the Inputs to which the others add.
	for _, add := range []func(context.Context, *blob.Store) error{p.addArchives, p.addIndexes, p.addTopics} {
		if err := add(ctx, store); err != nil {
			return nil, err
		}
	}
	if err := p.takeShard(); err != nil {
		return nil, c.busyOr(ctx, err)
	}
	if err := p.keep(); err != nil {
		return nil, c.busyOr(ctx, err)
	}
	// Units that stay are not read, so the workers need not reach their archives.
	return p, cmp.Or(c.checkReach(p.Own()), c.checkURLs(p.Units))
}

// takeShard leaves the units of the shard. They are units of the whole plan, so that they have the same keys. All units
// of an archive are in one shard. A folder with an archive of another shard is refused, since that would be removed.
func (p *Plan) takeShard() error {
	s := p.Request.Shard
	if s.N == 0 {
		return nil
	}
	have := map[string]bool{}
	for _, r := range p.folder.Rows {
		for _, in := range r.Inputs {
			id := p.keeper.world.ID(r.Dir, in)
			have[id] = have[id] || in.Unreadable == ""
		}
	}
	var list []schemas.Unit
	bytes := int64(0)
	shards := map[string]int{} // by the first archive of units
	for _, u := range p.Units {
		first := u.Inputs[0].File
		number, is := shards[first]
		if !is {
			number = len(shards)%s.N + 1
			shards[first] = number
		}
		if number == s.I {
			u.ID = len(list)
			bytes += u.Bytes()
			list = append(list, u)
			continue
		}
		i := slices.IndexFunc(u.Inputs, func(in schemas.Range) bool { return have[p.keeper.world.ID("", in)] })
		if i >= 0 && !p.Request.Keep.Prune {
			return cli.Usagef("%s has documents of %s, which is in shard %d of %d: give each shard an --output of its own. "+
				"If archives came or went since, they are divided in another way: do all shards again, in new folders or by "+
				"--fresh, or remove such documents by --prune", p.Request.Output, schemas.Printable(u.Inputs[i].File), number, s.N)
		}
	}
	p.Units, p.Bytes = list, bytes
	return nil
}
