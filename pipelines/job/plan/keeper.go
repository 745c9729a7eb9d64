package plan

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// keeper settles the rows of the folder class by class, and collects what becomes of them. It is called once for each
// class of inputs, after their files are found and before they are divided.
type keeper struct {
	folder *standing.Folder
	policy standing.Policy
	world  *world
	found  standing.Found
	taken  *standing.Taken
	report standing.Report
}

func newKeeper(ctx context.Context, c Request, folder *standing.Folder, store *blob.Store) (*keeper, error) {
	names, err := standing.NewNames()
	if err != nil {
		return nil, err
	}
	w := &world{Names: names, ctx: ctx, store: store, machine: c.Machine}
	k := &keeper{
		folder: folder, policy: standing.Policy{Add: c.Keep.Add, Prune: c.Keep.Prune}, world: w,
		found: standing.NewFound(), taken: standing.NewTaken(w.ID),
	}
	if len(folder.Rows) == 0 {
		return k, nil
	}
	args := slices.Concat(c.Inputs, c.Indexes)
	if len(args) == 0 {
		// Without names the command reads the project's archives.
		args = []string{defaultInput}
	}
	if w.scope, err = store.NewScope(ctx, args); err != nil {
		return nil, inputError(ctx, err)
	}
	return k, nil
}

// list notes the files that the command has found. Files that cannot be read now count as not found, so their
// documents stay.
func (k *keeper) list(files []blob.Info, lookup *schemas.Lookup) {
	for _, f := range files {
		r := schemas.Range{File: f.Name, Group: f.Group, Lookup: lookup}
		id := k.world.ID("", r)
		if f.Unreadable == "" {
			k.found.IDs[id] = true
		}
		k.found.Stamps[standing.StampID(id, r)] = f.Stamp
		// A folder may be several groups, so their sums are compared.
		if f.Group != nil {
			k.found.Pages[id] += f.Group.Files
		}
	}
}

// archives settles the rows of archives.
func (k *keeper) archives(files []blob.Info, twice []blob.Twice) error {
	k.list(files, nil)
	for _, t := range twice {
		k.found.IDs[k.world.ID("", schemas.Range{File: t.Again})] = true // an earlier run may have read it by this name
	}
	if err := k.folder.Move(files, k.world); err != nil {
		return err
	}
	return k.settle(standing.Archives)
}

// indexes settles the rows of indexes. The id of an index includes its lookup: asked for other lines, it is another
// input.
func (k *keeper) indexes(files []blob.Info, lookups []schemas.Lookup) error {
	for i := range files {
		k.list(files[i:i+1], &lookups[i])
	}
	if err := k.folder.Move(files, k.world); err != nil {
		return err
	}
	return k.settle(standing.Indexes)
}

// topics settles the rows of topics and shortens the units of the command by the ranges that stay. A topic only grows
// at its end, so reading continues after the last range.
func (k *keeper) topics(units []schemas.Unit, stamps map[string]string) ([]schemas.Unit, error) {
	for file, stamp := range stamps {
		// MaxInt64 stands for a partition without messages: everything read from it has been trimmed.
		k.found.IDs[file], k.found.Trimmed[file] = true, math.MaxInt64
		// A topic that was deleted and created again restarts at offset 0; its stamp shows it.
		for _, r := range k.folder.Rows {
			if was, read := r.Stamps[file]; read && was != stamp {
				return nil, cli.Usagef("%s is a new topic under the name of the topic that the folder has documents of. "+
					"Nothing was touched. Name another --output, or use --fresh to replace these documents", file)
			}
		}
	}
	// The first unit of a partition begins at the first retained offset.
	for _, u := range units {
		file := u.Inputs[0].File
		k.found.Trimmed[file] = min(k.found.Trimmed[file], u.Inputs[0].Start)
	}
	if err := k.settle(standing.Topics); err != nil {
		return nil, err
	}
	return k.taken.Rest(units), nil
}

// settle settles the rows of a class.
func (k *keeper) settle(class standing.Class) error {
	o, err := standing.Settle(k.folder, class, k.found, k.policy, k.world)
	if err != nil {
		return err
	}
	k.folder.Leave(o.Waiting)
	for _, r := range o.Stay {
		k.taken.Add(r)
	}
	k.report.Add(o)
	return nil
}

// check refuses planned units that do not fit together with the rows that stay.
func (k *keeper) check(units []schemas.Unit) error {
	if err := k.folder.Unreadable(units, k.world); err != nil {
		return err
	}
	return k.taken.Check(units)
}

// world answers for a plan what the rows of the folder do not say. It lives as long as the plan is made.
type world struct {
	*standing.Names
	ctx     context.Context
	store   *blob.Store
	scope   blob.Scope // of the command's arguments; empty if the folder is
	machine recipe.Machine
}

// Covers returns the argument of the command that covers a file.
func (w *world) Covers(id string) (arg string, ok bool) { return w.scope.Covers(id) }

// Same reports whether a range still has the bytes that its unit noted.
func (w *world) Same(in schemas.Range, stamp string) (bool, error) {
	return standing.SameBytes(w.ctx, w.store, in, stamp)
}

// Captures counts a row's captures from some files, by the unit's index.
func (w *world) Captures(r ledger.Row, files map[string]bool) (n int64, err error) {
	f := w.machine.OpenFolder(w.ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	for line, err := range (holdings.Part{Folder: f, Shards: r.Shards}).Captures(w.ctx) {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // the shards are being renamed or are missing: the unit is done again anyway
		}
		if err != nil {
			return 0, err
		}
		// The index and the rows name archives in the same way.
		if files[line.Filename] {
			n++
		}
	}
	return n, nil
}
