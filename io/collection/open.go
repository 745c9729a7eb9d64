package collection

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/layout"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// OpenOptions say how to open a folder; the zero value resumes earlier runs.
type OpenOptions struct {
	Fresh bool // remove what earlier runs wrote, and nothing else
	// Resume does all units again, and Finish removes what earlier runs wrote. Until then readers see the old
	// collection. One that is damaged or compacted is removed at once, as with Fresh.
	Redo bool
	// Rows are the result of an earlier call of [Rows]: rows that have not changed since are not read again.
	Rows map[string]ledger.Row
	// JobEnded returns nil if the job of an earlier run's note (see NoteJob) has ended. If it is nil, a folder with a
	// note is busy.
	JobEnded func(note []byte) error
	// Waiting are the keys of rows of other runs: they stay, and no manifest names them.
	Waiting []string
}

// Open creates the folder if needed and takes its lock (ErrBusy, also while a noted job runs). It migrates an older
// layout, completes a committed change and removes leftovers of killed runs; with Fresh it removes what earlier runs
// wrote. A folder with other content is ErrForeign. The caller closes the collection.
func Open(f folder.Folder, o OpenOptions) (*Collection, error) {
	c := &Collection{f: f, known: o.Rows, waiting: o.Waiting}
	if err := c.claim(); err != nil {
		return nil, fmt.Errorf("collection: open %s: %w", f.Path(""), err)
	}
	err := c.lock.Begin(o.JobEnded)
	// A collection that will be removed need not be migrated first.
	if err == nil && !o.Fresh && !o.Redo {
		err = layout.Migrate(c.f)
	}
	// Before the sweep: files of a committed change have temporary names.
	if err == nil && !o.Fresh {
		if err = c.settleChange(); err != nil && o.Redo {
			o.Fresh, err = true, nil // the change cannot be completed
		}
	}
	if err == nil {
		err = c.sweep()
	}
	if err == nil && o.Redo && !o.Fresh {
		c.redo, err = c.beginRedo()
		o.Fresh = !c.redo
	}
	// After the sweep, which knows leftovers only by their names.
	if err == nil && o.Fresh {
		err = c.removeAll()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("collection: open %s: %w", f.Path(""), err), c.Close())
	}
	return c, nil
}

// Close releases the folder. It may be called more than once.
func (c *Collection) Close() error {
	if c.lock == nil {
		return nil
	}
	f := c.lock
	c.lock = nil
	return f.Close()
}

// Generation returns the run's generation, for its workers: see Generation.Guard.
func (c *Collection) Generation() claim.Generation { return c.lock.Generation() }

// Leave makes Close keep the run's generation: its job continues without this process.
func (c *Collection) Leave() { c.lock.Leave() }

var marker = claim.Marker{
	Name: holdings.MarkerFile, Text: holdings.MarkerText, Knows: holdings.IsOlderMarker, Foreign: ErrForeign,
}

func (c *Collection) claim() (err error) {
	c.lock, err = marker.Claim(c.f)
	if errors.Is(err, folder.ErrBusy) {
		return fmt.Errorf("%w (%w)", claim.ErrBusy, err)
	}
	return err
}
