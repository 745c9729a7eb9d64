//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// locks is true: lock excludes others.
const locks = true

// nonblock opens a pipe without waiting for its other end. It has no effect on files.
const nonblock = unix.O_NONBLOCK

// lock takes the lock of a folder, which ends with the process in any case. The lock of flock(2) belongs to the open
// file and not to the process, so that it also separates two runs of one process.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

// alive reports whether a process of this machine exists. Signal 0 only tests. EPERM means that it exists and belongs
// to another user, so only ESRCH means that it is gone.
func alive(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// share takes a shared lock. It waits while a process has the exclusive lock, which is about to remove the file.
func share(f *os.File) error {
	for {
		// Retries when a signal interrupts the wait.
		if err := unix.Flock(int(f.Fd()), unix.LOCK_SH); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// errShared means a folder of another user, or one that others may enter.
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
