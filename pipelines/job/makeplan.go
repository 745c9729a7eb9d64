package job

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// MakePlan finds the inputs and divides them into units. It returns a usage error for wrong inputs, since nothing has
// begun. Files below the output are left out: `ingest .` must not read what it wrote.
//
// A plan that is only shown never fails because of the folder's content: MakePlan returns the plan for an empty
// folder, with the refusal.
func MakePlan(ctx context.Context, c Request) (*Plan, error) {
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
		p.refusal = refusal.Message
		return p, nil
	}
	return nil, err
}

func makePlan(ctx context.Context, c Request) (*Plan, error) {
	// A plan may be printed and never run, so these connections are the plan's own. Run opens others.
	store := blob.New(c.Options.Remote)
	defer store.Close()
	p := &Plan{Inputs: &work.Inputs{Stamps: map[string]string{}, Times: map[string]time.Time{}}, request: c, log: c.Log}
	if p.log == nil {
		p.log = slog.Default()
	}
	// With --watch, the database of sources may have changed since the command began.
	err := c.readSources(ctx)
	if err != nil {
		return nil, err
	}
	// The order matters: the folder decides which options apply, and the options decide the keys of rows. The request
	// is copied, so the plan's own stays as it was.
	if p.held, err = readHeld(ctx, c); err != nil {
		return nil, err
	}
	if err := c.keepOptions(p.held); err != nil {
		return nil, err
	}
	p.options = c.Options
	p.held.index(&c)
	if p.keeper, err = newKeeper(ctx, c, p.held, store); err != nil {
		return nil, err
	}
	p.asked = c.asked(p.held, p.keeper.wd)
	if p.chooser, err = newChooser(c.Schedule, p.held, time.Now()); err != nil {
		return nil, cli.Usagef("--since: %v", err)
	}
	// Sources that the command does not use are asked too, because rows of their class have to be settled.
	for _, s := range sources {
		if err := s.plan(p, ctx, store, c); err != nil {
			return nil, err
		}
	}
	if err := p.keep(c); err != nil {
		return nil, err
	}
	return p, cmp.Or(c.checkReach(p), c.checkURLs(p))
}

// Todo returns how many units were to be done when Run began.
func (p *Plan) Todo() int { return p.todo }

// addArchives plans to read archives; without any names, those of the project.
func (p *Plan) addArchives(ctx context.Context, store *blob.Store, c Request) error {
	// It must be the first source: it replaces p.Inputs, to which the others add.
	args := slices.DeleteFunc(slices.Clone(c.Inputs), isTopic)
	// A command that names only topics or indexes reads no archives.
	if len(args) == 0 && len(c.Inputs)+len(c.Indexes) > 0 {
		return p.keeper.archives(ctx, nil, nil)
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
		UnitSize: c.UnitSize, Output: c.Options.Output, Wanted: p.chooser.wanted, Known: p.held.known,
		Listed: func(files []blob.Info, twice []blob.Twice) error { return p.keeper.archives(ctx, files, twice) },
		Taken:  func(r schemas.Range) bool { return p.keeper.isTaken("", r) },
	})
	if err != nil {
		return inputError(ctx, err)
	}
	// Notes are about what Find skipped, such as repeated names and empty folders.
	for _, note := range in.Notes() {
		p.log.Warn(note)
	}
	p.Inputs = in
	return p.keeper.missed(p.Units)
}

// addIndexes plans to read the records that the lines of indexes point to.
func (p *Plan) addIndexes(ctx context.Context, store *blob.Store, c Request) error {
	if len(c.Indexes) == 0 {
		return p.keeper.indexes(ctx, nil, nil)
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
	if err := p.keeper.indexes(ctx, files, lookups); err != nil {
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
	units = slices.DeleteFunc(units, func(u schemas.Unit) bool { return p.keeper.isTaken("", u.Inputs[0]) })
	if err := p.keeper.missed(units); err != nil {
		return err
	}
	for _, u := range units {
		p.Bytes += u.Bytes()
	}
	p.Units = append(p.Units, units...)
	return nil
}

// stillHolds checks that the plan is still right for the locked folder. Other runs must not have changed the units
// there, except to add units of this plan.
func (p *Plan) stillHolds(f folder.Folder, fresh bool) error {
	// A fresh run removes the content, so its plan does not depend on it.
	keys, err := collection.Keys(f)
	if err != nil || fresh || slices.Equal(keys, p.held.keys) {
		return err
	}
	// The same command may have run meanwhile. Its units are used if the plan did not depend on the units there.
	if !p.chooser.picks() && len(p.stays) == 0 && p.isOf(keys) {
		return nil
	}
	return fmt.Errorf("another run wrote to %s while this one was planned: run the same command again", f.Path(""))
}

// isOf reports whether all keys are of units of the plan or of the folder as it was read.
func (p *Plan) isOf(keys []string) bool {
	ours := map[string]bool{}
	for _, key := range slices.Concat(p.keys, p.held.keys) {
		ours[key] = true
	}
	return !slices.ContainsFunc(keys, func(key string) bool { return !ours[key] })
}

// resume divides the units into those to do and the results of those that are done, and tells the log what it keeps.
// Units to do get this run's keys. The folder is searched by other keys with --only_new and the like, where another
// version may have made a unit.
func (p *Plan) resume(ctx context.Context, f folder.Folder, out *collection.Collection,
	o *Options,
) ([]schemas.Unit, []schemas.UnitResult, error) {
	p.setKeys(o)
	fresh := p.fresh(ctx, *o)
	keys, kept, err := p.chooser.keys(p, *o, fresh)
	if err != nil {
		return nil, nil, err
	}
	// The last check that may refuse the command: afterwards the folder notes the request.
	if err := p.mayBeReadAgain(ctx, keys); err != nil {
		return nil, nil, err
	}
	p.keeper.outcome.log(p.log)
	// The note comes first, so that the next command knows what this one leaves undone if it is killed.
	p.asked.Made[o.unitKey()] = o.lasting()
	if err := collection.NoteAsked(f, p.asked); err != nil {
		return nil, nil, err
	}
	// Units that stay cannot be made again, so a missing shard is an error.
	todo, done, err := out.Resume(p.Units, keys, fresh, p.standing()...)
	if err != nil {
		return nil, nil, err
	}
	p.nameOptions(done, *o)
	for _, u := range todo {
		keys[u.ID] = p.keys[u.ID] // also for units that were to be kept but miss a shard
	}
	// The key of the unit of joined records depends on the keys of all units.
	o.JoinedKey, p.todo = collection.JoinedKey(keys), len(todo)
	if kept > 0 {
		p.log.Info(fmt.Sprintf("%d units are kept as other versions made them", kept))
	}
	if p.Left > 0 {
		p.log.Info(fmt.Sprintf("%d files, or groups of files, are left out by --stale or --since, and the folder does not "+
			"have them", p.Left))
	}
	return todo, done, nil
}

func (p *Plan) standing() []string {
	var keys []string
	for _, r := range p.stays {
		keys = append(keys, r.Key)
	}
	return keys
}

// nameOptions notes the options of units that stay if they differ from the run's. The manifest names the run's
// options once.
func (p *Plan) nameOptions(done []schemas.UnitResult, o Options) {
	ours := o.unitKey()
	for i, u := range done {
		if r, stays := p.stays[u.ID]; stays && r.Options != ours {
			done[i].MadeWith = p.held.optionsOf(r)
		}
	}
}

// setKeys finds the keys of the units and of the unit of joined records. A unit that stays keeps its key.
func (p *Plan) setKeys(o *Options) {
	p.keys = nil
	options := o.unitLasting()
	for _, u := range p.Units {
		key := p.stays[u.ID].Key
		if key == "" {
			key = collection.Key(u, p.withTake(u, options), o.Made)
		}
		p.keys = append(p.keys, key)
	}
	o.JoinedKey = collection.JoinedKey(p.keys)
}

// withTake adds the unit's share of --limit to the options for its key.
func (p *Plan) withTake(u schemas.Unit, options map[string]any) map[string]any {
	take, cut := p.takes[u.ID]
	if !cut {
		return options
	}
	options = maps.Clone(options)
	options["take"] = take
	return options
}

// fresh returns a function that reports whether a range is unchanged. It compares stamps, and then the bytes if the
// unit noted them.
func (p *Plan) fresh(ctx context.Context, o Options) collection.Fresh {
	store := blob.New(o.Remote)
	return func(r schemas.Range, row collection.Row) (bool, error) {
		if name := work.StampName(r); row.Stamps[name] == p.Stamps[name] {
			return true, nil
		}
		return sameBytes(ctx, store, r, p.Stamps[r.File])
	}
}

// Averages for plans without a sample, from docs/benchmarks.md ("Against a peer", 2026-11-22: 13.4 s of CPU with all
// extractors for 1,497 pages in 63.8 MiB). Indexing alone takes little more than decompression.
const (
	bytesPerCapture     = 43 << 10
	secondsPerMiB       = 0.21
	secondsPerMiBOfHead = 0.016
)
