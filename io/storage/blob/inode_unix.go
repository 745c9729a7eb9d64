//go:build unix

package blob

import (
	"fmt"
	"io/fs"
	"syscall"
)

// inode returns the number of a file and of its file system, or "" if it has none.
func inode(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Ino == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}
