package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// localName adds the local files that name, a path or a pattern, refers to.
func (e *expander) localName(ctx context.Context, name string) error {
	// A file with this exact name is taken literally, even if the name is also a pattern.
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.ContainsAny(name, meta):
		return e.localPattern(ctx, filepath.Clean(name))
	case err != nil:
		return err
	case info.IsDir():
		return e.tree(ctx, filepath.Clean(name))
	case !info.Mode().IsRegular():
		return notRegular(info.Mode())
	}
	e.found = append(e.found, e.local(filepath.Clean(name), info))
	return nil
}

// localStamp returns the size and the time of change in nanoseconds, which change with nearly every write. Hashing the
// content would mean reading it all.
func localStamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

// sizeOf returns the size in a stamp of localStamp.
func sizeOf(stamp string) (int64, bool) {
	text, _, _ := strings.Cut(stamp, "-")
	size, err := strconv.ParseInt(text, 10, 64)
	return size, err == nil
}

// localPattern adds the local files that match text.
func (e *expander) localPattern(ctx context.Context, text string) error {
	p, err := compile(filepath.ToSlash(text))
	if err != nil {
		return err
	}
	// Only paths beneath the folder before the first special character can match.
	root := filepath.FromSlash(p.base)
	if root == "" {
		root = "."
	}
	// An error for a missing base helps more than "matches no file".
	if _, err := os.Stat(root); err != nil {
		return err
	}
	matches := 0
	w := walk{
		file: func(path string, info fs.FileInfo) {
			if p.matches(filepath.ToSlash(path)) {
				matches++
				e.found = append(e.found, e.local(path, info))
			}
		},
		bad: func(path string, folder bool, err error) {
			// A folder that cannot be listed may hold matches, so it is always reported.
			if folder || p.matches(filepath.ToSlash(path)) {
				matches++
				e.unreadable(path, err)
			}
		},
		// Without ** the depth limits the walk, so that links cannot lead it in circles.
		link:  func(path string) bool { return !p.deep },
		depth: p.depth,
	}
	if err := w.root(ctx, filepath.Clean(root)); err != nil {
		return err
	}
	if matches == 0 {
		return noFile(text)
	}
	return nil
}

// tree adds all files beneath the folder root. It follows links to folders last, and walks each folder once.
func (e *expander) tree(ctx context.Context, root string) error {
	// Without groups each argument starts with an empty set, since ids find files that two arguments name. Groups have
	// no ids, so all arguments share the set of walked folders.
	seen := map[id]bool{}
	if e.grouping.Member != nil {
		seen = e.seen
	}
	if again, err := e.again(root, seen); again || err != nil {
		return err
	}
	before := len(e.found)
	// A queue instead of a recursion: links wait until all real folders have been walked. So a file is listed by a path
	// without links where there is one.
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		real, err := realPath(dir)
		if err == nil {
			err = e.walkTree(ctx, dir, real, seen, func(path string) { queue = append(queue, path) })
		}
		switch {
		// The named folder must be readable. A folder that only a link leads to is reported like any other.
		case err != nil && dir == root || ctx.Err() != nil:
			return err
		case err != nil:
			e.unreadable(dir, err)
		}
	}
	if len(e.found) == before {
		e.empty = append(e.empty, root)
	}
	return nil
}

// again reports whether the folder root was walked for another argument. Otherwise it records that this one walks it.
func (e *expander) again(root string, seen map[id]bool) (bool, error) {
	real, err := realPath(root)
	if err != nil {
		return false, err
	}
	if seen[idOf(real)] {
		e.twice = append(e.twice, Twice{schemas.NameOf(cmp.Or(e.roots[idOf(real)], root)), schemas.NameOf(root)})
		return true, nil
	}
	e.roots[idOf(real)] = root
	return false, nil
}

// walkTree adds the files beneath dir, whose path with all links resolved is real, and reports links to folders.
func (e *expander) walkTree(ctx context.Context, dir, real string, seen map[id]bool, link func(path string)) error {
	groups := grouper{g: e.grouping, root: dir, emit: func(i Info) {
		e.found = append(e.found, found{Info: i, real: real})
	}}
	w := walk{
		file: func(path string, info fs.FileInfo) {
			// Members of a group are in no list by themselves: there may be millions.
			if !groups.file(path, info) {
				e.found = append(e.found, e.local(path, info))
			}
		},
		bad: func(path string, _ bool, err error) {
			// A group that contained a bad entry would fail as a whole, because readers of the group list it again.
			groups.end()
			e.unreadable(path, err)
		},
		// The link goes into the queue, and the walk continues here.
		link: func(path string) bool { link(path); return false },
		enter: func(path string) bool {
			// The paths below dir are without links by themselves, so that it is enough to resolve dir once and not
			// each folder.
			return firstVisit(seen, filepath.Join(real, filepath.FromSlash(relative(dir, path))))
		},
		depth: -1,
	}
	err := w.root(ctx, dir)
	groups.end()
	return err
}

// realPath returns the path of a folder with all links resolved.
func realPath(path string) (string, error) {
	// Absolute, because the same folder may be named relative to the working directory and in full.
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// firstVisit reports whether the folder at the path, which has no links in it, is visited for the first time, and
// records the visit.
func firstVisit(seen map[id]bool, path string) bool {
	id := idOf(path)
	first := !seen[id]
	seen[id] = true
	return first
}

// walk goes through folders in the order of names.
type walk struct {
	file func(path string, info fs.FileInfo) // called for each regular file
	// bad is called for special files, dangling links, and folders that could not be listed completely.
	bad   func(path string, folder bool, err error)
	link  func(path string) bool // reports whether to follow a link to a folder now
	enter func(path string) bool // reports whether to walk a folder; nil: always
	depth int                    // number of levels to go down; negative: no limit
}

// root walks dir and everything beneath it. If nothing of dir itself can be listed, it returns an error.
func (w *walk) root(ctx context.Context, dir string) error {
	// os.ReadDir sorts names by their bytes.
	entries, err := w.list(dir)
	// The entries listed before an error are walked, and then the error is reported.
	if err != nil && len(entries) == 0 {
		return inputError(schemas.NameOf(dir), err)
	}
	return w.folder(ctx, dir, entries, err, 1)
}

// list lists dir, unless it is not to be walked.
func (w *walk) list(dir string) ([]fs.DirEntry, error) {
	// A folder that is skipped gives no error.
	if w.enter != nil && !w.enter(dir) {
		return nil, nil
	}
	return os.ReadDir(dir)
}

// folder walks the entries of dir, which is the given level below the root. listing is the error that cut them short.
func (w *walk) folder(ctx context.Context, dir string, entries []fs.DirEntry, listing error, level int) error {
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Tools make hidden files, for example .git, and so do our own unfinished writes.
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if err := w.entry(ctx, filepath.Join(dir, entry.Name()), entry, level); err != nil {
			return err
		}
	}
	if listing != nil {
		w.bad(dir, true, listing)
	}
	return ctx.Err()
}

// entry walks one entry of a folder.
func (w *walk) entry(ctx context.Context, path string, entry fs.DirEntry, level int) error {
	// At the last level a folder is not entered, so its type must be known.
	deepest := w.depth >= 0 && level >= w.depth
	if !entry.IsDir() || deepest { // there may be millions of folders, so known types are not asked again
		// Stat, unlike entry.Info, follows links, and their target counts.
		info, err := os.Stat(path)
		linked := entry.Type()&fs.ModeSymlink != 0
		switch {
		case errors.Is(err, fs.ErrNotExist) && !linked:
			return nil // it was removed since the folder was listed
		// The link itself exists, so the user expected a file: the error is reported.
		case errors.Is(err, fs.ErrNotExist):
			err = errDangling
			fallthrough
		case err != nil:
			w.bad(path, false, err)
			return nil
		case info.Mode().IsRegular():
			w.file(path, info)
			return nil
		case !info.IsDir():
			w.bad(path, false, notRegular(info.Mode()))
			return nil
		case deepest || linked && !w.link(path):
			return nil
		}
	}
	entries, err := w.list(path)
	return w.folder(ctx, path, entries, err, level+1)
}

var errDangling = errors.New("a link to a file that does not exist")
