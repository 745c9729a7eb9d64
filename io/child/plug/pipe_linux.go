package plug

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen makes a pipe hold a megabyte, which is most batches: each time that it is full or empty costs a change between
// processes. Nothing is lost if the system does not allow it.
func widen(pipe *os.File) {
	conn, err := pipe.SyscallConn()
	if err == nil {
		_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
