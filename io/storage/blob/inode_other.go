//go:build !unix

package blob

import "io/fs"

// inode is the number that a file has in its file system: here it is not known.
func inode(fs.FileInfo) string { return "" }
