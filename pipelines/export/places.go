package export

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// places decides which files are opened for the archives in documents. A collection may be somebody else's: its
// documents must not make this machine read anything with the rights of the user.
//
// With bases, only files below them are opened. Without bases, archives are local files where they were when the
// collection was written; names on the net or in buckets are not opened.
type places struct {
	bases []string // folders, buckets and URLs
	dir   string   // folder of the run that wrote the collection, or ""
}

var (
	// errOnNet tells the user what to do: only --archives can allow it.
	errOnNet = errors.New("the collection names a place on the net, which is opened only when --archives names it " +
		"or what it lies in")
	errNotRegular = errors.New("not a file")
)

// of returns the possible places of an archive, from the likeliest.
func (p places) of(name string) (list []string, err error) {
	remote, absolute := blob.IsRemote(name), filepath.IsAbs(schemas.PathOf(name))
	if len(p.bases) == 0 {
		switch {
		case remote:
			return nil, errOnNet
		// The folder of the run first, then this process's.
		case !absolute && p.dir != "":
			return []string{filepath.Join(p.dir, name), name}, nil
		}
		return []string{name}, nil
	}
	for _, base := range p.bases {
		// Try the whole name, the name within the base, and its last part.
		if isBeneath(name, base) {
			list = append(list, name)
		}
		// A name such as ../x would lead out of the folder.
		if !remote && !absolute && filepath.IsLocal(schemas.PathOf(name)) {
			list = append(list, join(base, filepath.ToSlash(name)))
		}
		// Archives moved into one folder keep only the last part of their names.
		if last := path.Base(filepath.ToSlash(name)); last != ".." && last != "." && last != "/" {
			list = append(list, join(base, last))
		}
	}
	return list, nil
}

// isBeneath reports whether name is below base.
func isBeneath(name, base string) bool {
	if blob.IsRemote(name) != blob.IsRemote(base) {
		return false
	}
	if blob.IsRemote(name) {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(base, "/")+"/")
		// A server may take a/../b for b, and %2e for a dot, so such names are refused.
		return ok && path.Clean("/"+rest) == "/"+rest && !strings.ContainsAny(rest, "%\\")
	}
	// Paths are compared as written: the owner of a folder decides about links in it.
	rel, err := filepath.Rel(base, schemas.PathOf(name))
	return err == nil && filepath.IsLocal(rel)
}

func join(base, name string) string {
	if blob.IsRemote(base) {
		return strings.TrimSuffix(base, "/") + "/" + name
	}
	return filepath.Join(base, name)
}
