package standing

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Folder is the content of an output folder when a run is planned. It shows which files are new, and saves opening
// unchanged archives.
type Folder struct {
	Keys    []string              // of all rows, sorted
	Rows    map[string]ledger.Row // by key
	Waiting map[string]bool       // keys of rows of an interrupted run, which the manifest does not name
	LastRun holdings.LastRun      // what the last run was asked for
	Noted   bool                  // a run has noted what it was asked for
	Whole   bool                  // a manifest exists: some run has finished
	// Finished means that the last run has finished.
	Finished bool
	// Lost are the units of the manifest that have no row, or a damaged one.
	Lost []schemas.UnitResult

	stated  map[string]map[string]any // options by the manifest, by unit, if the note lacks some
	retired map[string]ledger.Row     // by the key of the unit that was done again and may wait
	names   map[string]bool           // of files of units, and of folders of groups
	ids     map[string]bool           // of the same: see Has
	divided map[string]*divided
}

// divided has the ranges of a file, from any number of units, and its stamp. Known sorts the ranges.
type divided struct {
	stamp  string
	ranges []schemas.Range
	odd    bool // units have different stamps
}

// Empty returns a folder without rows.
func Empty() *Folder {
	return &Folder{retired: map[string]ledger.Row{}, names: map[string]bool{}, divided: map[string]*divided{}}
}

// Read reads the rows of f and the note of its last run. It takes no lock, so that a plan can be printed during a
// run. Folders of earlier versions have no note, only a manifest when finished.
func Read(f folder.Folder) (*Folder, error) {
	h := Empty()
	var err error
	if h.Keys, err = ledger.Keys(f); err != nil {
		return nil, err
	}
	if h.Rows, err = ledger.Rows(f); err != nil {
		return nil, err
	}
	if h.Waiting, err = ledger.Waiting(f, h.Rows); err != nil {
		return nil, err
	}
	if err := h.readNote(f); err != nil {
		return nil, err
	}
	// Rows of retired units that have been done again are obsolete.
	for key, r := range h.Rows {
		if _, again := h.Rows[r.Retired]; again {
			delete(h.Rows, key)
			h.retired[r.Retired] = r
		}
	}
	return h, nil
}

// leave takes a row that waits out of rows. If its unit was done again, the earlier unit counts, which the manifest
// names.
func (h *Folder) leave(rows map[string]ledger.Row, key string) {
	delete(rows, key)
	if r, is := h.retired[key]; is {
		rows[r.Key] = r
	}
}

// Leave takes rows out that wait for their own command.
func (h *Folder) Leave(waiting []string) {
	for _, key := range waiting {
		h.leave(h.Rows, key)
	}
}

// readNote reads what the last run was asked for. An unreadable note counts as missing, since the file may not be
// ours.
func (h *Folder) readNote(f folder.Folder) error {
	// Totals are enough: the manifest of a large collection is mostly units.
	m, err := holdings.ReadTotals(f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	h.Whole = err == nil
	unfinished, err := ledger.Unfinished(f)
	if err != nil {
		return err
	}
	h.Finished = h.Whole && !unfinished
	if h.LastRun, err = holdings.ReadLastRun(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if h.Noted = err == nil; !h.Noted {
		h.LastRun.Options = m.Options
	}
	if !h.notesAll() {
		if h.stated, err = stated(f); err != nil {
			return err
		}
	}
	// Usually the large manifest is not read. Rows that wait could make up for lost ones.
	if len(m.Units) <= len(h.Rows)-len(h.Waiting) {
		return nil
	}
	h.Lost, err = lostUnits(f, h.Rows)
	return err
}

// Divide notes the files of all rows, and their ranges if they were divided by the rules that division names.
func (h *Folder) Divide(division string) {
	for _, r := range h.Rows {
		h.add(r, division)
	}
}

// Names reports whether a unit has this file by this name, or a group in this folder.
func (h *Folder) Names(name string) bool { return h.names[name] }

// Has reports whether a unit has this file, by any of its names, or a group in this folder.
func (h *Folder) Has(name string, w World) bool {
	if h.names[name] {
		return true
	}
	// Real paths cost a call of the system for each file.
	if h.ids == nil {
		h.ids = map[string]bool{}
		for _, r := range h.Rows {
			for _, in := range r.Inputs {
				if !nothingOf(r.UnitResult, in) {
					h.ids[w.ID(r.Dir, schemas.Range{File: in.File})] = true
				}
			}
		}
	}
	return h.ids[w.ID("", schemas.Range{File: name})]
}

// OptionsOf returns the options that made a unit, or nil if unknown. For merged and adopted units, the manifest has
// them.
func (h *Folder) OptionsOf(r ledger.Row) map[string]any {
	if len(h.stated) > 0 {
		if made := h.stated[ledger.UnitOfKey(r.Key)]; made != nil {
			return made
		}
	}
	return h.notedOptions(r.Options)
}

// notedOptions returns the options with this key, or nil if unknown. Without a note, a single command of an earlier
// version wrote the folder, so its manifest speaks for all units.
func (h *Folder) notedOptions(key string) map[string]any {
	if made, ok := h.LastRun.Made[key]; ok || h.Noted {
		return made
	}
	return h.LastRun.Options
}

// Made returns the options that made the units, by the keys of options in their rows.
func (h *Folder) Made() map[string]map[string]any {
	made := map[string]map[string]any{}
	for _, r := range h.Rows {
		options := h.OptionsOf(r)
		// Units without a key may have been made with different options.
		if r.Options == "" {
			options = h.notedOptions("")
		}
		// Options of earlier versions' units are unknown.
		if options != nil {
			made[r.Options] = options
		}
	}
	return made
}

// notesAll reports whether the note has the options of all units.
func (h *Folder) notesAll() bool {
	for _, r := range h.Rows {
		if _, noted := h.LastRun.Made[r.Options]; !noted || r.Options == "" {
			return false
		}
	}
	// Units with different limits have the same key of options.
	return h.Noted && h.LastRun.Options["limit"] == nil
}

// Describe describes the content of the folder, in captures if there are no documents: "its 5 documents in 2 units".
func (h *Folder) Describe() string {
	var documents, captures int64
	for _, r := range h.Rows {
		documents, captures = documents+r.Documents, captures+r.Captures
	}
	if documents == 0 {
		return fmt.Sprintf("its %s in %s", cli.Plural(captures, "capture"), cli.Plural(len(h.Rows), "unit"))
	}
	return fmt.Sprintf("its %s in %s", cli.Plural(documents, "document"), cli.Plural(len(h.Rows), "unit"))
}

// add notes a row's files, and its ranges if they were divided by this run's rules.
func (h *Folder) add(r ledger.Row, division string) {
	for _, in := range r.Inputs {
		if !nothingOf(r.UnitResult, in) {
			h.names[in.File] = true
		}
		if in.Unreadable != "" {
			continue // counts as new
		}
		// Each walk makes groups again, an index is cheap to divide again, and ranges by other rules may not fit
		// together.
		if r.Division != division || in.Group != nil || in.Lookup != nil {
			continue
		}
		name := work.StampName(in)
		d := h.divided[name]
		if d == nil {
			d = &divided{stamp: r.Stamps[name]}
			h.divided[name] = d
		}
		// The file changed between two runs, so neither division can be trusted.
		d.odd = d.odd || d.stamp != r.Stamps[name]
		d.ranges = append(d.ranges, Planned(in))
	}
}

// Planned returns a range without what reading it has found, so that ranges compare equal.
func Planned(in schemas.Range) schemas.Range {
	in.Fingerprint, in.Next, in.Unreadable = "", 0, ""
	return in
}

// Known returns the ranges of an unchanged file, or nil if some are missing. So a plan need not open and search these
// archives again, which takes most of its time over an object store.
func (h *Folder) Known(f blob.Info) []schemas.Range {
	d := h.divided[f.Name]
	// An empty stamp means that the server gives none, so a change would go unnoticed.
	if d == nil || f.Group != nil || d.odd || d.stamp != f.Stamp || d.stamp == "" {
		return nil
	}
	slices.SortFunc(d.ranges, func(a, b schemas.Range) int { return cmp.Compare(a.Start, b.Start) })
	ranges := slices.Compact(d.ranges)
	// A killed run may have committed only some ranges, so they must be contiguous from byte 0.
	at, format := int64(0), ranges[0].Format
	for _, r := range ranges {
		if r.Start != at || r.End < r.Start || r.Format != format {
			return nil
		}
		at = r.End
	}
	// Archives must be covered up to their size; files that are not archives have an empty format and any end.
	if _, err := archive.ParseFormat(format); err != nil && format != "" || format != "" && at != f.Size {
		return nil
	}
	return ranges
}

// Move makes rows of runs in other folders rows of this one if their files have equal stamps: the folder was moved
// with its files. Files whose relative names are those of other files are an error.
func (h *Folder) Move(files []blob.Info, w World) error {
	names := map[string]blob.Info{}
	for _, f := range files {
		// Absolute names and URLs mean the same file everywhere.
		if !blob.IsRemote(f.Name) && !filepath.IsAbs(f.Name) {
			names[f.Name] = f
		}
	}
	for _, r := range h.Rows {
		for _, in := range r.Inputs {
			f, there := names[in.File]
			if !there || w.ID(r.Dir, in) == w.ID("", in) {
				continue
			}
			if name := work.StampName(in); r.Stamps[name] != f.Stamp {
				return cli.Usagef("%s is not the archive of that name which the folder has documents of: that was in %s. "+
					"Nothing was touched. Name archives by their whole paths", schemas.Printable(f.Name), schemas.Printable(r.Dir))
			}
			r.Dir = ""
			h.Rows[r.Key] = r
		}
	}
	return nil
}
