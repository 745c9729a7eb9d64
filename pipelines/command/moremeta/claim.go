package moremeta

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// hidden is the folder of a day that holds its generation while a run has the day. There is one in each day and not one
// in the store, since one run may be given a store and another a year of it.
const hidden = ".gleaner"

// claim begins a generation in each day, which ends whatever a runner still does there for an earlier run. A dry run
// changes nothing, and so claims nothing. release is to be called also after an error.
func claim(days []string, dryRun bool) (tasks []task, release func() error, err error) {
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
			if t.Generation, err = collection.NextGeneration(f); err != nil {
				return tasks, release, err
			}
		}
		tasks = append(tasks, t)
	}
	return tasks, release, nil
}

// folder is the day's. It is always a local one.
func (t task) folder() folder.Folder { return folder.Open(context.Background(), t.Day, nil) }

// while calls do while the run has the day, and returns collection.ErrSuperseded when it has not.
func (t task) while(do func() error) error { return t.Generation.While(t.folder(), do) }

// release ends the generation. The folder of it stays when another run has begun one since.
func (t task) release() error {
	if t.Generation == "" {
		return nil
	}
	err := t.Generation.End(t.folder())
	_ = os.Remove(filepath.Join(t.Day, hidden)) // it is not empty then
	return err
}
