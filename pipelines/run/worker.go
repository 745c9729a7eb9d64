//go:build !local

package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// workerHook is the name of what Beam calls in each worker before it works, with the submitter's working folder.
const workerHook = "gleaner:worker"

// Beam finds hooks by name in the worker, so that they have to be there before it starts.
func init() {
	hooks.RegisterHook(workerHook, func(args []string) hooks.Hook {
		return hooks.Hook{Init: func(ctx context.Context) (context.Context, error) { return ctx, enter(ctx, args) }}
	})
}

// enter makes the submitter's working folder the worker's, so that relative names mean the same in both. A worker on a
// machine without this folder goes on: names may be URLs, and those that are not are an error where they are used.
func enter(ctx context.Context, args []string) error {
	if isWorker() {
		sweepBoot()
	}
	if len(args) != 1 {
		return nil
	}
	// The submitter may be on another machine; see the comment of enter.
	if err := os.Chdir(args[0]); err != nil {
		beamlog.Warnf(ctx, "relative names will not be found: %v", err)
	}
	return nil
}

// isWorker reports whether this process was started by a runner, to work. For use after the flags were parsed.
func isWorker() bool { return flagValue("worker") == "true" }

// sweepBoot removes what Beam's boot program (v2.77) made for this process and leaves behind: a copy of the program,
// and what it fetched, where docs/clusters/flink/start gave it a folder. Linux keeps the file of what it runs. A file
// too many is not a reason not to work.
func sweepBoot() {
	if self, err := os.Executable(); err == nil && bootCopy.MatchString(self) {
		_ = os.RemoveAll(filepath.Dir(self))
	}
	if dir := flagValue("semi_persist_dir"); startFolder.MatchString(dir) {
		_ = os.RemoveAll(dir)
	}
}

var (
	bootCopy    = regexp.MustCompile(`^/tmp/bin[0-9]+/worker$`)             // where boot copies the program
	startFolder = regexp.MustCompile(`^/.*/gleaner-worker-[0-9A-Za-z]{8}$`) // mktemp's
)

// startWorker ends this worker with the program that started it, boot, which runners kill when a job ends: Beam (v2.77)
// would let the worker sleep forever. A task manager that is killed itself kills nobody: so boot, which waits for this
// worker, is ended with the process that started it.
func startWorker() {
	boot := os.Getppid()
	runner, err := parentOf(boot)
	if err != nil {
		runner = 0 // where /proc is not to be had, boot is not looked after
	}
	go endWith(boot, os.Getppid, func() { os.Exit(cli.ExitFailed) })
	if runner != 0 {
		go endWith(runner, func() int { return parentOr(boot, runner) }, func() { endBoot(boot) })
	}
}

// parentInterval is how often a worker looks for the process that started it.
const parentInterval = time.Second

// endWith calls end when now returns another parent than the one given.
func endWith(parent int, now func() int, end func()) {
	for now() == parent {
		time.Sleep(parentInterval)
	}
	end()
}

// parentOr is parentOf a process, or what it was where that cannot be told.
func parentOr(process, was int) int {
	if now, err := parentOf(process); err == nil {
		return now
	}
	return was
}

// parentOf is the process that another was started by, or that has taken its place.
func parentOf(process int) (int, error) {
	// The fields behind the name, which is in brackets and may hold anything: state and parent (proc_pid_stat(5)).
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0, err
	}
	var state string
	var parent int
	_, err = fmt.Sscan(string(data[bytes.LastIndexByte(data, ')')+1:]), &state, &parent)
	return parent, err
}

// endBoot ends the boot program that has lost its runner, if it still is this worker's parent, and the worker with it.
func endBoot(boot int) {
	if os.Getppid() == boot {
		if p, err := os.FindProcess(boot); err == nil {
			_ = p.Kill() // it has ended else
		}
	}
	os.Exit(cli.ExitFailed)
}
