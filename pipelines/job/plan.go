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

// Plan is what a run is going to do.
// It has two kinds of units: those that the command has found (own), and those of the folder that stay
// beside them (stays). Both are in Units, where a unit's ID is its index, as it is in keys.
type Plan struct {
	*work.Inputs
	request Request // as it was made
	log     *slog.Logger
	options Options // of the request, with what is in the folder
	asked   holdings.Asked
	held    *held
	keeper  *keeper
	stays   map[int]collection.Row // units that stay as they are, by their numbers
	chooser chooser
	keys    []string      // of the units, as this run would make them
	takes   map[int]int64 // of how many of a unit's captures something is made, where that is less than all
	todo    int           // how many of them are to be done
	refusal string        // why a run is refused, of a plan that is only shown
}

// keeper finds out which units of the folder stay beside those of a plan.
type keeper struct {
	// It is asked three times in a plan, once for each class of inputs, each
	// time when the files of that class are known and before they are divided.
	Keeping
	options Options
	held    *held
	scope   blob.Scope
	wd      string            // the working directory
	dirs    map[string]string // real paths of folders, by their names
	// What the command has found, as ids: a row all of whose files are in it is the plan's own business.
	today   map[string]bool // ids of the files that the command has found
	listed  []blob.Info
	stamps  map[string]string          // of today's, by work.StampName
	trimmed map[string]int64           // where partitions of topics begin now, by id
	frozen  []collection.Row           // that stay as they are
	waiting []string                   // keys of rows that are not the command's: see leaveWaiting
	taken   map[string][]schemas.Range // what those were made of, by id
	outcome outcome
	// A field, so that tests need no files that change. It is asked only of files whose stamp has changed.
	fresh func(ctx context.Context, in schemas.Range, stamp string) (bool, error)
}

// outcome says what becomes of units whose archives are not found.
type outcome struct {
	gone    int            // units that stay, of archives that are no longer there
	unnamed int            // units that stay, of archives that the command does not name
	other   int            // of both, those that were made with other options
	lacking map[string]int // and those without documents in a format that the folder has, by formats
	pruned  []collection.Row
	redone  int    // units that --prune has done again, without what is gone
	waiting int    // units of an interrupted run whose archives the command does not name
	waits   string // one of these archives
	removed int64  // captures in those that are gone
}

// held is what the output folder has when a run is planned: that saves looking into archives which have not changed
// since they were divided, and tells what is new.
// It is read without the folder's lock and not changed later, but for the
// folders of rows: see clash. Run checks again whether it still holds.
type held struct {
	// compared by stillHolds, so that a plan is not carried out on another folder than it was made for
	keys    []string                  // of all rows, sorted
	rows    map[string]collection.Row // by their keys
	names   map[string]bool           // of files, and of folders of groups, that units are of
	divided map[string]*divided       // by work.StampName
	twins   map[string]collection.Row // the same by hashes of ranges and options: whatever versions made them
	// waiting are the keys of rows that the manifest does not name, of a run that was interrupted.
	waiting map[string]bool

	standing standing
}

// divided are the ranges of a file and what its stamp was.
// Ranges are of one file, as several units may have them, in any order until known sorts them.
type divided struct {
	stamp  string
	ranges []schemas.Range
	odd    bool // units do not agree on the stamp
}

// leftover is a row of which some files are not among those of the command.
// Its ids are without doubles, although a unit may have several ranges of a file.
type leftover struct {
	collection.Row
	// of all files that it was read from; of joined records, of those that have their segments
	ids  []string
	left []string // those of ids that the command has not found
}

// standing is what is in the folder before a run: what the last one was asked for, and whether it was finished.
type standing struct {
	asked    holdings.Asked
	known    bool // whether anybody has noted what was asked for
	whole    bool // whether there is a collection: some run has finished
	finished bool // whether the last run has
	options  standingOptions
}

// standingOptions are Options.lasting as they were noted.
// The names are those of Options.changing, which writes them.
// A field that an old note does not have is its zero value.
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

	// Not in the JSON under a name of its own: it is read from what the sinks have noted.
	sent bool // whether documents were sent to servers
}

// defaultInput is what is read when nothing is named: the archives that the project ships.
const defaultInput = "testdata/archives"

// own are the units that the command itself has found.
// What is estimated, surveyed and checked is theirs; units that stay cost nothing.
func (p *Plan) own() []schemas.Unit {
	var list []schemas.Unit
	for _, u := range p.Units {
		if _, stays := p.stays[u.ID]; !stays {
			list = append(list, u)
		}
	}
	return list
}

// timesOf are when the unit's files were modified.
func (p *Plan) timesOf(u schemas.Unit) []time.Time {
	var times []time.Time
	for _, in := range u.Inputs {
		times = append(times, p.Times[work.StampName(in)])
	}
	return times
}

// has reports whether a unit is of this file, or of a group in this folder.
func (h *held) has(f blob.Info) bool { return h.names[f.Name] }

// tasks are the units, whose keys are p.keys by their numbers, with all that a worker needs.
// Stamps let the worker open each file only in the version that was planned.
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
