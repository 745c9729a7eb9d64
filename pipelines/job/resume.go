package job

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/schemas"
)

// stillHolds checks that the plan is still right for the locked folder. Other runs must not have changed the units
// there, except to add units of this plan.
func (p *Plan) stillHolds(f folder.Folder, fresh bool) error {
	// A fresh run removes the content, so its plan does not depend on it.
	keys, err := ledger.Keys(f)
	if err != nil || fresh || slices.Equal(keys, p.folder.Keys) {
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
	for _, key := range slices.Concat(p.keys, p.folder.Keys) {
		ours[key] = true
	}
	return !slices.ContainsFunc(keys, func(key string) bool { return !ours[key] })
}

// resume divides the units into those to do and the results of those that are done, and tells the log what it keeps.
// Units to do get this run's keys. The folder is searched by other keys with --only_new and the like, where another
// version may have made a unit.
func (p *Plan) resume(ctx context.Context, f folder.Folder, out *collection.Collection,
	o *unit.Job,
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
	p.logKept()
	// The note comes first, so that the next command knows what this one leaves undone if it is killed.
	p.asked.Made[o.UnitKey(o.Templates.SHA256)] = o.Note()
	if err := collection.NoteLastRun(f, p.asked); err != nil {
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
	o.JoinedKey, p.todo = ledger.JoinedKey(keys), len(todo)
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
func (p *Plan) nameOptions(done []schemas.UnitResult, o unit.Job) {
	ours := o.UnitKey(o.Templates.SHA256)
	for i, u := range done {
		if r, stays := p.stays[u.ID]; stays && r.Options != ours {
			done[i].MadeWith = p.folder.OptionsOf(r)
		}
	}
}

// setKeys finds the keys of the units and of the unit of joined records. A unit that stays keeps its key.
func (p *Plan) setKeys(o *unit.Job) {
	p.keys = nil
	options := o.UnitNote(o.Templates.SHA256)
	for _, u := range p.Units {
		key := p.stays[u.ID].Key
		if key == "" {
			key = ledger.Key(u, p.withTake(u, options), o.Made)
		}
		p.keys = append(p.keys, key)
	}
	o.JoinedKey = ledger.JoinedKey(p.keys)
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
func (p *Plan) fresh(ctx context.Context, o unit.Job) collection.Fresh {
	store := blob.New(o.Remote)
	return func(r schemas.Range, row ledger.Row) (bool, error) {
		if name := work.StampName(r); row.Stamps[name] == p.Stamps[name] {
			return true, nil
		}
		return standing.SameBytes(ctx, store, r, p.Stamps[r.File])
	}
}

// keys returns the keys by which to find the units of a plan. Unchanged units that stay as another version made them
// have that version's key; kept is their number.
func (c chooser) keys(p *Plan, o unit.Job, fresh collection.Fresh) (keys []string, kept int, err error) {
	keys = slices.Clone(p.keys)
	if !c.picks() {
		return keys, 0, nil
	}
	note := o.UnitNote(o.Templates.SHA256)
	for _, u := range p.own() {
		i := u.ID
		// The same options and versions made this unit.
		if _, done := c.folder.Rows[keys[i]]; done || c.renews(p.timesOf(u)) {
			continue
		}
		// The key without versions finds a row with the same ranges and options, whatever version made it.
		twin, there := c.twins[ledger.Key(u, note, nil)]
		if !there {
			continue
		}
		same, err := unchanged(u, twin, fresh)
		if err != nil {
			return nil, 0, err
		}
		// A changed archive is read again: its old documents are no longer true.
		if same {
			keys[i] = twin.Key
			kept++
		}
	}
	return keys, kept, nil
}

// unchanged reports whether all inputs of a unit are as they were when row was committed.
func unchanged(u schemas.Unit, row ledger.Row, fresh collection.Fresh) (bool, error) {
	for i, in := range u.Inputs {
		in.Fingerprint = row.Inputs[i].Fingerprint // both have the same inputs
		if same, err := fresh(in, row); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
