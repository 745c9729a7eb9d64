package jobs

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// own puts a process in a group of its own, so that it can be ended with all processes that it starts. It also has the
// process asked to end when the server is gone.
func own(cmd *exec.Cmd) {
	// Pdeathsig is sent when the thread that started the process ends (see child). It also works if the server is
	// killed by kill -9.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// ask interrupts a process; commands clean up then. A process ends its own children.
func ask(cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) } // the process may have ended

// kill ends a process and all processes that it started. A negative number means the group (kill(2)), which own has
// set.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // the process may have ended

// began returns the start of a process, in ticks since the machine started (field 22 of proc_pid_stat(5)). It returns
// 0 if the process does not exist.
func began(pid int) uint64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may contain anything. It is cut off at the last parenthesis, since no
	// later field has one.
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')'):]), ") ")
	// The rest begins with field 3, so field 22 is the twentieth.
	fields := strings.Fields(rest)
	if len(fields) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(fields[19], 10, 64) // 0 for anything but a number
	return n
}

// await waits until a process that an earlier server started has ended. That process was asked to end when its server
// ended.
func await(ctx context.Context, pid int, since uint64) {
	// The system reuses process numbers; the start time shows whether it is the same process.
	is := func() bool { return pid > 0 && since > 0 && began(pid) == since }
	for start := time.Now(); is(); {
		// The signal that own set has asked it to end. A process that does not end would keep the collection's lock
		// forever.
		if time.Since(start) > patience {
			_ = syscall.Kill(-pid, syscall.SIGKILL) // it has a group of its own: see own
		}
		select {
		case <-ctx.Done():
			return
		// It is checked five times a second, since it is not a child of this process and cannot be waited for.
		case <-time.After(200 * time.Millisecond):
		}
	}
}
