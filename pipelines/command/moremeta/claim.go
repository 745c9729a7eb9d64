package moremeta

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// hidden is the folder in a day that holds its generation during a run. It is in each day, not in the store, because
// one run may have a store and another a year of it.
const hidden = ".gleaner"

// claimDays begins a generation in each day, which stops workers of earlier runs there. A dry run claims nothing.
// Callers must call release even after an error.
func claimDays(days []string, dryRun bool) (tasks []task, release func() error, err error) {
	release = func() (err error) {
		for _, t := range tasks {
			err = errors.Join(err, t.release())
		}
		return err
	}
	for _, day := range days {
		t := task{Day: day}
		if !dryRun {
			f := t.folder()
			if err := f.Make(hidden); err != nil {
				return tasks, release, err
			}
			if t.Generation, err = claim.NextGeneration(f); err != nil {
				return tasks, release, err
			}
		}
		tasks = append(tasks, t)
	}
	return tasks, release, nil
}

// folder returns the day's folder, which is local.
func (t task) folder() folder.Folder { return folder.Open(context.Background(), t.Day, nil) }

// while calls do if the run still has the day, and otherwise returns claim.ErrSuperseded.
func (t task) while(do func() error) error { return t.Generation.While(t.folder(), do) }

// release ends the generation. The hidden folder stays if another run has begun one.
func (t task) release() error {
	if t.Generation == "" {
		return nil
	}
	err := t.Generation.End(t.folder())
	_ = os.Remove(filepath.Join(t.Day, hidden)) // fails if not empty
	return err
}
