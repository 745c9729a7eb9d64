//go:build unix

package statement

import (
	"os"
	"syscall"
)

// maxMemory returns the largest resident memory of a process in bytes.
func maxMemory(s *os.ProcessState) int64 {
	u, is := s.SysUsage().(*syscall.Rusage)
	if !is {
		return 0
	}
	return int64(u.Maxrss) << 10 // on Linux in kilobytes
}
