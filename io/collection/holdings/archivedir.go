package holdings

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// ArchiveDir is the deepest folder that holds all archives of the units, with the slash at its end; "" when there is
// none. It is what index lines leave out: tools that read an index are told the folder, and look for names in it.
func ArchiveDir(units []schemas.UnitResult) string {
	dir, first := "", true
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Format == "" {
				continue // no archive
			}
			// Until one was seen "" is not a folder that all have in common.
			if first {
				dir, first = in.File, false
			}
			dir = commonDir(dir, in.File)
		}
	}
	return dir
}

// commonDir is the longest beginning of both names that ends in a slash.
func commonDir(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	// -1 without a slash, and so "".
	return a[:strings.LastIndexByte(a[:n], '/')+1]
}
