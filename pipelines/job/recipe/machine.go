package recipe

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/tokenfile"
)

// Machine says where the output goes, and what a machine gives to the run. It changes no byte of the output.
type Machine struct {
	Output    string
	Remote    blob.Options
	Workers   int    // captures that a process enriches at once; 0 for one per CPU of its machine
	Memory    int64  // heap limit of a process in bytes, or 0 for the default
	Elsewhere bool   // workers on other machines do the work and limit their own memory
	Sources   string // a database made by `sources --sqlite`, which fills the source_* fields of Datastreamer's records
	// Plugs are commands of extractors in child processes: see package plug. Recipe.Extract has their names, and
	// versions of units have theirs.
	Plugs       []string
	PlugTimeout time.Duration // for an answer
	Tokens      string        // file of a tokenizer, or "": see package tokenfile. Recipe.Extract has its extractor
}

// OpenPlugs starts the plugs that this process does not have yet, and opens the tokenizer. It returns the names of
// their extractors.
func (m Machine) OpenPlugs() (names []string, err error) {
	for _, command := range m.Plugs {
		name, err := plug.Register(command, plug.Options{Processes: cli.Workers(m.Workers), Timeout: m.PlugTimeout})
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if m.Tokens != "" {
		name, err := tokenfile.Register(m.Tokens)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// The default heap limit: language models and tables, and for each worker a page with its trees. The collector takes no
// more time below it than below three times as much (docs/benchmarks.md).
const (
	baseMemory   = 32 << 20
	workerMemory = 32 << 20
)

// LimitMemory sets the heap limit of this process. The default rises while large pages need more.
func (m Machine) LimitMemory() {
	if m.Memory > 0 {
		cli.SetMemoryLimit(m.Memory)
		return
	}
	cli.GrowMemory(baseMemory + int64(cli.Workers(m.Workers))*workerMemory)
}

// WrapOutput is a variable so that tests can make outputs fail.
var WrapOutput = func(f folder.Folder) folder.Folder { return f }

// OpenFolder opens the output for a generation, or to read it, for none.
func (m Machine) OpenFolder(ctx context.Context, g claim.Generation) folder.Folder {
	return WrapOutput(batch.Output(ctx, m.Output, m.Remote, g))
}
