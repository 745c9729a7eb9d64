//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// locks says that lock keeps others out.
const locks = true

// nonblock opens a pipe without waiting for its other end. For files it changes nothing.
const nonblock = unix.O_NONBLOCK

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

// errShared is a folder that another user made, or that others may enter.
var errShared = errors.New("not a folder of this user alone")

// openOwn opens a folder of this user that nobody else may enter. It follows no link and never waits.
func openOwn(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !isPrivate(info) {
		err = errShared
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// isPrivate reports whether only this user may enter the folder.
func isPrivate(info fs.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}
