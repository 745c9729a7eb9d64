//go:build !unix

package folder

import "os"

// rename replaces a file with the new name, as os.Rename does here too.
func rename(from, to string) error { return os.Rename(from, to) }
