// Package run is what the commands that run a pipeline share, over package cli: the runners, their flags and workers,
// Dataflow, metrics and profiles. It is the only package that names a runner. It knows nothing of archives or of any
// one pipeline.
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
// The runners are those of Apache Beam's Go SDK, version 2.77, and local, which is this process. A program that is
// built with -tags local has local alone, for commands whose work can be done without Beam (see batch.RunLocal), and
// nothing of Beam is linked.
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

// The runners that the code asks for by name.
const (
	Local         = "local"    // this process; without Beam where the work needs no graph, see package batch
	Direct        = "direct"   // Beam's direct runner: the graph of the other runners in this process
	DefaultRunner = Local      // of commands that are not told another
	Dataflow      = "dataflow" // Google Cloud Dataflow
)

// Main runs a command that runs a pipeline: see cli.Main. In a process that reads documents for another one (see
// docsandbox.Main) it does that, and does not run the command.
// A document is read by a process of its own, which is this program again: it must not look at flags.
func Main(v cli.Verb) {
	docsandbox.Main()
	v.Main()
}

// MainOf is Main for a program of several commands. Runners start workers by flags alone, without a command's name.
func MainOf(p cli.Program) {
	docsandbox.Main()
	// A verb is expected where the boot program puts flags, so that workers are told before that.
	if len(os.Args) > 1 && startsWorker(os.Args[1:]) {
		flag.Parse()
		Init() // does not return
	}
	p.Main()
}

// startsWorker reports whether the arguments are those by which Beam's boot program starts a worker.
// Flags may have one dash or two.
func startsWorker(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == "worker=true" })
}

// CheckShown is a UsageError if a job is to be shown by a command that cannot, because its job depends on what it
// writes before.
func CheckShown() error {
	if DryRun() {
		return cli.Usagef("--dry_run is not for this command, which writes to its output before it sends a job")
	}
	return nil
}

// CheckReach is a UsageError if workers of the runner do not reach one of the names, which is a path of this machine.
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

// Flags are the flags of a command that runs a pipeline: its own, those of package cli, and those of the runners, which
// Beam's packages register on flag.CommandLine.
// Those of Beam are on the global set because Beam puts them there.
type Flags struct {
	*cli.Flags
	set     *flag.FlagSet
	runner  string
	monitor monitor
}

// internal are the flags by which runners call a worker, which nobody types.
var internal = []string{"worker", "id", "logging_endpoint", "control_endpoint", "semi_persist_dir", "options"}

// NewFlags makes a command's flags on set, which is flag.CommandLine for a command, with those that all pipelines have.
// The log's flags are those of package cli; here they only get their place in the help.
func NewFlags(set *flag.FlagSet, c cli.Command) *Flags {
	return newFlags(set, c, setting.Setting{Default: DefaultRunner, Help: runnerHelp})
}

// NewOptionalFlags is NewFlags for a command that does without a pipeline unless it is told a runner: Runner is empty
// then, and Beam is not started, which help is to say.
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

// Runner is the runner that was chosen, after Parse. Google's launchers and tools know Dataflow by the name that it has
// in Beam's other SDKs.
func (f *Flags) Runner() string {
	if f.runner == "DataflowRunner" {
		return Dataflow
	}
	return f.runner
}

// Parse is that of cli.Flags. With flag.CommandLine it then starts Beam, see Init: in a worker's process it does not
// return. Last it opens the ports by which the run is watched.
// A set of its own is for tests, which start Beam themselves.
func (f *Flags) Parse(args []string) error {
	if err := f.Flags.Parse(args); err != nil || f.set != flag.CommandLine {
		return err
	}
	if f.runner != "" || isWorker() {
		Init()
	}
	return f.monitor.start()
}

// flagValue is the value of a flag that another package registered on flag.CommandLine.
func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}
