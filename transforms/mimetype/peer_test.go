package mimetype_test

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is the CPU time of this process so far, user and system.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func measurePeers(t *testing.T, docs []document) {}
