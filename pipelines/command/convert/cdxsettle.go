package convert

import (
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
	same   sameSources
	byName map[string]captureindex.Source
	byPath map[string][]captureindex.Source
	byBase map[string][]captureindex.Source // those without a path, which have relative names, by the last part of these
	used   map[string]bool                  // names that the found sources have
	twice  []string                         // names of sources that are others of the index
}

func (s sameSources) newSettling(old []captureindex.Source) *settling {
	g := &settling{
		same: s, byName: map[string]captureindex.Source{}, byPath: map[string][]captureindex.Source{},
		byBase: map[string][]captureindex.Source{}, used: map[string]bool{},
	}
	for _, o := range old {
		g.byName[o.Name] = o
		if o.Path != "" {
			g.byPath[o.Path] = append(g.byPath[o.Path], o)
		} else if path := s.pathOf(o.Name); path != "" {
			g.byBase[filepath.Base(path)] = append(g.byBase[filepath.Base(path)], o)
		}
	}
	return g
}

// settle gives sources the names that the index has for them, and drops those that are named twice. It also returns
// the names that the index has beside these for the same sources. It returns an error if another file has the name of
// one.
func (s sameSources) settle(
	old []captureindex.Source, found []cdxSource,
) (settled []cdxSource, twice []string, err error) {
	g, paths := s.newSettling(old), map[string]bool{}
	for _, f := range found {
		f.path = s.pathOf(f.name)
		if paths[f.path] {
			continue
		}
		if f.path != "" {
			paths[f.path] = true
			if f.name, err = g.nameOf(f); err != nil {
				return nil, nil, err
			}
		}
		settled = append(settled, f)
	}
	return settled, g.twice, nil
}

// nameOf returns the name of a local source in the index.
func (g *settling) nameOf(f cdxSource) (name string, err error) {
	known := slices.Clone(g.byPath[f.path])
	for _, o := range g.byBase[filepath.Base(f.path)] {
		// The folder that the name is relative to is not known.
		ends := strings.HasSuffix(f.path, "/"+filepath.ToSlash(filepath.Clean(o.Name)))
		switch {
		case !ends && g.same.pathOf(o.Name) != f.path || g.used[o.Name]:
		case o.Stamp == f.stamp:
			known = append(known, o)
		default:
			return "", cli.Usagef("%s may be %s of the index, which has changed, or another file: an earlier version made the "+
				"index, and noted no path. Drop the lines that stand by --remove=%s, and it is read again",
				schemas.Printable(f.path), schemas.Printable(o.Name), schemas.Printable(o.Name))
		}
	}
	if len(known) > 0 {
		for i, o := range known {
			if g.used[o.Name] = true; i > 0 {
				g.twice = append(g.twice, o.Name)
			}
		}
		return known[0].Name, nil
	}
	o, taken := g.byName[f.name]
	if taken && (o.Path == "" || o.Stamp != f.stamp || exists(o.Path)) {
		return "", cli.Usagef("%s is another file than the one that the index has under this name, %s: name it "+
			"by its full path, or drop the lines of the other by --remove=%s", schemas.Printable(f.path),
			schemas.Printable(o.Path), schemas.Printable(f.name))
	}
	return f.name, nil
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
