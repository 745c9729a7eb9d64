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
type sameSources struct{ paths *blob.Paths }

// pathOf returns the real path of a source, or "" if it is remote or a group of files.
func (s sameSources) pathOf(name string) string {
	if blob.IsRemote(name) || strings.Contains(name, "//") {
		return ""
	}
	return schemas.NameOf(s.paths.Real("", schemas.PathOf(name)))
}

// settle gives sources the names that the index has for them, and drops those that are named twice. It returns an
// error if another file has the name of one.
func (s sameSources) settle(old []captureindex.Source, found []cdxSource) (settled []cdxSource, err error) {
	byName, byPath := map[string]captureindex.Source{}, map[string]string{}
	for _, o := range old {
		byName[o.Name] = o
		if o.Path != "" {
			byPath[o.Path] = o.Name
		}
	}
	used := map[string]bool{}
	for _, f := range found {
		f.path = s.pathOf(f.name)
		if used[f.path] {
			continue
		}
		if f.path != "" {
			used[f.path] = true
		}
		if name, known := byPath[f.path]; known {
			f.name = name
		} else if o := byName[f.name]; f.path != "" && o.Path != "" && (o.Stamp != f.stamp || exists(o.Path)) {
			return nil, cli.Usagef("%s is another file than the one that the index has under this name, %s: name it "+
				"by its full path, or drop the lines of the other by --remove=%s", schemas.Printable(f.path),
				schemas.Printable(o.Path), schemas.Printable(f.name))
		}
		settled = append(settled, f)
	}
	return settled, nil
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
