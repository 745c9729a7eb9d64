//go:build !linux

package sandbox

import (
	"os"
	"syscall"
	"time"
)

// program is this program.
func program() string {
	name, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return name
}

// keepFiles does nothing.
func keepFiles() {}

// attributes of a child: none.
func attributes() *syscall.SysProcAttr { return nil }

// restrict sets no limit: see the package comment.
func restrict(uint64) error { return nil }

// confine does nothing.
func confine() string { return "nothing on this system" }

// processClock returns a clock of wall time.
func processClock(int) func() time.Duration { return sinceNow() }
