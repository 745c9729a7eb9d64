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

// settleRemoved returns the names that the index has for the sources to remove, and the sources that stay. A folder
// that is not a source itself means those in it.
func (s sameSources) settleRemoved(
	old []captureindex.Source, remove []string,
) (names []string, stay []captureindex.Source, err error) {
	gone := map[string]bool{}
	for _, r := range remove {
		path, name := s.pathOf(r), filepath.Clean(r)
		is := func(o captureindex.Source) (named, placed bool) {
			spelled := path != "" && o.Path == "" && filepath.Clean(o.Name) == name
			return o.Name == r || spelled, path != "" && o.Path == path
		}
		within := func(o captureindex.Source) (named, placed bool) {
			in := strings.TrimSuffix(path, "/") + "/"
			return strings.HasPrefix(filepath.Clean(o.Name), name+"/"), path != "" && strings.HasPrefix(o.Path, in)
		}
		list, err := choose(old, r, is)
		if err == nil && len(list) == 0 {
			list, err = choose(old, r, within)
		}
		if err == nil && len(list) == 0 {
			err = cli.Usagef("--remove=%s: the index has nothing of it; sources-*.jsonl has the names", r)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, name := range list {
			gone[name] = true
		}
	}
	for _, o := range old {
		if gone[o.Name] {
			names = append(names, o.Name)
		} else {
			stay = append(stay, o)
		}
	}
	return names, stay, nil
}

// choose returns the names of sources to remove. It returns an error if some are named so, and others are at the path.
func choose(
	old []captureindex.Source, r string, is func(captureindex.Source) (named, placed bool),
) (names []string, err error) {
	onlyNamed, atPath := "", ""
	for _, o := range old {
		named, placed := is(o)
		switch {
		case named && !placed && o.Path != "":
			onlyNamed = o.Path
		case placed:
			atPath = o.Path
		}
		if named || placed {
			names = append(names, o.Name)
		}
	}
	if onlyNamed != "" && atPath != "" {
		return nil, cli.Usagef("--remove=%s: the index has inputs with this name, such as %s, and others at this path, such "+
			"as %s: name those that you mean by their full path", r, schemas.Printable(onlyNamed),
			schemas.Printable(atPath))
	}
	return names, nil
}

// gone returns the sorted names of sources that are no longer in the folders that were named.
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
	slices.Sort(names)
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
