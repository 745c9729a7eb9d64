//go:build !unix

package folder

import "os"

// os.Rename replaces a file that has the new name here, too.
func rename(from, to string) error { return os.Rename(from, to) }
