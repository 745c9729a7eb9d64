package plug

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen makes a pipe hold a megabyte, which is most batches: each time that it is full or empty costs a change between
// processes. It reports whether it did; the system may not allow it.
func widen(pipe *os.File) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	wide := false
	err = conn.Control(func(fd uintptr) {
		n, err := unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20)
		wide = err == nil && n >= 1<<20
	})
	return err == nil && wide
}
