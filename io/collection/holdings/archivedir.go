package holdings

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// ArchiveDir returns the deepest folder that holds all archives of the units, with a slash at its end, or "" if none
// does. Index lines omit it: tools that read an index are told the folder and look for names in it.
func ArchiveDir(units []schemas.UnitResult) string {
	dir, first := "", true
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Format == "" {
				continue // no archive
			}
			// Before the first archive "" is not yet a common folder.
			if first {
				dir, first = in.File, false
			}
			dir = commonDir(dir, in.File)
		}
	}
	return dir
}

// commonDir returns the longest common beginning of both names that ends in a slash.
func commonDir(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:strings.LastIndexByte(a[:n], '/')+1]
}
