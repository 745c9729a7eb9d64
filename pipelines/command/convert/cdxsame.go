package convert

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/captureindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// sameSources compares sources by their real paths, because the same file may be named in several ways.
type sameSources struct {
	paths *blob.Paths
	base  string // --archives
}

// pathOf returns the real path of a source, or "" if it is remote or a group of files.
func (s sameSources) pathOf(name string) string {
	if blob.IsRemote(name) || strings.Contains(name, "//") {
		return ""
	}
	return schemas.NameOf(s.paths.Real("", schemas.PathOf(name)))
}

// settleRemoved returns the names that the index has for the sources to remove.
func (s sameSources) settleRemoved(old []captureindex.Source, remove []string) (names []string, err error) {
	for _, r := range remove {
		path, before := s.pathOf(r), len(names)
		for _, o := range old {
			byPath := path != "" && o.Path == path
			spelled := path != "" && o.Path == "" && filepath.Clean(o.Name) == filepath.Clean(r)
			if o.Name == r || byPath || spelled {
				names = append(names, o.Name)
			}
		}
		if len(names) == before {
			return nil, cli.Usagef("--remove=%s: the index has nothing of it; sources-*.jsonl has the names", r)
		}
	}
	return names, nil
}

// gone returns the names of sources that are no longer in the folders that were named.
func (s sameSources) gone(old []captureindex.Source, inputs []string) (names []string) {
	var folders []string
	for _, name := range inputs {
		if !blob.IsRemote(name) && isFolder(name) {
			folders = append(folders, strings.TrimSuffix(s.pathOf(filepath.Clean(name)), "/")+"/")
		}
	}
	for _, o := range old {
		inside := slices.ContainsFunc(folders, func(dir string) bool { return strings.HasPrefix(o.Path, dir) })
		if inside && !exists(o.Path) {
			names = append(names, o.Name)
		}
	}
	return names
}

// exists reports whether there is a file, or the system does not say.
func exists(path string) bool {
	_, err := os.Lstat(schemas.PathOf(path))
	return !errors.Is(err, fs.ErrNotExist)
}

// warnGone says that lines of sources stay that are gone.
func warnGone(names []string) {
	if len(names) > 0 {
		slog.Warn(fmt.Sprintf("%d inputs of the index are no longer in the folders that were named, and their lines stay; "+
			"--prune drops them; the first: %s", len(names), schemas.Printable(names[0])))
	}
}
