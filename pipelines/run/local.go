//go:build local

package run

import (
	"context"
	"errors"
	"strings"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// A program built with -tags local has one runner, this process, and asks nothing of others. The other files document
// these functions.

const runnerHelp = "what runs the work: local (this process, all cores). The others are Beam's, and not in this " +
	"program, which was built with -tags local"

// Runners returns the values of --runner.
func Runners() []string { return []string{DefaultRunner} }

// Init must run before any work. It does not return in a process that reads documents for another.
func Init() {
	docsandbox.Main()
	cli.UseLog()
}

// CheckRunner returns a UsageError for a wrong runner.
func CheckRunner(runner string) error {
	if runner == DefaultRunner {
		return nil
	}
	return cli.Usagef("--runner=%s: there is %s; %s", runner, strings.Join(Runners(), ", "), cli.LeftOut)
}

// CheckEndpoint returns nil, since there is no job server.
func CheckEndpoint(string) error { return nil }

// CheckWaits returns nil, since this process ends with its work.
func CheckWaits() error { return nil }

// InProcess returns true: this process does all work.
func InProcess(string) bool { return true }

// Alone returns true.
func Alone(string) bool { return true }

// DryRun returns false, since there is no job to show.
func DryRun() bool { return false }

// Detached returns false.
func Detached() bool { return false }

// JobEnded returns an error, because it cannot ask about a job of another program.
func JobEnded(context.Context, []byte, bool) error {
	return errors.New("a job that was sent to a cluster has this folder; whether it has ended cannot be asked here: " +
		cli.LeftOut)
}

// Counting returns emit, since the runner has no counters.
func Counting(_ context.Context, _ string, emit func([]byte)) func([]byte) { return emit }

func remoteFlags(*cli.Flags) {}

func isWorker() bool { return false }
