//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(data []byte) error { return unix.Munmap(data) }

func forget(data []byte, from, to int64) {
	page := int64(os.Getpagesize())
	from, to = (max(0, from)+page-1)/page*page, min(to, int64(len(data)))/page*page
	if from < to {
		_ = unix.Madvise(data[from:to], unix.MADV_DONTNEED) // advice: nothing depends on it
	}
}
