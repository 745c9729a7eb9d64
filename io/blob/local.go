package blob

import (
	"context"
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
		Name:  path,
		Size:  info.Size(),
		Stamp: localStamp(info),
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
	seen := map[string]bool{}
	queue := []string{root}
	w := walk{
		file:  e.add,
		link:  func(path string) bool { queue = append(queue, path); return false },
		enter: func(path string) (bool, error) { return firstVisit(seen, path) },
		depth: -1,
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if err := w.folder(ctx, queue[0], 1); err != nil {
			return err
		}
	}
	return nil
}

// firstVisit notes that the folder at path, wherever links lead, is being walked, and tells whether it was not before.
func firstVisit(seen map[string]bool, path string) (bool, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || seen[real] {
		return false, err
	}
	seen[real] = true
	return true, nil
}

// walk goes through folders in the order of names.
type walk struct {
	file  func(path string, info fs.FileInfo)     // is told of each regular file
	link  func(path string) bool                  // whether a link to a folder is to be followed now
	enter func(path string) (first bool, _ error) // whether a folder is to be walked; nil: always
	depth int                                     // how many levels to go down, negative: no bound
}

// folder walks dir, which is the given level below the root.
func (w *walk) folder(ctx context.Context, dir string, level int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.enter != nil {
		if first, err := w.enter(dir); err != nil || !first {
			return err
		}
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
	info, err := os.Stat(path)
	if err != nil {
		return inputError(path, err)
	}
	switch {
	case info.Mode().IsRegular():
		w.file(path, info)
	case !info.IsDir(), w.depth >= 0 && level >= w.depth:
	case entry.Type()&fs.ModeSymlink != 0 && !w.link(path):
	default:
		return w.folder(ctx, path, level+1)
	}
	return nil
}
