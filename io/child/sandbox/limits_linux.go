package sandbox

import (
	"fmt"
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// program returns a path of this program, which works even if its file was replaced or removed.
func program() string { return "/proc/self/exe" }

// keepFiles marks inherited open files, so that children do not get them. Files opened by Go have this mark anyway.
func keepFiles() {
	_ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) // fails before Linux 5.11; then children inherit them
}

// attributes returns those of a child: it dies with its parent and gets no interrupts from the terminal.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// restrict sets the limits of this process, which is a child.
func restrict(memory uint64) error {
	limits := []struct {
		name     string
		resource int
		value    uint64
	}{
		{"data", unix.RLIMIT_DATA, memory},
		{"core", unix.RLIMIT_CORE, 0},
		{"file size", unix.RLIMIT_FSIZE, 0}, // pipes are not files
		{"open files", unix.RLIMIT_NOFILE, 32},
	}
	for _, l := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
		value := min(l.value, now.Max) // only root may raise the hard limit
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: value, Max: value}); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
	}
	return nil
}

// processClock returns a clock of the CPU time of a process, or of wall time if the kernel does not tell it.
func processClock(pid int) func() time.Duration {
	id := int32(^pid<<3 | 2) // MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return sinceNow()
	}
	return func() time.Duration {
		if unix.ClockGettime(id, &t) != nil {
			return 0 // it has ended
		}
		return time.Duration(t.Nano())
	}
}
