package statement

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes returns those of a child: it dies with the server, and gets no interrupts from the terminal.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// lower is the priority of children: pages come before statements.
const lower = 10

// restrict sets the limits of a process that has just been started.
func restrict(pid int, memory, disk int64) error {
	for resource, limit := range map[int]uint64{
		unix.RLIMIT_DATA: uint64(memory), unix.RLIMIT_FSIZE: uint64(disk), unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: 256,
	} {
		var now unix.Rlimit
		if err := unix.Prlimit(pid, resource, nil, &now); err != nil {
			return fmt.Errorf("statement: limit of a process: %w", err)
		}
		limit = min(limit, now.Max) // only root may raise the hard limit
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: limit, Max: limit}, nil); err != nil {
			return fmt.Errorf("statement: limit of a process: %w", err)
		}
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, lower) // without it, the statement only runs sooner
	return nil
}
