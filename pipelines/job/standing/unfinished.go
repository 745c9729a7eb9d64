package standing

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Missing returns an argument of an earlier command that the later one neither names nor covers, as by a folder above
// it, or "". A command without arguments reads byDefault.
func Missing(then, now holdings.LastRun, byDefault string, w World) string {
	for _, arg := range then.Inputs {
		if !names(w, arg, then.Dir, now.Inputs, now.Dir) {
			return arg
		}
	}
	if len(then.Inputs)+len(then.Indexes) == 0 && len(now.Inputs) > 0 {
		return byDefault
	}
	for _, arg := range then.Indexes {
		// Another filter or base selects other lines of the index.
		if then.Lookup != now.Lookup || !names(w, arg, then.Dir, now.Indexes, now.Dir) {
			return arg
		}
	}
	return ""
}

// names reports whether args, relative to wd, name or cover what arg names relative to dir.
func names(w World, arg, dir string, args []string, wd string) bool {
	// Equal arguments mean the same only in the same folder, unless they are absolute or remote.
	if slices.Contains(args, arg) && (dir == wd || filepath.IsAbs(arg) || blob.IsRemote(arg)) {
		return true
	}
	// The earlier content of a list or of standard input is unknown.
	if strings.HasPrefix(arg, "@") || arg == "-" {
		return false
	}
	_, ok := w.Covers(strings.TrimRight(w.ID(dir, schemas.Range{File: arg}), "/"))
	return ok
}

// IsLost reports whether arg, an argument relative to dir, names a local file that is gone.
func IsLost(arg, dir string, w World) bool {
	if !IsLocal(arg) || arg == "-" || strings.ContainsAny(arg, "*?[@") {
		return false
	}
	return w.Gone(w.ID(dir, schemas.Range{File: arg}), true)
}
