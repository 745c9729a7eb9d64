package cli

import (
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// supervised, in the environment, means that a parent translates the exit code.
const supervised = "GLEANER_SUPERVISED"

// supervise runs the command in a child process if the system may refuse memory (ulimit -v or -d, or no
// overcommitment). Go would end such a process with exit code 2, which here means a usage error. Parent and child end
// together. It returns in the child, and if the system does not refuse memory.
func supervise() {
	// Unset, because this process's children have no supervisor.
	if os.Getenv(supervised) != "" {
		_ = os.Unsetenv(supervised) // fails only for malformed names
		exitUsage = exitUsageBelow
		return
	}
	if !memoryIsRefused() {
		return
	}
	runtime.LockOSThread() // the child dies with the thread that started it
	// The link leads to this program, even if its file was replaced or moved.
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Args[0] = os.Args[0]
	child.Env = append(os.Environ(), supervised+"=1")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The child dies with this process, even if killed.
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 2)
	// From here on signals do not end this process, so it outlives its child.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if child.Start() != nil {
		signal.Stop(signals)
		runtime.UnlockOSThread()
		return // continue here, with Go's exit codes
	}
	go forward(signals, child.Process)
	_ = child.Wait() // the state has the result
	os.Exit(translate(child.ProcessState))
}

// forward passes signals on, except interrupts that the terminal has sent to the child too.
func forward(signals <-chan os.Signal, child *os.Process) {
	for s := range signals {
		if s == os.Interrupt && term.IsTerminal(int(os.Stdin.Fd())) {
			continue
		}
		_ = child.Signal(s) // it may have ended
	}
}

// translate returns the exit code of Main for a child's end.
func translate(state *os.ProcessState) int {
	switch code := state.ExitCode(); code {
	case exitUsageBelow:
		return ExitUsage
	case ExitDone, ExitFailed, ExitLosses, exitPipe:
		return code
	}
	// The system or the runtime ended the child.
	slog.Error("ended by the system or by the Go runtime, as said above; the units that were finished are kept: "+
		"raise the limit on memory (ulimit -v) or lower --workers, and run the same command again to go on", "end",
		state.String())
	return ExitFailed
}

// memoryIsRefused reports whether the system may refuse memory to a process.
func memoryIsRefused() bool {
	// Only these two limits make allocations fail.
	for _, kind := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var limit unix.Rlimit
		if unix.Getrlimit(kind, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
			return true
		}
	}
	// 2 means no overcommitment: see proc(5).
	mode, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return err == nil && len(mode) > 0 && mode[0] == '2'
}
