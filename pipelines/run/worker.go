//go:build !local

package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// workerHook names the hook that Beam calls in each worker before it works, with the submitter's folder.
const workerHook = "gleaner:worker"

// Beam finds hooks by name in the worker, so they must be registered early.
func init() {
	hooks.RegisterHook(workerHook, func(args []string) hooks.Hook {
		return hooks.Hook{Init: func(ctx context.Context) (context.Context, error) { return ctx, enter(ctx, args) }}
	})
}

// enter changes to the submitter's folder, so that relative names mean the same. It continues without the folder:
// names may be URLs, and other names cause errors later.
func enter(ctx context.Context, args []string) error {
	if isWorker() {
		sweepBoot()
	}
	if len(args) != 1 {
		return nil
	}
	if err := os.Chdir(args[0]); err != nil {
		beamlog.Warnf(ctx, "relative names will not be found: %v", err)
	}
	return nil
}

// isWorker reports whether a runner started this process as a worker. Call it after parsing the flags.
func isWorker() bool { return flagValue("worker") == "true" }

// sweepBoot removes files of Beam's boot program (v2.77) for this process: a copy of the program, and what it fetched
// into the folder of docs/clusters/flink/start. Linux keeps a running program's file. Errors are ignored.
func sweepBoot() {
	if self, err := os.Executable(); err == nil && bootCopy().MatchString(self) {
		_ = os.RemoveAll(filepath.Dir(self))
	}
	if dir := flagValue("semi_persist_dir"); startFolder().MatchString(dir) {
		_ = os.RemoveAll(dir)
	}
}

var (
	bootCopy    = pattern.Lazy(`^/tmp/bin[0-9]+/worker$`)             // boot's copy of the program
	startFolder = pattern.Lazy(`^/.*/gleaner-worker-[0-9A-Za-z]{8}$`) // mktemp's
)

// startWorker ends this worker with boot, its parent, which runners kill when a job ends. Beam (v2.77) would let the
// worker sleep forever. A killed task manager kills no boot, so this also ends boot with the process that started it.
func startWorker() {
	boot := os.Getppid()
	runner, err := parentOf(boot)
	if err != nil {
		runner = 0 // without /proc, boot is not watched
	}
	go endWith(boot, os.Getppid, func() { os.Exit(cli.ExitFailed) })
	if runner != 0 {
		go endWith(runner, func() int { return parentOr(boot, runner) }, func() { endBoot(boot) })
	}
}

// parentInterval is how often a worker checks its parent.
const parentInterval = time.Second

// endWith calls end when now returns another parent.
func endWith(parent int, now func() int, end func()) {
	for now() == parent {
		time.Sleep(parentInterval)
	}
	end()
}

// parentOr returns the parent of a process, or was if unknown.
func parentOr(process, was int) int {
	if now, err := parentOf(process); err == nil {
		return now
	}
	return was
}

// parentOf returns the parent of a process, which may have changed since its start.
func parentOf(process int) (int, error) {
	// The fields after the name in brackets: state and parent (proc_pid_stat(5)).
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0, err
	}
	var state string
	var parent int
	_, err = fmt.Sscan(string(data[bytes.LastIndexByte(data, ')')+1:]), &state, &parent)
	return parent, err
}

// endBoot kills the boot program that has lost its runner, if it is still the parent, and ends this worker.
func endBoot(boot int) {
	if os.Getppid() == boot {
		if p, err := os.FindProcess(boot); err == nil {
			_ = p.Kill() // it may have ended
		}
	}
	os.Exit(cli.ExitFailed)
}
