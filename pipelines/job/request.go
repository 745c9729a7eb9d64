package job

import (
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Request is what somebody asks for: which archives are read, how, and where what is made of them goes.
type Request struct {
	Options  Options
	Inputs   []string       // archives: files, folders, patterns, lists, URLs
	Stdin    io.Reader      // a list, where "-" names one
	Indexes  []string       // capture indexes, whose lines say what is read
	Lookup   schemas.Lookup // of them
	Runner   string
	UnitSize int64 // compressed bytes
	Fresh    bool  // remove what an earlier run has written
	Shown    bool  // the plan is only shown, also for a folder that the run would refuse
	Keep     Keeping
	Schedule Schedule
	Prices   Prices

	// What the job has in the process that asks for it. Nothing of it goes to other processes.
	Log      *slog.Logger                                     // where it says what there is to say; slog.Default when nil
	Counters *cli.Counters                                    // that tell how far it is; its own when nil
	Progress func(c *cli.Counters, bytes int64) (stop func()) // shows them while units are done; nil for no showing
}

// Prices are what an hour of a worker of Dataflow costs, for what a plan prints; 0 when it is not known.
type Prices struct {
	VCPUHour float64
	GBHour   float64 // of memory
}

// showSample writes a share as query.ParseShare reads it.
// It is for messages, and for comparing what was asked for.
func showSample(parts int64) string {
	if parts == 0 {
		return "100%"
	}
	return strconv.FormatFloat(float64(parts)/1e4, 'f', -1, 64) + "%"
}

// Keeping says what becomes of units in the folder whose archives a command does not find. A run removes nothing that
// another has made unless it is asked to.
// Removing is never a side effect: an archive that is not found may
// be out of reach for an hour, and its documents took long to make.
type Keeping struct {
	Add         bool // other archives than those which the folder has
	Prune       bool // remove units of archives that are gone
	Compression bool // the compression was asked for, and is not the default
}

// isTopic reports whether an argument names a topic, and not archives.
// Topics are asked for among the inputs, by URLs of their own.
func isTopic(arg string) bool { return strings.HasPrefix(arg, schemas.TopicScheme) }

// isLocal reports whether an argument names something in the file system.
func isLocal(arg string) bool { return !blob.IsRemote(arg) && !isTopic(arg) }

// Schedule says what a command does that is run again and again over archives that grow. By default it does all that is
// new, changed or stale. What is stale was made with other versions of the transforms.
type Schedule struct {
	OnlyNew bool   // keep what is stale
	Stale   bool   // begin no archive that the folder does not have
	Since   string // leave archives alone that were modified before: a date, a time, or how long ago
}

// picks reports whether some of what would be done is left.
func (s Schedule) picks() bool { return s.OnlyNew || s.Stale || s.Since != "" }
