//go:build unix

package folder

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// locks says that lock keeps others out.
const locks = true

// lock takes the lock of a folder; it goes with the process, however that ends.
// flock(2) is of the open file and not of the process: also two runs of one process keep each other out.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

// alive reports whether a process of this machine is there.
// Signal 0 only asks. EPERM means that it is there and another user's; so only ESRCH says that it is gone.
func alive(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// share takes the lock that many may have at once, and waits where one process has it alone: that one is about to
// remove the file.
func share(f *os.File) error {
	for {
		// Retry when a signal interrupts the wait.
		if err := unix.Flock(int(f.Fd()), unix.LOCK_SH); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
