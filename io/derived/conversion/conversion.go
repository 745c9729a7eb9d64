// Package conversion keeps the folder that archives are converted to: in formats that other programs read, with what
// could not be converted beside it. It makes conversions restartable: kill the process at any moment, start it again,
// and the folder ends as after one clean run.
//
//	ache-html/www.example.com/http%3A%2F%2F…      a folder for each format, with its files and nothing else: a tree
//	ache-warc/00017-of-00240/crawl_data-….warc.gz  or a folder for each unit, where files are numbered
//	files-00017-of-00240.jsonl                     one line for each file of a unit: its name, bytes and SHA-256
//	rejects-00017-of-00240.jsonl                   one line for what could not be read or written
//	manifest.json                                  written last: a folder that has one is a finished run
//	.gleaner/                                      marker, lock, and the units that are done and not yet in their place
//
// A unit is written to a hidden folder, which is renamed when it is whole: then the unit is done. When all are, their
// files are moved to their places. Of files of several units with one name, the last unit's is. So a page of a tree
// that is captured twice is the later one in the order of the input, as if one writer had written all, whatever the
// units and however many workers there were.
//
// The folder is on a disk or in an object store: see package folder. There a unit is written to a local folder and
// uploaded when it is whole, its row last; moving a file is copying it and removing it.
//
// What it does not do: it reads no archives and knows nothing of Beam. On a disk, files are not forced to it one by
// one: after a power cut, as opposed to a kill, start over.
//
//	f := folder.Open(ctx, "out", store)
//	c, err := conversion.Open(f, conversion.OpenOptions{})
//	defer c.Close()
//	u, err := conversion.NewUnit(f, key, unit, 1, []conversion.Target{{Format: "warc"}}) // on any machine
//	// u.Write …
//	row, err := u.Commit(counts, inputs)
//	manifest, err := conversion.Finish(ctx, f, []conversion.Row{row}, conversion.Run{Units: 1})
package conversion

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// layout is the version of the folder's layout, and Version that of how units are written.
const (
	layout  = "1"
	Version = "2"
)

// What can be wrong with a folder, for errors.Is. Nothing in it was touched.
var (
	// ErrForeign is a folder that holds something and is not a conversion.
	ErrForeign = errors.New("conversion: the folder is not empty and not made by this command; name a new or an " +
		"empty folder")
	// ErrOther is a folder that holds another conversion: of other inputs, or with other options.
	ErrOther = errors.New("conversion: the folder holds the conversion of other archives, or one with other options; " +
		"name another folder, or start over with --fresh")
)

// ErrIncomplete is a unit that has no result, or a file that a unit lists and that is nowhere.
var ErrIncomplete = errors.New("conversion: a unit is not complete")

// Names in the folder, and in the hidden one.
const (
	manifestFile = holdings.ManifestFile
	hiddenDir    = ".gleaner"
	markerFile   = "conversion"
	planFile     = "plan"     // the plan whose files are in their places, or on the way there
	workStart    = "work-"    // a unit that is being written
	unitStart    = "unit-"    // a unit that is done
	rowFile      = "row.json" // in the folder of a unit
	tempPart     = ".tmp-"    // in the names of files that package folder is writing: "." before, and this and more behind
)

// hidden is the name of a file in the hidden folder.
func hidden(name string) string { return hiddenDir + "/" + name }

// unitDir is where the unit called key is when it is done.
func unitDir(key string) string { return hidden(unitStart + key) }

var marker = collection.Marker{
	Name: markerFile, Text: "This folder is written by Gleaner's convert, layout " + layout + ".\n", Foreign: ErrForeign,
}

// OpenOptions say how a folder is opened; the zero value continues with what is there.
type OpenOptions struct {
	// Fresh removes what earlier runs wrote: the formats' folders, with all that is in them, lists, rejects and the
	// manifest.
	Fresh bool
	// JobEnded is that of collection.OpenOptions: it reports whether a job has ended that collection.NoteJob has noted.
	JobEnded func(note []byte) error
}

// Folder is an open folder. One process at a time has it.
type Folder struct {
	f    folder.Folder
	lock *collection.Claimed
}

// Open makes the folder where there is none, takes its lock, and sweeps what a killed run left half-written. The error
// is folder.ErrBusy when another run has the lock, and collection.ErrBusy when a job is noted that has not ended.
func Open(f folder.Folder, o OpenOptions) (*Folder, error) {
	c := &Folder{f: f}
	var err error
	if c.lock, err = marker.Claim(f); err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Path(""), err)
	}
	err = c.lock.Begin(o.JobEnded)
	if err == nil {
		err = f.Sweep()
	}
	if err == nil {
		err = c.removeAll(hidden(workStart+"*"), hidden(collection.KindListing+"-*"), hidden(".*"+tempPart+"*"),
			"."+manifestFile+tempPart+"*")
	}
	if err == nil && o.Fresh {
		err = c.removeResults()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", f.Path(""), err), c.Close())
	}
	return c, nil
}

// Close lets others have the folder.
func (c *Folder) Close() error { return c.lock.Close() }

// Generation is that of the run, for its workers: see collection.Generation.
func (c *Folder) Generation() collection.Generation { return c.lock.Generation() }

// Leave has Close leave the run's workers alone: their job goes on without this process.
func (c *Folder) Leave() { c.lock.Leave() }

// removeResults removes what earlier runs wrote. The manifest goes first, so that a folder half-emptied does not look
// finished, and rows before what they say is there; the plan goes last, so that no other plan's files come among
// these.
func (c *Folder) removeResults() error {
	units := hidden(unitStart + "*")
	patterns := []string{manifestFile, units + "/" + rowFile, units, "files-*-of-*.jsonl", "rejects-*-of-*.jsonl"}
	patterns = append(patterns, archive.Outputs()...)
	return c.removeAll(append(patterns, hidden(planFile))...)
}

// removeAll removes what the patterns name, in their order.
func (c *Folder) removeAll(patterns ...string) error {
	for _, pattern := range patterns {
		if err := c.f.RemoveAll(pattern); err != nil {
			return err
		}
	}
	return nil
}

// Finished returns the manifest when the folder holds the finished conversion of this plan, and removes what a run
// left that was killed after writing it. When the folder holds a conversion of another plan, finished or on the way to
// be, the error is ErrOther.
func (c *Folder) Finished(plan string) (m schemas.Manifest, ok bool, err error) {
	was, err := folder.ReadFile(c.f, hidden(planFile), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	if string(was) != plan {
		return m, false, ErrOther
	}
	m, err = holdings.ReadManifest(c.f)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err == nil {
		err = c.f.RemoveAll(hidden(unitStart + "*"))
	}
	return m, err == nil, err
}

// Begun is ErrOther when the folder has units that a run has done which was not finished, and that are not among keys:
// to go on would remove them.
func (c *Folder) Begun(keys []string) error {
	names, err := c.f.Names(hiddenDir)
	if err != nil {
		return err
	}
	ours := map[string]bool{}
	for _, key := range keys {
		ours[unitStart+key] = true
	}
	others := 0
	for _, name := range names {
		if strings.HasPrefix(name, unitStart) && !ours[name] {
			others++
		}
	}
	if others > 0 {
		return fmt.Errorf("%w (%d units of it are done, and it was not finished)", ErrOther, others)
	}
	return nil
}

// Keys are those of the units in f that are done and not yet in their places.
func Keys(f folder.Folder) (keys []string, err error) {
	names, err := f.Names(hiddenDir)
	for _, name := range names {
		if key, unit := strings.CutPrefix(name, unitStart); unit {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// Row is what a unit that is done says of itself.
type Row struct {
	Key string `json:"key"`
	schemas.UnitResult
}

// Done returns the row of the unit called key, when it is done.
func (c *Folder) Done(key string) (r Row, ok bool, err error) {
	name := unitDir(key) + "/" + rowFile
	text, err := folder.ReadFile(c.f, name, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, false, fmt.Errorf("%s: %w", c.f.Path(name), err)
	}
	return r, true, nil
}

// maxFile bounds the files that are read whole, in bytes: the row of a unit of 100,000 small files needs 20 MB.
const maxFile = 256 << 20

func encode(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
