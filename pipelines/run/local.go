//go:build local

package run

import (
	"context"
	"errors"
	"strings"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// What a program has that is built with -tags local: one runner, which is this process, and nothing that is asked of
// others. The functions are those of the other files, whose comments say what they do.

const runnerHelp = "what runs the work: local (this process, all cores). The others are Beam's, and not in this " +
	"program, which was built with -tags local"

// Runners are the names that --runner takes.
func Runners() []string { return []string{DefaultRunner} }

// Init does what has to be done before any work: in a process that reads documents for another it does not return.
func Init() {
	docsandbox.Main()
	cli.UseLog()
}

// CheckRunner says what is wrong with a runner's name, as a UsageError.
func CheckRunner(runner string) error {
	if runner == DefaultRunner {
		return nil
	}
	return cli.Usagef("--runner=%s: there is %s; %s", runner, strings.Join(Runners(), ", "), cli.LeftOut)
}

// CheckEndpoint asks nobody: there is no job server.
func CheckEndpoint(string) error { return nil }

// InProcess reports that all work is done by this process.
func InProcess(string) bool { return true }

// Alone reports the same.
func Alone(string) bool { return true }

// DryRun tells that there is no job that could be shown.
func DryRun() bool { return false }

// Detached tells that no job goes on without this process.
func Detached() bool { return false }

// JobEnded cannot ask about a job that another program has sent from the folder: it is an error.
func JobEnded(context.Context, []byte, bool) error {
	return errors.New("a job that was sent to a cluster has this folder; whether it has ended cannot be asked here: " +
		cli.LeftOut)
}

// Counting has no counters of a runner to count in.
func Counting(_ context.Context, _ string, emit func([]byte)) func([]byte) { return emit }

func remoteFlags(*cli.Flags) {}

func isWorker() bool { return false }
