package work

import (
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// output finds the files of the output folder among the input.
type output struct {
	dir, real string // real: the path without links, if dir is local
	paths     *blob.Paths
}

func newOutput(dir string) (output, error) {
	o := output{dir: dir}
	if blob.IsRemote(dir) {
		return o, nil
	}
	var err error
	if o.paths, err = blob.NewPaths(); err != nil {
		return o, err
	}
	path, err := filepath.Abs(dir)
	o.real = blob.RealPath(path)
	return o, err
}

// holds reports whether a file is in the folder or below it, by its name or by its path without links.
func (o output) holds(name string) bool {
	// Names of remote files have no "..", so a prefix with its slash is enough.
	if blob.IsRemote(name) || blob.IsRemote(o.dir) {
		return strings.HasPrefix(name, strings.TrimRight(o.dir, "/")+"/")
	}
	file := schemas.PathOf(name)
	if isBelow(o.dir, file) {
		return true
	}
	// A link in the output may lead out of it, and one elsewhere into it.
	folder, base := filepath.Split(file)
	return isBelow(o.real, filepath.Join(o.paths.Real("", folder), base)) || isBelow(o.real, o.paths.Real("", file))
}

func isBelow(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	// IsLocal is false for a path that leads out of the folder by "..".
	return err == nil && filepath.IsLocal(rel)
}
