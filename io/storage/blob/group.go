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

// Grouping says which files of local folders are listed in groups: there may be millions of them, and a list of their
// names would be larger than they are. The zero value groups nothing.
type Grouping struct {
	Member func(path string) bool // whether a file is of the kind that is grouped, by its path alone
	Bytes  int64                  // of the files of a group, at most, unless it has only one
	Files  int                    // in a group, at most; 10,000
}

// defaultFiles bounds a group: to find a group again, folders are listed, and the larger it is, the less often.
const defaultFiles = 10_000

// grouper gathers the members that one walk meets.
type grouper struct {
	g    Grouping
	root string
	emit func(Info)

	open  Info // the group that grows; Group is nil when there is none
	stamp hash.Hash
}

// file takes a file of the walk and reports whether it is a member. Anything else ends the group: the order of all
// files is kept.
// The stamp of a group is made of names, sizes and times only: the content of millions of pages is not read for a
// plan.
func (g *grouper) file(path string, info fs.FileInfo) bool {
	if g.g.Member == nil || !g.g.Member(path) {
		g.end()
		return false
	}
	// A group of one file may exceed the bound: that file has to be somewhere.
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

// end ends the group that grows.
// Nothing happens when none grows.
func (g *grouper) end() {
	if g.open.Group == nil {
		return
	}
	// Half of the hash will do, as for id. The size is before it as in the stamp of a file.
	g.open.Stamp = fmt.Sprintf("%d-%s", g.open.Size, hex.EncodeToString(g.stamp.Sum(nil)[:16]))
	g.emit(g.open)
	g.open = Info{}
}

// relative is the path of a file beneath root, with slashes.
// Walks of "." yield names without "./" before them, so there is nothing to cut.
func relative(root, path string) string {
	// The root "/" ends in the separator already, others do not: hence the prefix is cut and not counted.
	if root != "." {
		path = strings.TrimPrefix(path[len(root):], string(filepath.Separator))
	}
	return filepath.ToSlash(path)
}

// holds reports whether a member is in the group f, by its path with all links resolved. Paths are compared by their
// parts, as the walk orders them: as strings "a-b/x" would come before "a/x", though the folder "a" is walked first.
func (f found) holds(path string) bool {
	rel, err := filepath.Rel(f.real, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return slices.Compare(partsOf(f.Group.First), parts) <= 0 && slices.Compare(parts, partsOf(f.Group.Last)) <= 0
}

// partsOf are the names on the path that has this name.
func partsOf(name string) []string { return strings.Split(schemas.PathOf(name), "/") }

// Members yields the names of the files of a group of the folder root, in order, and last the error that ended it, if
// any. It holds no more names than the group has files. A member that was made since is yielded too.
// A group says where it begins and ends; its members are listed again by each worker that reads it.
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

// folder walks the folder of the given parts below the root. onFirst tells that the first path is beneath it, onLast
// that the last one is. It returns false when the caller wants no more.
func (m *memberWalk) folder(parts []string, onFirst, onLast bool) (bool, error) {
	if err := m.ctx.Err(); err != nil {
		return false, err
	}
	// Empty bounds take in all names. They hold in a folder only where all folders above it are those of the bound.
	from, to := "", ""
	if onFirst && len(parts) < len(m.first) {
		from = m.first[len(parts)]
	}
	if onLast && len(parts) < len(m.last) {
		to = m.last[len(parts)]
	}
	dir := filepath.Join(append([]string{m.root}, parts...)...)
	entries, err := entriesBetween(dir, from, to)
	// An error here ends the group: a member that was planned must not be left out in silence.
	if err != nil {
		return false, inputError(schemas.NameOf(dir), err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		more := true
		switch {
		case e.IsDir():
			// A copy: the walk goes deeper with it.
			below := append(append([]string(nil), parts...), e.Name())
			// Only the folder that the first path goes through is bound by it: those after it are walked whole.
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

// listed is how many entries of a folder are read at a time.
const listed = 4096

// entriesBetween returns the entries of dir whose names are from from to to, sorted; "" for to bounds nothing. Names
// that begin with a dot are left out.
// All of a folder's names within the bounds are in memory for sorting; those outside are dropped while it is read.
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
