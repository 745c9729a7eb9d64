//go:build unix

package cputime

import (
	"syscall"
	"time"
)

func self() time.Duration     { return of(syscall.RUSAGE_SELF) }
func children() time.Duration { return of(syscall.RUSAGE_CHILDREN) }

func of(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
