//go:build unix

package pythontest

import (
	"os"
	"syscall"
)

// lock waits until no other process has the lock of a file. The file's end, or the process's, gives it back.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
