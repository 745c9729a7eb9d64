package folder

import (
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// atOnce is for requests that take tens of milliseconds each, and up to 16 MiB of memory when they upload.
const atOnce = 16

func (b *bucket) AtOnce() int { return atOnce }

// Files appear one by one in a store. So the one that makes the others count is uploaded when they are all there.
func (b *bucket) Adopt(temp, dir, last string) error {
	err := Each(atOnce, beneath(temp), func(name string) error {
		if name == last {
			return nil
		}
		return b.upload(filepath.Join(temp, name), path.Join(dir, filepath.ToSlash(name)))
	})
	if err != nil {
		return err
	}
	return b.upload(filepath.Join(temp, last), path.Join(dir, last))
}

// beneath are the names of all files beneath a local folder. Relative to it, with the separators of the system. Only
// files: folders are created with their files.
func beneath(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if name, err = filepath.Rel(dir, name); err == nil && !yield(name, nil) {
				// The caller wants no more; WalkDir takes this for an end without an error.
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield("", err)
		}
	}
}

// One request for each object: there is no way to remove a folder in one step, so a kill may leave some of them.
// The next run's RemoveAll finds these.
func (b *bucket) RemoveAll(pattern string) error { return Each(atOnce, b.matching(pattern), b.Remove) }

// matching are the names of the objects that lie beneath what the pattern matches, or are that themselves. Those are
// listed that begin as the pattern does before its first special character.
func (b *bucket) matching(pattern string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		// The backslash escapes in path.Match.
		start := pattern
		if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
			start = pattern[:i]
		}
		all, err := b.store.List(b.ctx, b.prefix+start)
		if err != nil {
			yield("", b.why(err))
			return
		}
		for _, info := range all {
			name := info.Name[len(b.prefix):]
			// What the pattern is compared with has as many parts as the pattern: the object itself, or the folder
			// that it is beneath.
			matches, err := path.Match(pattern, firstParts(name, 1+strings.Count(pattern, "/")))
			if (matches || err != nil) && !yield(name, err) {
				return
			}
		}
	}
}

// firstParts is a name without what follows its n-th slash.
func firstParts(name string, n int) string {
	// The end of the part that was found last, after its slash.
	at := 0
	for range n {
		i := strings.IndexByte(name[at:], '/')
		if i < 0 {
			return name
		}
		at += i + 1
	}
	// Without the slash itself.
	return name[:at-1]
}
