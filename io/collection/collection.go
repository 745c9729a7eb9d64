package collection

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Version is the version of what units write. It is part of their keys and changes if the same documents give other
// records. Parquet has its own version.
const Version = "1"

// ExtractorsFile is the name of a file in the folder that users write. It says which extractors run on which captures.
// This package never changes it, and it may exist before the first run.
const ExtractorsFile = "extractors.yaml"

// Errors of a folder, for errors.Is; the errors that wrap them name the folder or the file.
var (
	// ErrForeign means that the folder is not empty and not a collection. Nothing in it was changed.
	ErrForeign = errors.New("collection: the folder is not empty and not made by gleaner; " +
		"name a new or an empty folder")
	// ErrBusy means that another run is writing to the folder.
	ErrBusy = errors.New("collection: another run is writing to this folder; wait for it, or name another folder")
	// ErrDiffers means that a unit was done twice with different bytes.
	ErrDiffers = errors.New("collection: two attempts at one unit wrote different bytes")
	// ErrRanges means that a range of a file does not begin where the range before it ended.
	ErrRanges = errors.New("collection: two ranges of a file do not meet")
	// ErrMissing means that a shard is missing and its unit cannot be done again.
	ErrMissing = errors.New("collection: a shard is missing whose archives are not there to make it again")
	// ErrIncomplete means that a unit has no result, or that its shards are not in the folder.
	ErrIncomplete = errors.New("collection: a unit is not complete")
)

// OpenOptions say how to open a folder; the zero value resumes earlier runs.
type OpenOptions struct {
	Fresh bool // remove what earlier runs wrote, and nothing else
	// Resume does all units again, and Finish removes what earlier runs wrote. Until then readers see the old
	// collection. One that is damaged or compacted is removed at once, as with Fresh.
	Anew bool
	// Rows are the result of an earlier call of [Rows]: rows that have not changed since are not read again.
	Rows map[string]Row
	// JobEnded returns nil if the job of an earlier run's note (see NoteJob) has ended. If it is nil, a folder with a
	// note is busy.
	JobEnded func(note []byte) error
	// Waiting are the keys of rows of other runs: they stay, and no manifest names them.
	Waiting []string
}

// Collection is an open folder. One process at a time has it open; its methods are for one goroutine.
type Collection struct {
	f     folder.Folder
	lock  *Claimed
	known map[string]Row // rows read before the folder was opened
	anew  bool           // all units are done again
	// waiting are the keys of rows that Resume leaves alone.
	waiting []string
	// stats holds the stats of all files while nothing changes: in an object store each Stat would be a request.
	stats  map[string]folder.Stat
	tabled *bool // result of isTabled; nil before its first call
	// compacted is the note of moved documents; nil before it is read.
	compacted *Compaction
	moved     movedShards
	replacing func(names []string) error // see Replacing
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
	if err == nil && !o.Fresh && !o.Anew {
		err = c.migrate()
	}
	// Before the sweep: files of a committed change have temporary names.
	if err == nil && !o.Fresh {
		if err = c.settleChange(); err != nil && o.Anew {
			o.Fresh, err = true, nil // the change cannot be completed
		}
	}
	if err == nil {
		err = c.sweep()
	}
	if err == nil && o.Anew && !o.Fresh {
		c.anew, err = c.beginAnew()
		o.Fresh = !c.anew
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
func (c *Collection) Generation() Generation { return c.lock.Generation() }

// Leave makes Close keep the run's generation: its job continues without this process.
func (c *Collection) Leave() { c.lock.Leave() }

var marker = Marker{
	Name: holdings.MarkerFile, Text: holdings.MarkerText, Knows: holdings.IsOlderMarker, Foreign: ErrForeign,
}

func (c *Collection) claim() (err error) {
	c.lock, err = marker.Claim(c.f)
	if errors.Is(err, folder.ErrBusy) {
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	}
	return err
}
