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

// MakePlan finds the inputs and divides them into units. What is wrong with the inputs is a usage error: nothing was
// begun.
//
// Files beneath the output are left out: `ingest .` must not read what it wrote.
//
// A plan that is only shown is made for any folder. Where a run would be refused for what the folder holds, it is the
// plan for an empty one, and says why.
func MakePlan(ctx context.Context, c Request) (*Plan, error) {
	var read bytes.Buffer
	stdin := c.Stdin
	if c.Shown && stdin != nil {
		c.Stdin = io.TeeReader(stdin, &read) // it can be read once
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
	// An input that is wrong is wrong for every folder.
	if p, _ := makePlan(ctx, c); p != nil {
		p.refusal = refusal.Message
		return p, nil
	}
	return nil, err
}

func makePlan(ctx context.Context, c Request) (*Plan, error) {
	// The connections are those of the plan alone, since a plan may be printed and never run. Run opens its
	// own.
	store := blob.New(c.Options.Remote)
	defer store.Close()
	p := &Plan{Inputs: &work.Inputs{Stamps: map[string]string{}, Times: map[string]time.Time{}}, request: c, log: c.Log}
	if p.log == nil {
		p.log = slog.Default()
	}
	// Behind --watch it may be another one than when the command began.
	err := c.readSources(ctx)
	if err != nil {
		return nil, err
	}
	// The order matters. What the folder has decides which options are in force, and these decide the keys
	// by which its rows are found. c is a copy: the request of the plan stays as it was made.
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
	// Every source is asked, also one that the command names nothing of: the rows which the folder has of
	// its kind have to be settled all the same.
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

// Todo is how many units were to be done when Run looked at the folder.
func (p *Plan) Todo() int { return p.todo }

// addArchives plans to read archives: those of the project when nothing at all is named.
func (p *Plan) addArchives(ctx context.Context, store *blob.Store, c Request) error {
	// It has to be the first of the sources: it replaces p.Inputs, and the others add to them.
	args := slices.DeleteFunc(slices.Clone(c.Inputs), isTopic)
	// A command that names only topics or indexes reads no archives, and not those of the project either.
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
	// Find calls Listed when all names are known and before it divides any file, so that it is settled by
	// then what stays. Ranges that stay are Taken and not read again.
	in, err := work.Find(ctx, store, args, c.Stdin, work.FindOptions{
		UnitSize: c.UnitSize, Output: c.Options.Output, Wanted: p.chooser.wanted, Known: p.held.known,
		Listed: func(files []blob.Info, twice []blob.Twice) error { return p.keeper.archives(ctx, files, twice) },
		Taken:  func(r schemas.Range) bool { return p.keeper.isTaken("", r) },
	})
	if err != nil {
		return inputError(ctx, err)
	}
	// What Find has passed over, such as files named twice and empty folders, is told at once and ends
	// nothing.
	for _, note := range in.Notes() {
		p.log.Warn(note)
	}
	p.Inputs = in
	return p.keeper.missed(p.Units)
}

// addIndexes plans to read what the lines of indexes point to.
func (p *Plan) addIndexes(ctx context.Context, store *blob.Store, c Request) error {
	if len(c.Indexes) == 0 {
		return p.keeper.indexes(ctx, nil, nil)
	}
	files, err := store.Expand(ctx, c.Indexes, c.Stdin)
	if err != nil {
		return inputError(ctx, err)
	}
	// Of an archive that cannot be read a note is kept, and the others go on. Not so an index: it says what
	// is to be read at all, and nobody knows what would be missing.
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
	// One index after the other, because each may have another folder of archives. Units are numbered on
	// from those that the plan has.
	var units []schemas.Unit
	for i := range files {
		more, err := work.PlanIndexes(ctx, store, files[i:i+1], c.UnitSize, lookups[i], len(p.Units)+len(units))
		if err != nil {
			return inputError(ctx, err)
		}
		units = append(units, more...)
	}
	// A unit of an index has one input, a range of its lines.
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

// stillHolds checks, when the folder is locked, that what was left out by what the folder had is right to be: no other
// run has changed which units it has, unless by those of this very plan.
func (p *Plan) stillHolds(f folder.Folder, fresh bool) error {
	// The folder was read without its lock, and what was decided by that may be wrong by now. A fresh run
	// decides nothing by what it is about to remove.
	keys, err := collection.Keys(f)
	if err != nil || fresh || slices.Equal(keys, p.held.keys) {
		return err
	}
	// The same command may have written meanwhile, or have been killed. Its units are taken over, if the
	// plan did not depend on which units there were.
	if !p.chooser.picks() && len(p.stays) == 0 && p.isOf(keys) {
		return nil
	}
	return fmt.Errorf("another run wrote to %s while this one was planned: run the same command again", f.Path(""))
}

// isOf reports whether the keys are of units of the plan, or of the folder as it was.
func (p *Plan) isOf(keys []string) bool {
	ours := map[string]bool{}
	for _, key := range slices.Concat(p.keys, p.held.keys) {
		ours[key] = true
	}
	return !slices.ContainsFunc(keys, func(key string) bool { return !ours[key] })
}

// resume divides the units into those to be done and the results of those that are done, and says what is left as it
// is.
// The keys of the units to be done are always those of this run. keys are those by which the folder is
// searched: with --only_new and the like a unit may be found by the key that another version gave it.
func (p *Plan) resume(ctx context.Context, f folder.Folder, out *collection.Collection,
	o *Options,
) ([]schemas.Unit, []schemas.UnitResult, error) {
	p.setKeys(o)
	fresh := p.fresh(ctx, *o)
	keys, kept, err := p.chooser.keys(p, *o, fresh)
	if err != nil {
		return nil, nil, err
	}
	// This is the last check that may refuse the command: after it, what was asked for is noted in the
	// folder.
	if err := p.mayBeReadAgain(ctx, keys); err != nil {
		return nil, nil, err
	}
	p.keeper.outcome.log(p.log)
	// It is noted before a unit is begun, so that the next command can tell what this one leaves undone if
	// it is killed.
	p.asked.Made[o.unitKey()] = o.lasting()
	if err := collection.NoteAsked(f, p.asked); err != nil {
		return nil, nil, err
	}
	// Units that stay cannot be made again, so a shard of theirs that is missing is an error and no work.
	todo, done, err := out.Resume(p.Units, keys, fresh, p.standing()...)
	if err != nil {
		return nil, nil, err
	}
	p.nameOptions(done, *o)
	for _, u := range todo {
		keys[u.ID] = p.keys[u.ID] // also when it was to be kept, and a shard is missing
	}
	// The key of the unit of joined records follows from those of all units, and some of these have changed
	// now.
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

// standing are the keys of the units that stay.
func (p *Plan) standing() []string {
	var keys []string
	for _, r := range p.stays {
		keys = append(keys, r.Key)
	}
	return keys
}

// nameOptions notes which options units that stay were made with, where these are not those of the run.
// The manifest names options once, for all units; these are the exceptions.
func (p *Plan) nameOptions(done []schemas.UnitResult, o Options) {
	ours := o.unitKey()
	for i, u := range done {
		if r, stays := p.stays[u.ID]; stays && r.Options != ours {
			done[i].MadeWith = p.held.optionsOf(r)
		}
	}
}

// setKeys finds the keys of the units, and of the unit of joined records.
// One that stays keeps its own key: the options and versions in it may be others than those of the run.
func (p *Plan) setKeys(o *Options) {
	// The options are the same for all units, so their map is made once.
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

// withTake adds to the options that a unit's key is made of what of --limit falls to it.
func (p *Plan) withTake(u schemas.Unit, options map[string]any) map[string]any {
	take, cut := p.takes[u.ID]
	if !cut {
		return options
	}
	options = maps.Clone(options)
	options["take"] = take
	return options
}

// fresh reports whether a range is what it was when its unit was done: at a glance by its file's stamp, otherwise by
// its bytes, where its unit noted what they were.
func (p *Plan) fresh(ctx context.Context, o Options) collection.Fresh {
	store := blob.New(o.Remote)
	return func(r schemas.Range, row collection.Row) (bool, error) {
		if name := work.StampName(r); row.Stamps[name] == p.Stamps[name] {
			return true, nil
		}
		return sameBytes(ctx, store, r, p.Stamps[r.File])
	}
}

// What is guessed where no sample can be read: captures and CPU a compressed byte, from the benchmark in
// docs/benchmarks.md ("Against a peer": 13.4 s of CPU with all extractors for 1,497 pages in 63.8 MiB, of 2026-11-22);
// to index alone takes little more than to decompress.
const (
	bytesPerCapture     = 43 << 10
	secondsPerMiB       = 0.21
	secondsPerMiBOfHead = 0.016
)
