package plan

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
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// StillHolds checks that the plan is still right for the locked folder. Other runs must not have changed the units
// there, except to add units of this plan.
func (p *Plan) StillHolds(f folder.Folder) error {
	// A fresh run removes the content, so its plan does not depend on it.
	keys, err := ledger.Keys(f)
	if err != nil || p.Request.Fresh || slices.Equal(keys, p.folder.Keys) {
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
	for _, key := range slices.Concat(p.Keys, p.folder.Keys) {
		ours[key] = true
	}
	return !slices.ContainsFunc(keys, func(key string) bool { return !ours[key] })
}

// Resumed is what a run finds in its folder.
type Resumed struct {
	Todo      []schemas.Unit       // their keys are those of this run
	Done      []schemas.UnitResult // of units that are done, or that stay
	JoinedKey string               // of the unit of joined records
}

// Resume divides the units into those to do and those that are done, and tells the log what it keeps. With --only_new
// and the like it searches the folder by other keys, since another version may have made a unit. The keys are made of
// templates, the hash of their table, and of made, the versions.
func (p *Plan) Resume(ctx context.Context, out *collection.Collection, templates string,
	made map[string]string,
) (r Resumed, err error) {
	p.SetKeys(templates, made)
	fresh := p.fresh(ctx)
	note := p.Request.UnitNote(templates)
	keys, kept, err := p.chooser.keys(p, note, fresh)
	if err != nil {
		return r, err
	}
	// The last check that may refuse the command: afterwards the folder notes the request.
	if err := p.mayBeReadAgain(ctx, keys); err != nil {
		return r, err
	}
	p.logKept()
	// The note comes first, so that the next command knows what this one leaves undone if it is killed.
	ours := p.Request.UnitKey(templates)
	p.asked.Made[ours] = p.Request.Note()
	if err := collection.NoteLastRun(out.Folder(), p.asked); err != nil {
		return r, err
	}
	// Units that stay cannot be made again, so a missing shard is an error.
	if r.Todo, r.Done, err = out.Resume(p.Units, keys, fresh, p.standing()...); err != nil {
		return r, err
	}
	p.nameOptions(r.Done, ours)
	for _, u := range r.Todo {
		keys[u.ID] = p.Keys[u.ID] // also for units that were to be kept but miss a shard
	}
	// The key of the unit of joined records depends on the keys of all units.
	r.JoinedKey, p.Todo = ledger.JoinedKey(keys), len(r.Todo)
	if kept > 0 {
		p.Request.Log.Info(fmt.Sprintf("%d units are kept as other versions made them", kept))
	}
	if p.Left > 0 {
		p.Request.Log.Info(fmt.Sprintf("%d files, or groups of files, are left out by --stale or --since, and the folder "+
			"does not have them by these names", p.Left))
	}
	return r, nil
}

func (p *Plan) standing() []string {
	var keys []string
	for _, r := range p.stays {
		keys = append(keys, r.Key)
	}
	return keys
}

// nameOptions notes the options of units that stay, unless they have the run's key, ours. The manifest names the run's
// options once.
func (p *Plan) nameOptions(done []schemas.UnitResult, ours string) {
	for i, u := range done {
		if r, stays := p.stays[u.ID]; stays && r.Options != ours {
			done[i].MadeWith = p.folder.OptionsOf(r)
		}
	}
}

// SetKeys finds the keys of the units, and returns that of the unit of joined records. A unit that stays keeps its key.
// The arguments are those of Resume.
func (p *Plan) SetKeys(templates string, made map[string]string) (joined string) {
	p.Keys = nil
	note := p.Request.UnitNote(templates)
	for _, u := range p.Units {
		key := p.stays[u.ID].Key
		if key == "" {
			key = ledger.Key(u, p.withTake(u, note), made)
		}
		p.Keys = append(p.Keys, key)
	}
	return ledger.JoinedKey(p.Keys)
}

// withTake adds the unit's share of --limit to the options for its key.
func (p *Plan) withTake(u schemas.Unit, options map[string]any) map[string]any {
	take, cut := p.Takes[u.ID]
	if !cut {
		return options
	}
	options = maps.Clone(options)
	options["take"] = take
	return options
}

// fresh returns a function that reports whether a range is unchanged. It compares stamps, and then the bytes if the
// unit noted them.
func (p *Plan) fresh(ctx context.Context) collection.Fresh {
	store := blob.New(p.Request.Remote)
	return func(r schemas.Range, row ledger.Row) (bool, error) {
		if name := work.StampName(r); row.Stamps[name] == p.Stamps[name] {
			return true, nil
		}
		return standing.SameBytes(ctx, store, r, p.Stamps[r.File])
	}
}

// keys returns the keys by which to find the units of a plan. An unchanged unit that another version made has the key
// of that version, and kept is the number of such units. The recipe has this note for units.
func (c chooser) keys(p *Plan, note map[string]any, fresh collection.Fresh) (keys []string, kept int, err error) {
	keys = slices.Clone(p.Keys)
	if !c.picks() {
		return keys, 0, nil
	}
	for _, u := range p.Own() {
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

// mayBeReadAgain returns an error if a unit to be done needs an unreadable local file. The folder would lose the
// documents of that file. Planning does not open unchanged files. The keys are those of the units. This is the last
// check before the run.
func (p *Plan) mayBeReadAgain(ctx context.Context, keys []string) error {
	store := blob.New(p.Request.Remote)
	for _, u := range p.Units {
		if _, done := p.folder.Rows[keys[u.ID]]; done {
			continue
		}
		for _, in := range u.Inputs {
			// A group is many files and a remote file costs a request, so it tries only single local files.
			if in.Group != nil || !standing.IsLocal(in.File) || !p.folder.Has(in.File, p.keeper.world) {
				continue
			}
			f, err := store.Open(ctx, in.File)
			if why, bad := blob.Unreadable(err); bad {
				return cli.Usagef("%s cannot be read (%s), and the unit that it is in is to be done again: to go on would "+
					"remove its documents. Nothing was touched. Make it readable, or name another "+
					"--output", schemas.Printable(in.File), why)
			}
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
