package plan

import (
	"context"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

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
