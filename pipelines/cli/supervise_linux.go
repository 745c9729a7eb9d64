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

// supervised, in the environment, says that the process has one above it that translates its exit code.
const supervised = "GLEANER_SUPERVISED"

// supervise has the command done by a child process where the system may refuse memory to a process (ulimit -v or -d,
// or no overcommitment): Go ends a process that gets none with exit code 2, which here means a wrong command line, and
// nothing in that process can keep it from doing so. The child's end is this process's end, and the other way round. It
// returns in the child, and where no memory is refused: there the system kills, and that is not an exit code.
func supervise() {
	// The note is taken out of the environment: processes that this one starts have none above them.
	if os.Getenv(supervised) != "" {
		_ = os.Unsetenv(supervised) // which fails for malformed names only
		exitUsage = exitUsageBelow
		return
	}
	if !memoryIsRefused() {
		return
	}
	runtime.LockOSThread() // the child is killed when the thread ends that started it
	// The link leads to the very program, also when its file was replaced or moved.
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Args[0] = os.Args[0]
	child.Env = append(os.Environ(), supervised+"=1")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The child dies with this process, also when that is killed.
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 2)
	// From here on signals do not end this process, so that it outlives its child.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if child.Start() != nil {
		signal.Stop(signals)
		runtime.UnlockOSThread()
		return // it is done here, with the exit codes of Go
	}
	go forward(signals, child.Process)
	_ = child.Wait() // how it ended is in its state
	os.Exit(translate(child.ProcessState))
}

// forward passes signals on, except for an interrupt that the terminal has sent to the child as well.
func forward(signals <-chan os.Signal, child *os.Process) {
	for s := range signals {
		// A terminal sends it to all processes in the foreground.
		if s == os.Interrupt && term.IsTerminal(int(os.Stdin.Fd())) {
			continue
		}
		_ = child.Signal(s) // it may have ended
	}
}

// translate makes a child's end an exit code of Main.
func translate(state *os.ProcessState) int {
	switch code := state.ExitCode(); code {
	case exitUsageBelow:
		return ExitUsage
	case ExitDone, ExitFailed, ExitLosses, exitPipe:
		return code
	}
	// Whatever else it is, the child did not end by itself.
	slog.Error("ended by the system or by the Go runtime, as said above; the units that were finished are kept: "+
		"raise the limit on memory (ulimit -v) or lower --workers, and run the same command again to go on", "end",
		state.String())
	return ExitFailed
}

// memoryIsRefused reports whether the system may say no to a process that asks for memory.
func memoryIsRefused() bool {
	// Only these two make a request for memory fail.
	for _, kind := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var limit unix.Rlimit
		if unix.Getrlimit(kind, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
			return true
		}
	}
	// 2 is "no overcommitment": see proc(5).
	mode, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return err == nil && len(mode) > 0 && mode[0] == '2'
}
