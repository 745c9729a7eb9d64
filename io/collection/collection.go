package collection

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Version is the version of what units write, and part of their keys: it changes when the same documents give other
// records. Parquet has its own.
const Version = "1"

// ExtractorsFile is the name of a file inside the folder that users write, and this package lets be: which extractors
// run on which captures. It may be there before the first run.
const ExtractorsFile = "extractors.yaml"

// What can be wrong with a folder, for errors.Is; the errors that wrap them name the folder or the file.
var (
	// ErrForeign is a folder that holds something and is not a collection. Nothing in it was touched.
	ErrForeign = errors.New("collection: the folder is not empty and not made by gleaner; " +
		"name a new or an empty folder")
	// ErrBusy is a folder that another run is writing.
	ErrBusy = errors.New("collection: another run is writing to this folder; wait for it, or name another folder")
	// ErrDiffers is one unit that was done twice with different bytes.
	ErrDiffers = errors.New("collection: two attempts at one unit wrote different bytes")
	// ErrRanges is a range of a file that does not begin where reading the one before it arrived.
	ErrRanges = errors.New("collection: two ranges of a file do not meet")
	// ErrMissing is a shard that is not there, of a unit that cannot be done again.
	ErrMissing = errors.New("collection: a shard is missing whose archives are not there to make it again")
	// ErrIncomplete is a unit that has no result, or a result whose shards are not in the folder.
	ErrIncomplete = errors.New("collection: a unit is not complete")
)

// OpenOptions say how a folder is opened; the zero value resumes what is there.
type OpenOptions struct {
	Fresh bool // remove what earlier runs wrote, and only that
	// Anew has Resume do all units again, and Finish remove what earlier runs wrote. Until then readers have the
	// collection as it was; one that is damaged or compacted is removed at once, as by Fresh.
	Anew bool
	// Rows are what the function of this name has read: those that have not changed since are not read again.
	Rows map[string]Row
	// JobEnded reports whether the job of an earlier run's note (see NoteJob) has ended: nil when it has. Without it, a
	// folder with a note is busy.
	JobEnded func(note []byte) error
	// Waiting are the keys of rows that are not of the run: they stay as they are, and no manifest names them.
	Waiting []string
}

// Collection is an open folder. One process at a time has it; its methods are for one goroutine.
type Collection struct {
	f     folder.Folder
	lock  *Claimed
	known map[string]Row // that were read before the folder was opened
	anew  bool           // all units are done again
	// waiting are the keys of rows that Resume leaves alone.
	waiting []string
	// stats are of all files, while nothing changes any: asking for each by itself takes a request in an object store.
	stats  map[string]folder.Stat
	tabled *bool // what isTabled has found
	// compacted is what the folder notes of documents that were moved; nil before it was read.
	compacted *Compaction
	moved     movedShards                // of it: see movedShards
	replacing func(names []string) error // see Replacing
}

// Open makes the folder where there is none, takes its lock (ErrBusy, also while a job is noted that has not ended),
// brings it to this layout, ends a change that was committed (see changeNote), sweeps what a killed run left
// half-written, and with Fresh removes what earlier runs wrote. A folder with anything else in it is ErrForeign. Close
// it at the end.
func Open(f folder.Folder, o OpenOptions) (*Collection, error) {
	c := &Collection{f: f, known: o.Rows, waiting: o.Waiting}
	// The lock first: all that follows changes files.
	if err := c.claim(); err != nil {
		return nil, fmt.Errorf("collection: open %s: %w", f.Path(""), err)
	}
	err := c.lock.Begin(o.JobEnded)
	// What is to be removed need not be brought to this layout first.
	if err == nil && !o.Fresh && !o.Anew {
		err = c.migrate()
	}
	// Before the sweep: what it is to end with has temporary names.
	if err == nil && !o.Fresh {
		if err = c.settleChange(); err != nil && o.Anew {
			o.Fresh, err = true, nil // it cannot be kept
		}
	}
	if err == nil {
		err = c.sweep()
	}
	if err == nil && o.Anew && !o.Fresh {
		c.anew, err = c.beginAnew()
		o.Fresh = !c.anew
	}
	// After the sweep, which knows leftovers by their names alone.
	if err == nil && o.Fresh {
		err = c.removeAll()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("collection: open %s: %w", f.Path(""), err), c.Close())
	}
	return c, nil
}

// Close lets others have the folder. It may be called more than once.
func (c *Collection) Close() error {
	if c.lock == nil {
		return nil
	}
	// Forgotten first, so that a second call closes nothing.
	f := c.lock
	c.lock = nil
	return f.Close()
}

// Generation is that of the run, for its workers: see Generation.Guard.
func (c *Collection) Generation() Generation { return c.lock.Generation() }

// Leave has Close leave the run's workers alone: their job goes on without this process.
func (c *Collection) Leave() { c.lock.Leave() }

var marker = Marker{
	Name: holdings.MarkerFile, Text: holdings.MarkerText, Knows: holdings.IsOlderMarker, Foreign: ErrForeign,
}

// claim makes the folder ours, or finds that it is.
func (c *Collection) claim() (err error) {
	c.lock, err = marker.Claim(c.f)
	if errors.Is(err, folder.ErrBusy) {
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	}
	return err
}
