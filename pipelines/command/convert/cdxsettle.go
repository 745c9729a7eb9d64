package convert

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/captureindex"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// withPaths returns sources with the paths that absolute names tell. Older indexes have noted none.
func (s sameSources) withPaths(old []captureindex.Source) []captureindex.Source {
	old = slices.Clone(old)
	for i, o := range old {
		if o.Path == "" && filepath.IsAbs(o.Name) {
			old[i].Path = s.pathOf(o.Name)
		}
	}
	return old
}

// settling finds the sources of the index that found ones may be.
type settling struct {
	same    sameSources
	byName  map[string]captureindex.Source
	byPath  map[string][]captureindex.Source
	byBase  map[string][]captureindex.Source // those without a path, which have relative names, by the last part of these
	folders knownFolders
	used    map[string]string // paths of the settled sources by their names
	twice   []string          // names of sources that are others of the index
}

func (s sameSources) newSettling(old []captureindex.Source) *settling {
	g := &settling{
		same: s, byName: map[string]captureindex.Source{}, byPath: map[string][]captureindex.Source{},
		byBase: map[string][]captureindex.Source{}, folders: knownFolders{}, used: map[string]string{},
	}
	for _, o := range old {
		g.byName[o.Name] = o
		if o.Path != "" {
			g.byPath[o.Path] = append(g.byPath[o.Path], o)
			g.learn(o, o.Path)
		} else if path := s.pathOf(o.Name); path != "" {
			g.byBase[filepath.Base(path)] = append(g.byBase[filepath.Base(path)], o)
		}
	}
	return g
}

// learn learns the names of folders from an archive of the index. Lines of other sources do not have their names.
func (g *settling) learn(o captureindex.Source, path string) {
	if slices.Contains(o.Archives, strings.TrimPrefix(o.Name, g.same.base)) {
		g.folders.add(path, o.Name)
	}
}

// settle gives sources the names that the index has for them or for their folders, and drops those that are named
// twice. It also returns the names that the index has beside these for the same sources. It returns an error if
// another file has the name of one.
func (s sameSources) settle(
	old []captureindex.Source, found []cdxSource,
) (settled []cdxSource, twice []string, err error) {
	g, paths, added := s.newSettling(old), map[string]bool{}, []cdxSource(nil)
	for _, f := range found {
		if f.path = s.pathOf(f.name); paths[f.path] {
			continue
		}
		switch name, known, err := g.knownName(f); {
		case err != nil:
			return nil, nil, err
		case known:
			f.name, g.used[name] = name, f.path
			settled = append(settled, f)
		case f.path != "":
			added = append(added, f)
		default:
			settled = append(settled, f)
			continue
		}
		paths[f.path] = true
	}
	for _, f := range added {
		if f.name, err = g.newName(f); err != nil {
			return nil, nil, err
		}
		g.used[f.name] = f.path
		settled = append(settled, f)
	}
	return settled, g.twice, nil
}

// knownName returns the name that the index has for a source, and whether it has one.
func (g *settling) knownName(f cdxSource) (name string, known bool, err error) {
	if f.path == "" {
		return "", false, nil
	}
	list := slices.Clone(g.byPath[f.path])
	for _, o := range g.byBase[filepath.Base(f.path)] {
		// The folder that the name is relative to is not known: this one, or another if there is no such file here.
		here := g.same.pathOf(o.Name)
		switch {
		case g.used[o.Name] != "" || here != f.path && (exists(here) || !f.endsWith(o.Name)):
		case o.Stamp == f.stamp || here == f.path && (len(list) > 0 || f.grewFrom(o, g.same.base)):
			list = append(list, o)
			g.learn(o, f.path)
		case len(list) == 0:
			return "", false, cli.Usagef("%s may be %s of the index, which has changed, or another file: an earlier version "+
				"made the index, and noted no path. If it is the same, add --remove=%s, also of a folder, and it is read again. "+
				"If it is another, run the command once as before, in the same folder, which notes paths",
				schemas.Printable(f.path), schemas.Printable(o.Name), schemas.Printable(o.Name))
		}
	}
	if len(list) == 0 {
		return "", false, nil
	}
	for _, o := range list[1:] {
		g.used[o.Name] = f.path
		g.twice = append(g.twice, o.Name)
	}
	return list[0].Name, true, nil
}

// endsWith reports whether the source's path ends like a name that is relative to another folder.
func (s cdxSource) endsWith(name string) bool {
	end := filepath.ToSlash(filepath.Clean(name))
	for strings.HasPrefix(end, "../") {
		end = end[len("../"):]
	}
	spelled := filepath.IsAbs(s.name) && strings.HasSuffix(filepath.Clean(s.name), "/"+end)
	return spelled || strings.HasSuffix(s.path, "/"+end)
}

// grewFrom reports whether the source may be an older one after a change. A collection needs one of its archives. Any
// source may be one that could not be read.
func (s cdxSource) grewFrom(old captureindex.Source, base string) bool {
	return old.Stamp == unreadStamp || slices.ContainsFunc(s.archives, func(name string) bool {
		return slices.Contains(old.Archives, strings.TrimPrefix(name, base))
	})
}

// newName returns the name of a source that the index does not have: that of its folder in the index, or as given.
func (g *settling) newName(f cdxSource) (name string, err error) {
	if f.archive {
		if name = g.folders.nameOf(f); name != f.name && g.free(name, f) == nil {
			return name, nil
		}
	}
	return f.name, g.free(f.name, f)
}

// free returns an error if another source has the name.
func (g *settling) free(name string, f cdxSource) error {
	o, taken := g.byName[name]
	if taken && (o.Path == "" || o.Stamp != f.stamp || exists(o.Path)) {
		return cli.Usagef("%s is another file than the one that the index has under this name, %s: name it "+
			"by its full path, or drop the lines of the other by --remove=%s, also in the same command; a folder means all "+
			"inputs in it", schemas.Printable(f.path), schemas.Printable(cmp.Or(o.Path, o.Name)), schemas.Printable(name))
	}
	if path := g.used[name]; path != "" {
		return cli.Usagef("%s and %s would both be %s in the index: name the one or the other by its full path",
			schemas.Printable(path), schemas.Printable(f.path), schemas.Printable(name))
	}
	return nil
}

// knownFolders has the names of folders of archives in the index, by their paths. New archives in them get these, as
// lines tell readers where their archives are.
type knownFolders map[string][]string

// add adds the folders of an archive, as far as name and path end alike.
func (k knownFolders) add(path, name string) {
	for first := true; filepath.Base(path) == filepath.Base(name); first = false {
		path, name = filepath.Dir(path), filepath.Dir(name)
		// Neither the working folder nor those above a full path were named, unless for their own archives.
		if !first && (name == "." || filepath.IsAbs(name)) || slices.Contains(k[path], name) {
			return
		}
		k[path] = append(k[path], name)
	}
}

// nameOf returns the name of an archive by that of the nearest folder. If this has several, the given one stays.
func (k knownFolders) nameOf(f cdxSource) string {
	dir := filepath.Dir(f.path)
	for len(k[dir]) == 0 && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	first := ""
	for _, name := range k[dir] {
		name = filepath.Join(name, f.path[len(dir):])
		if name == f.name {
			return name
		}
		first = cmp.Or(first, name)
	}
	return cmp.Or(first, f.name)
}

// warnTwice says that lines of second names leave.
func warnTwice(names []string) {
	if len(names) > 0 {
		slog.Warn(fmt.Sprintf("%d inputs stand twice in the index, under two names, and the lines of the second names "+
			"leave; the first: %s", len(names), schemas.Printable(names[0])))
	}
}

// newPaths reports whether paths of sources are not yet noted.
func newPaths(old, kept []captureindex.Source) bool {
	noted := map[string]string{}
	for _, o := range old {
		noted[o.Name] = o.Path
	}
	return slices.ContainsFunc(kept, func(s captureindex.Source) bool { return noted[s.Name] != s.Path })
}
