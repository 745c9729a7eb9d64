package job

import (
	"context"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// Plan is the work of a run. It has the units that the command has found (own) and those of the folder that stay
// (stays). Both are in Units, where a unit's ID is its index, as it is in keys.
type Plan struct {
	*work.Inputs
	request Request // as it was made
	log     *slog.Logger
	options Options // of the request, completed from the folder
	asked   holdings.Asked
	held    *held
	keeper  *keeper
	stays   map[int]collection.Row // units that stay as they are, by ID
	chooser chooser
	keys    []string      // the keys that this run would give the units
	takes   map[int]int64 // how many captures of a unit are taken, if not all
	todo    int           // how many units are to be done
	refusal string        // why a run would be refused, if the plan is only shown
}

// keeper finds the units of the folder that stay beside those of a plan.
type keeper struct {
	// It is called once for each class of inputs, after their files are found and before they are divided.
	Keeping
	options Options
	held    *held
	scope   blob.Scope
	wd      string            // the working directory
	dirs    map[string]string // real paths of folders, by their names
	// IDs of the files that this command found. A row whose files are all here is planned as usual.
	today   map[string]bool
	listed  []blob.Info
	stamps  map[string]string          // of today's files, by work.StampName
	trimmed map[string]int64           // first retained offsets of topic partitions, by id
	frozen  []collection.Row           // rows that stay
	waiting []string                   // keys of rows that wait for their own command: see leaveWaiting
	taken   map[string][]schemas.Range // ranges of frozen rows, by id
	outcome outcome
	// A field so that tests need no files that change. It is called only for files whose stamp has changed.
	fresh func(ctx context.Context, in schemas.Range, stamp string) (bool, error)
}

// outcome counts what becomes of units whose archives were not found.
type outcome struct {
	gone    int            // units that stay, of archives that no longer exist
	unnamed int            // units that stay, of archives that the command does not name
	other   int            // of these, units made with other options
	lacking map[string]int // of these, units without a format of the folder, by format
	pruned  []collection.Row
	redone  int    // units that --prune does again without the missing archives
	waiting int    // units of an interrupted run whose archives the command does not name
	waits   string // one of these archives
	removed int64  // captures that redone units lose
}

// held is the content of the output folder when a run is planned. It shows which files are new, and saves opening
// unchanged archives. It is read without the folder's lock, and only clash changes it later. Run checks again whether
// it still holds.
type held struct {
	keys    []string                  // of all rows, sorted; see stillHolds
	rows    map[string]collection.Row // by key
	names   map[string]bool           // of files of units, and of folders of groups
	divided map[string]*divided       // by work.StampName
	twins   map[string]collection.Row // by a hash of ranges and options without versions
	// waiting are the keys of rows of an interrupted run, which the manifest does not name.
	waiting map[string]bool

	standing standing
}

// divided has the ranges of a file, from any number of units, and its stamp. known sorts the ranges.
type divided struct {
	stamp  string
	ranges []schemas.Range
	odd    bool // units have different stamps
}

// leftover is a row with the ids of its files, without duplicates.
type leftover struct {
	collection.Row
	// ids of all files that it was read from; for joined records, of the files with their segments
	ids  []string
	left []string // the ids that the command has not found
}

// standing describes the folder before a run: what the last run was asked for, and whether it finished.
type standing struct {
	asked    holdings.Asked
	known    bool // a run has noted what it was asked for
	whole    bool // a manifest exists: some run has finished
	finished bool // the last run has finished
	options  standingOptions
}

// standingOptions are Options.lasting read from a note; the names are those in Options.changing. Fields that an old
// note lacks are zero.
type standingOptions struct {
	Formats       []string          `json:"formats"`
	Compression   string            `json:"compression"`
	Extract       []string          `json:"extract"`
	Select        map[string]string `json:"select"`
	Accuracy      langid.Accuracy   `json:"language_accuracy"`
	MaxBody       int64             `json:"max_body"`
	MaxHead       int               `json:"max_head"`
	MaxRatio      int64             `json:"max_ratio"`
	SiteTemplates bool              `json:"site_templates"`
	Where         string            `json:"where"`
	Sample        int64             `json:"sample"`
	Limit         int64             `json:"limit"`
	Text          string            `json:"text"`
	Profile       string            `json:"profile"`
	Comments      string            `json:"comments"`
	Without       []string          `json:"without"`

	// sent is not in the note by this name; it follows from what the sinks have noted.
	sent bool // documents were sent to servers
}

// defaultInput is read when the command names nothing: the archives that the project ships.
const defaultInput = "testdata/archives"

// own returns the units that the command has found. Only these are estimated, surveyed and checked; units that stay
// cost nothing.
func (p *Plan) own() []schemas.Unit {
	var list []schemas.Unit
	for _, u := range p.Units {
		if _, stays := p.stays[u.ID]; !stays {
			list = append(list, u)
		}
	}
	return list
}

// timesOf returns when the unit's files were modified.
func (p *Plan) timesOf(u schemas.Unit) []time.Time {
	var times []time.Time
	for _, in := range u.Inputs {
		times = append(times, p.Times[work.StampName(in)])
	}
	return times
}

// has reports whether a unit has this file, or a group in this folder.
func (h *held) has(f blob.Info) bool { return h.names[f.Name] }

// tasks returns the units with all that a worker needs. Stamps let the worker open only the planned version of a
// file.
func (p *Plan) tasks(units []schemas.Unit) []task {
	list := make([]task, len(units))
	for i, u := range units {
		list[i] = task{Unit: u, Key: p.keys[u.ID], Stamps: p.StampsOf(u)}
		if take, cut := p.takes[u.ID]; cut {
			list[i].Take = &take
		}
	}
	return list
}
