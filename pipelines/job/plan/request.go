package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
)

// Request says which archives to read, how, and where the output goes.
type Request struct {
	recipe.Recipe
	recipe.Machine
	Inputs   []string       // archives: files, folders, patterns, lists, URLs
	Stdin    io.Reader      // the list that the name "-" means
	Indexes  []string       // capture indexes, whose lines name the records to read
	Lookup   schemas.Lookup // of the indexes
	Runner   string
	UnitSize int64 // compressed bytes
	Shard    Shard // the part of the plan that is done; zero for all
	Fresh    bool  // remove what an earlier run has written
	Shown    bool  // only show the plan, even if the run would be refused
	Keep     Keeping
	Schedule Schedule
	Prices   Prices

	// For the requesting process only; other processes get nothing of it.
	Log      *slog.Logger                                     // slog.Default if nil
	Counters *cli.Counters                                    // of the progress; the job's own if nil
	Progress func(c *cli.Counters, bytes int64) (stop func()) // shows the counters while units are done; may be nil
	// Done is called after a unit is committed, by several goroutines; may be nil. An error fails the run.
	Done func(ctx context.Context, out folder.Folder, r schemas.UnitResult) error
}

// Prices are the hourly prices of a Dataflow worker, for the cost that a plan prints; 0 means unknown.
type Prices struct {
	VCPUHour float64
	GBHour   float64 // of memory
}

// Keeping says what becomes of units whose archives a command does not find. By default they stay: an archive may be
// out of reach for an hour, and its documents took long to make.
type Keeping struct {
	Add         bool // add archives to those of the folder
	Prune       bool // remove units whose archives are gone
	Compression bool // the user chose the compression
	// WithoutSources adds records without fields of a database of sources to those that have them.
	WithoutSources bool
}

// Schedule limits what a repeated command does to growing archives. By default it does all units that are new,
// changed, or stale: made by other versions of the transforms.
type Schedule struct {
	OnlyNew bool   // keep stale units
	Stale   bool   // read no new archives
	Since   string // skip archives modified before this date, time or age
}

// picks reports whether the schedule skips any units.
func (s Schedule) picks() bool { return s.OnlyNew || s.Stale || s.Since != "" }

// defaultInput is read when the command names nothing: the archives that the project ships.
const defaultInput = "testdata/archives"

// Shard is a part of a plan, for commands that share its archives: number I of N, from 1. The zero value is the whole
// plan. It implements flag.Value.
type Shard struct{ I, N int }

// String returns it as users write it, 2/7.
func (s *Shard) String() string {
	if *s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// Set parses 2/7.
func (s *Shard) Set(text string) error {
	var i, n int
	if _, err := fmt.Sscanf(text, "%d/%d", &i, &n); err != nil || fmt.Sprintf("%d/%d", i, n) != text || i < 1 || i > n {
		return errors.New("it is a number and a count, as 2/7, from 1/7 to 7/7")
	}
	*s = Shard{i, n}
	return nil
}
