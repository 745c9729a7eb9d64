package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Grouping selects the files of local folders that are listed in groups. There may be millions of them, and a list of
// their names would be larger than the files. The zero value groups nothing.
type Grouping struct {
	Member func(path string) bool // reports by its path whether a file belongs into groups
	Bytes  int64                  // maximum bytes of a group of more than one file
	Files  int                    // maximum files of a group; default 10,000
}

// defaultFiles limits a group. Finding a group again lists folders: less often for larger groups.
const defaultFiles = 10_000

// grouper collects the members that one walk finds.
type grouper struct {
	g    Grouping
	root string
	emit func(Info)

	open  Info // the growing group; Group is nil when there is none
	stamp hash.Hash
}

// file takes a file of the walk and reports whether it is a member. Any other file ends the group, so that the order of
// all files is kept. The stamp of a group has only names, sizes and times: a plan does not read the content of millions
// of pages.
func (g *grouper) file(path string, info fs.FileInfo) bool {
	if g.g.Member == nil || !g.g.Member(path) {
		g.end()
		return false
	}
	// A group of one file may exceed the limit, because that file has to be in some group.
	if o := g.open; o.Group != nil && (o.Size+info.Size() > g.g.Bytes || o.Group.Files >= g.g.Files) {
		g.end()
	}
	rel := relative(g.root, path)
	if g.open.Group == nil {
		g.open = Info{Name: schemas.NameOf(g.root), Group: &schemas.Group{First: schemas.NameOf(rel)}}
		g.stamp = sha256.New()
	}
	g.open.Group.Last = schemas.NameOf(rel)
	g.open.Group.Files++
	g.open.Size += info.Size()
	if at := info.ModTime(); at.After(g.open.Modified) {
		g.open.Modified = at
	}
	// The length before the name makes the text unambiguous: a file name may hold spaces and newlines.
	fmt.Fprintf(g.stamp, "%d:%s %d %d\n", len(rel), rel, info.Size(), info.ModTime().UnixNano())
	// The caller then lists it nowhere else.
	return true
}

// end ends the growing group, if there is one.
func (g *grouper) end() {
	if g.open.Group == nil {
		return
	}
	// Half of the hash is enough, as for id. The size precedes it, as in the stamp of a file.
	g.open.Stamp = fmt.Sprintf("%d-%s", g.open.Size, hex.EncodeToString(g.stamp.Sum(nil)[:16]))
	g.emit(g.open)
	g.open = Info{}
}

// relative returns the path of a file beneath root, with slashes. Walks of "." yield names without "./", so nothing is
// cut.
func relative(root, path string) string {
	// The root "/" ends in the separator, others do not, so the prefix is trimmed.
	if root != "." {
		path = strings.TrimPrefix(path[len(root):], string(filepath.Separator))
	}
	return filepath.ToSlash(path)
}

// holds reports whether a member is in the group f, by its path with all links resolved. It compares the parts of
// paths, in the order of the walk: as strings "a-b/x" precedes "a/x", though the folder "a" is walked first.
func (f found) holds(path string) bool {
	rel, err := filepath.Rel(f.real, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return slices.Compare(partsOf(f.Group.First), parts) <= 0 && slices.Compare(parts, partsOf(f.Group.Last)) <= 0
}

// partsOf returns the names on the path that has this name.
func partsOf(name string) []string { return strings.Split(schemas.PathOf(name), "/") }

// Members yields the names of the files of a group in the folder root, in order, and last the error that ended it, if
// any. It holds no more names than the group has files. It also yields new members. A group has a first and a last
// path; each worker that reads it lists its members again.
func (s *Store) Members(ctx context.Context, root string, g schemas.Group,
	member func(path string) bool,
) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		m := memberWalk{
			ctx: ctx, root: schemas.PathOf(root), first: partsOf(g.First), last: partsOf(g.Last), member: member, yield: yield,
		}
		if _, err := m.folder(nil, true, true); err != nil {
			yield("", err)
		}
	}
}

// memberWalk goes from the first to the last path of a group.
type memberWalk struct {
	ctx         context.Context
	root        string
	first, last []string // the parts of the paths
	member      func(path string) bool
	yield       func(string, error) bool
}

// folder walks the folder of the given parts below the root. onFirst means that the first path is beneath it, and
// onLast the last. It returns false if the caller wants no more.
func (m *memberWalk) folder(parts []string, onFirst, onLast bool) (bool, error) {
	if err := m.ctx.Err(); err != nil {
		return false, err
	}
	// Empty limits include all names. A limit applies in a folder only if all folders above it are those of the limit.
	from, to := "", ""
	if onFirst && len(parts) < len(m.first) {
		from = m.first[len(parts)]
	}
	if onLast && len(parts) < len(m.last) {
		to = m.last[len(parts)]
	}
	dir := filepath.Join(append([]string{m.root}, parts...)...)
	entries, err := entriesBetween(dir, from, to)
	// An error here ends the group: a planned member must not be silently skipped.
	if err != nil {
		return false, inputError(schemas.NameOf(dir), err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		more := true
		switch {
		case e.IsDir():
			// A copy, because the walk goes deeper with it.
			below := append(append([]string(nil), parts...), e.Name())
			// The limit applies only to the folder on the first path. Those after it are walked whole.
			more, err = m.folder(below, onFirst && e.Name() == from, onLast && e.Name() == to)
		case m.member(path) && isFile(path, e):
			more = m.yield(schemas.NameOf(path), nil)
		}
		if err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// isFile reports whether an entry is a file, or a link to one.
func isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// listed is the number of a folder's entries that are read at a time.
const listed = 4096

// entriesBetween returns the entries of dir with names from from to to, sorted. An empty to means no limit. It leaves
// out names that begin with a dot. It holds all names within the limits in memory for sorting, and drops the others
// while it reads.
func entriesBetween(dir, from, to string) (entries []fs.DirEntry, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for {
		some, err := f.ReadDir(listed)
		for _, e := range some {
			if name := e.Name(); name >= from && (to == "" || name <= to) && !strings.HasPrefix(name, ".") {
				entries = append(entries, e)
			}
		}
		if err == io.EOF {
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
