//go:build !unix

package blob

import "io/fs"

// inode returns "": the number of a file in its file system is not known here.
func inode(fs.FileInfo) string { return "" }
