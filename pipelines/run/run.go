// Package run extends package cli for commands that run a pipeline: runners, their flags and workers, Dataflow,
// metrics and profiles. Only it names runners. It knows nothing of archives or single pipelines.
//
//	func main() { run.Main(cli.Verb{Name: "ingest", Do: ingest}) }
//
//	func ingest(ctx context.Context, args []string) (int, error) {
//		f := run.NewFlags(flag.CommandLine, cli.Command{Name: "ingest", Args: "[archive ...]", Summary: "…"})
//		var out string
//		f.Add([]setting.Setting{{Name: "out", Value: &out, Default: "out", Help: "folder to write to"}})
//		if err := f.Parse(args); err != nil {
//			return cli.ExitUsage, err
//		}
//		p := build(out)
//		_, err := run.Pipeline(ctx, p, f.Runner())
//		return cli.ExitDone, err
//	}
//
// The runners are those of Apache Beam's Go SDK 2.77, and local, which is this process. A program built with -tags
// local has only local, for commands that can work without Beam (see batch.RunLocal), and links nothing of Beam.
package run

import (
	"flag"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// The runners that code refers to by name.
const (
	Local         = "local"    // this process; without Beam if the work needs no graph, see package batch
	Direct        = "direct"   // Beam's direct runner: the other runners' graph in this process
	DefaultRunner = Local      // of commands without --runner
	Dataflow      = "dataflow" // Google Cloud Dataflow
)

// Main runs a command with a pipeline: see cli.Main. A process that reads documents for another (see docsandbox.Main)
// does that instead and must not parse flags.
func Main(v cli.Verb) {
	docsandbox.Main()
	v.Main()
}

// MainOf is Main for a program of several commands. Runners start workers with flags alone, without a command's name.
func MainOf(p cli.Program) {
	docsandbox.Main()
	// Workers have flags in the place of a verb.
	if len(os.Args) > 1 && startsWorker(os.Args[1:]) {
		flag.Parse()
		Init() // does not return
	}
	p.Main()
}

// startsWorker reports whether Beam's boot program starts a worker with these arguments. Flags may have one dash or
// two.
func startsWorker(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == "worker=true" })
}

// CheckShown returns a UsageError with --dry_run, for commands whose job depends on their earlier output.
func CheckShown() error {
	if DryRun() {
		return cli.Usagef("--dry_run is not for this command, which writes to its output before it sends a job")
	}
	return nil
}

// CheckReach returns a UsageError if workers of the runner cannot reach one of the names, a local path.
func CheckReach(runner string, names ...string) error {
	if runner != Dataflow {
		return nil
	}
	for _, name := range names {
		if !blob.IsRemote(name) {
			return cli.Usagef("%s is out of reach for the workers of --runner=%s: name what lies in gs://, s3:// or https://",
				name, runner)
		}
	}
	return nil
}

// Flags holds the flags of a command with a pipeline. It adds flags of pipelines to those of package cli, and
// includes the runners' flags, which Beam registers on flag.CommandLine.
type Flags struct {
	*cli.Flags
	set     *flag.FlagSet
	runner  string
	monitor monitor
}

// internal are flags that runners pass to workers.
var internal = []string{"worker", "id", "logging_endpoint", "control_endpoint", "semi_persist_dir", "options"}

// NewFlags makes a command's flags on set, which is flag.CommandLine for a command, with those of all pipelines.
func NewFlags(set *flag.FlagSet, c cli.Command) *Flags {
	return newFlags(set, c, setting.Setting{Default: DefaultRunner, Help: runnerHelp})
}

// NewOptionalFlags is NewFlags for a command that needs no pipeline unless --runner is given. Otherwise Runner is
// empty and Beam is not started. help must say so.
func NewOptionalFlags(set *flag.FlagSet, c cli.Command, help string) *Flags {
	return newFlags(set, c, setting.Setting{Help: help})
}

func newFlags(set *flag.FlagSet, c cli.Command, runner setting.Setting) *Flags {
	c.Others, c.Hidden = "Flags of the runners (documented by Apache Beam)", internal
	f := &Flags{Flags: cli.NewFlags(set, c), set: set}
	runner.Name, runner.Value, runner.Group = "runner", &f.runner, "Running"
	runner.Example = "flink --endpoint=localhost:8099"
	f.Add([]setting.Setting{runner})
	f.monitor.flags(f.Flags)
	f.LogFlags()
	f.DamageFlag()
	remoteFlags(f.Flags)
	return f
}

// Runner returns the chosen runner after Parse. DataflowRunner is the name in Beam's other SDKs, which Google's
// launchers use.
func (f *Flags) Runner() string {
	if f.runner == "DataflowRunner" {
		return Dataflow
	}
	return f.runner
}

// Parse parses the flags. With flag.CommandLine it then starts Beam, and in a worker does not return: see Init. Last
// it opens the ports for metrics and profiles. Tests use other sets.
func (f *Flags) Parse(args []string) error {
	if err := f.Flags.Parse(args); err != nil || f.set != flag.CommandLine {
		return err
	}
	if f.runner != "" || isWorker() {
		Init()
	}
	return f.monitor.start()
}

// flagValue returns the value of another package's flag on flag.CommandLine.
func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}
