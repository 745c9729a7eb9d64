package export

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// places says which files are opened for the archives that documents name. A collection may be somebody else's: it is
// not for its documents to have this machine read what it can reach, with the rights of callers that ask.
//
// Where bases are named, only what lies beneath them is opened. Without any, archives are where they were when the
// collection was written, as files of this machine; what a document names on the net or in a bucket is not opened.
type places struct {
	bases []string // folders, buckets, and addresses on the web
	dir   string   // that the run was in which wrote the collection; "" when it is not known
}

var (
	// errOnNet says what to do: nothing but --archives can tell the wanted from the unwanted.
	errOnNet = errors.New("the collection names a place on the net, which is opened only when --archives names it " +
		"or what it lies in")
	errNotRegular = errors.New("not a file")
)

// of are the places where an archive may be, the likeliest first.
func (p places) of(name string) (list []string, err error) {
	remote, absolute := blob.IsRemote(name), filepath.IsAbs(schemas.PathOf(name))
	if len(p.bases) == 0 {
		switch {
		case remote:
			return nil, errOnNet
		// The folder of the run first, then this process's own.
		case !absolute && p.dir != "":
			return []string{filepath.Join(p.dir, name), name}, nil
		}
		return []string{name}, nil
	}
	for _, base := range p.bases {
		// The whole name, the name within the base, and its last part: from the surest to the likeliest guess.
		if isBeneath(name, base) {
			list = append(list, name)
		}
		// A name such as ../x is not joined to the folder: it would lead out of it.
		if !remote && !absolute && filepath.IsLocal(schemas.PathOf(name)) {
			list = append(list, join(base, filepath.ToSlash(name)))
		}
		// Who moves archives into one folder leaves the other parts of their names after.
		if last := path.Base(filepath.ToSlash(name)); last != ".." && last != "." && last != "/" {
			list = append(list, join(base, last))
		}
	}
	return list, nil
}

// isBeneath reports whether a whole name is of something beneath a base.
func isBeneath(name, base string) bool {
	if blob.IsRemote(name) != blob.IsRemote(base) {
		return false
	}
	if blob.IsRemote(name) {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(base, "/")+"/")
		// A server may take a/../b for b, and %2e for a dot.
		// Such a name is refused and not cleaned: what a server makes of it is not known.
		return ok && path.Clean("/"+rest) == "/"+rest && !strings.ContainsAny(rest, "%\\")
	}
	// Both as they are written: what is beneath a folder by a link in it is what its owner put there.
	rel, err := filepath.Rel(base, schemas.PathOf(name))
	return err == nil && filepath.IsLocal(rel)
}

// join is a name in a base.
func join(base, name string) string {
	if blob.IsRemote(base) {
		return strings.TrimSuffix(base, "/") + "/" + name
	}
	return filepath.Join(base, name)
}
