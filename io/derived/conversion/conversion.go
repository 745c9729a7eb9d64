// Package conversion keeps the folder that archives are converted to, in formats for other programs, with rejects for
// data that could not be converted. Conversions can be restarted: kill the process at any moment, start it again, and
// the folder ends as after one clean run.
//
//	ache-html/www.example.com/http%3A%2F%2F…      a folder for each format with only its files: a tree
//	ache-warc/00017-of-00240/crawl_data-….warc.gz  or a folder for each unit, if files are numbered
//	files-00017-of-00240.jsonl                     one line for each file of a unit: its name, bytes and SHA-256
//	rejects-00017-of-00240.jsonl                   one line for each part that could not be read or written
//	manifest.json                                  written last: a folder with a manifest is a finished run
//	.gleaner/                                      marker, lock, and finished units before their files are moved
//
// A unit is written to a hidden folder, which is renamed when it is complete. After all units are done, their files are
// moved to their places. If several units have a file of one name, the last unit's wins. So of two captures of a page,
// a tree has the later one of the input, whatever the number of units and workers.
//
// The folder is on a disk or in an object store: see package folder. In a store, a unit is written to a local folder
// and uploaded when it is complete, its row last. Moving a file means copying and removing it.
//
// The package reads no archives and does not depend on Beam. On a disk, files are not synced singly: after a power
// failure, unlike after a kill, start over.
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
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// layout is the version of the folder's layout, and Version that of how units are written.
const (
	layout  = "1"
	Version = "4"
)

// Errors of a folder, for errors.Is. Nothing in it was changed.
var (
	// ErrForeign means that the folder is not empty and not a conversion.
	ErrForeign = errors.New("conversion: the folder is not empty and not made by this command; name a new or an " +
		"empty folder")
	// ErrOther means that the folder has another conversion: of other inputs, or with other options.
	ErrOther = errors.New("conversion: the folder holds the conversion of other archives, or one with other options; " +
		"name another folder, or start over with --fresh")
	// ErrLost means that files of the finished conversion were removed.
	ErrLost = errors.New("conversion: a file of the finished conversion is missing; start over with --fresh, or name " +
		"another folder")
)

// ErrIncomplete means that a unit has no result, or that a file in a unit's list is missing.
var ErrIncomplete = errors.New("conversion: a unit is not complete")

// Names in the folder, and in the hidden folder.
const (
	manifestFile = holdings.ManifestFile
	hiddenDir    = ".gleaner"
	markerFile   = "conversion"
	planFile     = "plan"     // the plan whose files are moved or being moved
	workStart    = "work-"    // an unfinished unit
	unitStart    = "unit-"    // a finished unit
	rowFile      = "row.json" // in the folder of a unit
	tempPart     = ".tmp-"    // in temporary names of package folder: after "." and the name, before a number
)

// hidden returns the path of a file in the hidden folder.
func hidden(name string) string { return hiddenDir + "/" + name }

// unitDir returns the folder of a finished unit.
func unitDir(key string) string { return hidden(unitStart + key) }

var marker = claim.Marker{
	Name: markerFile, Text: "This folder is written by Gleaner's convert, layout " + layout + ".\n", Foreign: ErrForeign,
}

// OpenOptions say how to open a folder; the zero value continues earlier runs.
type OpenOptions struct {
	// Fresh removes what earlier runs wrote: the formats' folders with all their content, lists, rejects and the
	// manifest.
	Fresh bool
	// JobEnded is as in collection.OpenOptions: it returns nil if a job that claim.NoteJob has noted has ended.
	JobEnded func(note []byte) error
}

// Folder is an open folder. One process at a time has it open.
type Folder struct {
	f    folder.Folder
	lock *claim.Claimed
}

// Open creates the folder if needed, takes its lock, and removes leftovers of killed runs. It returns folder.ErrBusy if
// another run has the lock, and claim.ErrBusy while a noted job has not ended.
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
		err = c.removeAll(hidden(workStart+"*"), hidden(interim.Listings+"-*"), hidden(".*"+tempPart+"*"),
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

// Close releases the folder.
func (c *Folder) Close() error { return c.lock.Close() }

// Generation returns the run's generation, for its workers: see claim.Generation.
func (c *Folder) Generation() claim.Generation { return c.lock.Generation() }

// Leave makes Close keep the run's generation: its job continues without this process.
func (c *Folder) Leave() { c.lock.Leave() }

// removeResults removes what earlier runs wrote. The manifest goes first, so that a half-empty folder does not look
// finished, and rows go before their files. The plan goes last, so that no other plan's files are mixed in.
func (c *Folder) removeResults() error {
	units := hidden(unitStart + "*")
	patterns := []string{manifestFile, units + "/" + rowFile, units, "files-*-of-*.jsonl", "rejects-*-of-*.jsonl"}
	patterns = append(patterns, archive.Outputs()...)
	return c.removeAll(append(patterns, hidden(partFile), hidden(planFile))...)
}

// removeAll removes the files that match the patterns, in their order.
func (c *Folder) removeAll(patterns ...string) error {
	for _, pattern := range patterns {
		if err := c.f.RemoveAll(pattern); err != nil {
			return err
		}
	}
	return nil
}

// Finished returns the manifest if the folder holds the finished conversion of this plan. It removes leftovers of a run
// that was killed after writing it. For another plan, finished or not, it returns ErrOther. If files were removed since
// then, it returns ErrLost.
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
	m, err = holdings.ReadRun(c.f)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err == nil {
		err = c.f.RemoveAll(hidden(unitStart + "*"))
	}
	if err == nil {
		var name string
		if name, err = lost(c.f, len(m.Units)); name != "" {
			err = fmt.Errorf("%w: %s", ErrLost, c.f.Path(name))
		}
	}
	return m, err == nil, err
}

// Begun returns ErrOther if the folder has units of an unfinished run that are not among keys: continuing would remove
// them.
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

// Keys returns the keys of the finished units in f whose files are not moved yet.
func Keys(f folder.Folder) (keys []string, err error) {
	names, err := f.Names(hiddenDir)
	for _, name := range names {
		if key, unit := strings.CutPrefix(name, unitStart); unit {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// Row describes a finished unit.
type Row struct {
	Key string `json:"key"`
	schemas.UnitResult
}

// Done returns the row of the unit with this key; ok is false unless it is finished.
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

// maxFile limits files that are read whole, in bytes: the row of a unit of 100,000 small files needs 20 MB.
const maxFile = 256 << 20

func encode(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
