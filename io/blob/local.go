package blob

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// localName adds the local files that name, a path or a pattern, stands for.
func (e *expander) localName(ctx context.Context, name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.ContainsAny(name, meta):
		return e.localPattern(ctx, filepath.Clean(name))
	case err != nil:
		return err
	case info.IsDir():
		return e.tree(ctx, filepath.Clean(name))
	case !info.Mode().IsRegular():
		return errNotRegular
	}
	e.add(filepath.Clean(name), info)
	return nil
}

func (e *expander) add(path string, info fs.FileInfo) {
	e.found = append(e.found, Info{
		Name:     path,
		Size:     info.Size(),
		Stamp:    localStamp(info),
		Modified: info.ModTime(),
	})
}

func localStamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

// localPattern adds the local files that match text.
func (e *expander) localPattern(ctx context.Context, text string) error {
	p, err := compile(filepath.ToSlash(text))
	if err != nil {
		return err
	}
	root := filepath.FromSlash(p.base)
	if root == "" {
		root = "."
	}
	if _, err := os.Stat(root); err != nil {
		return err
	}
	w := walk{
		file: func(path string, info fs.FileInfo) {
			if p.matches(filepath.ToSlash(path)) {
				e.add(path, info)
			}
		},
		// Without ** the depth bounds the walk, so that links cannot lead it in circles.
		link:  func(path string) bool { return !p.deep },
		depth: p.depth,
	}
	return w.folder(ctx, filepath.Clean(root), 1)
}

// tree adds all files beneath the folder root. Links to folders are followed last, and only to folders that have not
// been walked: each is walked once.
func (e *expander) tree(ctx context.Context, root string) error {
	seen := map[folderID]bool{}
	if e.grouping.Member != nil {
		seen = e.seen
	}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		real, err := realPath(dir)
		if err != nil {
			return err
		}
		groups := grouper{g: e.grouping, root: dir, emit: func(i Info) { e.found = append(e.found, i) }}
		w := walk{
			file: func(path string, info fs.FileInfo) {
				if !groups.file(path, info) {
					e.add(path, info)
				}
			},
			link:  func(path string) bool { queue = append(queue, path); return false },
			enter: func(path string) bool { return firstVisit(seen, filepath.Join(real, relative(dir, path))) },
			depth: -1,
		}
		if err := w.folder(ctx, dir, 1); err != nil {
			return err
		}
		groups.end()
	}
	return nil
}

// realPath is the path of a folder behind all links.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// folderID is a hash of a folder's path: there may be as many folders as pages.
type folderID [16]byte

func idOf(path string) folderID {
	sum := sha256.Sum256([]byte(path))
	return folderID(sum[:16])
}

// firstVisit notes that the folder at the path, which has no links in it, is being walked, and tells whether it was not
// before.
func firstVisit(seen map[folderID]bool, path string) bool {
	id := idOf(path)
	first := !seen[id]
	seen[id] = true
	return first
}

// walk goes through folders in the order of names.
type walk struct {
	file  func(path string, info fs.FileInfo) // is told of each regular file
	link  func(path string) bool              // whether a link to a folder is to be followed now
	enter func(path string) bool              // whether a folder is to be walked; nil: always
	depth int                                 // how many levels to go down, negative: no bound
}

// folder walks dir, which is the given level below the root.
func (w *walk) folder(ctx context.Context, dir string, level int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.enter != nil && !w.enter(dir) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return inputError(dir, err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if err := w.entry(ctx, filepath.Join(dir, entry.Name()), entry, level); err != nil {
			return err
		}
	}
	return nil
}

// entry walks one entry of a folder.
func (w *walk) entry(ctx context.Context, path string, entry fs.DirEntry, level int) error {
	deepest := w.depth >= 0 && level >= w.depth
	if entry.IsDir() && !deepest { // of which there may be millions: not asked for what is known
		return w.folder(ctx, path, level+1)
	}
	info, err := os.Stat(path)
	if err != nil {
		return inputError(path, err)
	}
	switch {
	case info.Mode().IsRegular():
		w.file(path, info)
	case !info.IsDir(), deepest:
	case entry.Type()&fs.ModeSymlink != 0 && !w.link(path):
	default:
		return w.folder(ctx, path, level+1)
	}
	return nil
}
