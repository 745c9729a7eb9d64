//go:build unix

package blob

import (
	"fmt"
	"io/fs"
	"syscall"
)

// inode is the number that a file has in its file system, with that of the file system; "" when it has none.
func inode(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Ino == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}
