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

// own makes a process the first of a group, so that it can be ended with all that it starts, and has it asked to end
// when the server is gone.
func own(cmd *exec.Cmd) {
	// Pdeathsig comes when the thread that started the process ends, see child; it works for a kill -9
	// of the server, too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// ask interrupts a process: commands clean up then. Its children are its own to end.
func ask(cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) } // it may have ended

// kill ends a process with all that it started.
// A negative number means the group (kill(2)), which own has made the process's own.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // likewise

// began is when a process began, in ticks since the machine did (field 22 of proc_pid_stat(5)); 0 when it is not there.
func began(pid int) uint64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold anything.
	// So it is cut off at the last parenthesis: nothing behind it has one.
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')'):]), ") ")
	// What is left begins with field 3, so field 22 is the twentieth.
	fields := strings.Fields(rest)
	if len(fields) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(fields[19], 10, 64) // 0 for what is not a number
	return n
}

// await waits until a process that an earlier server started has ended. It was asked to when that server ended.
func await(ctx context.Context, pid int, since uint64) {
	// A number of a process is used again by the system; its start reports whether it is the same one.
	is := func() bool { return pid > 0 && since > 0 && began(pid) == since }
	for start := time.Now(); is(); {
		// It was asked by the signal of own. One that does not end would keep the collection's lock
		// for ever.
		if time.Since(start) > patience {
			_ = syscall.Kill(-pid, syscall.SIGKILL) // its group is its own: see own
		}
		select {
		case <-ctx.Done():
			return
		// Asked five times a second, since it is not a child of this process and cannot be waited for.
		case <-time.After(200 * time.Millisecond):
		}
	}
}
