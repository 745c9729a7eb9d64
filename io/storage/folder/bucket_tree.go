package folder

import (
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// atOnce suits requests that take tens of milliseconds each, and up to 16 MiB of memory for an upload.
const atOnce = 16

func (b *bucket) AtOnce() int { return atOnce }

// Adopt uploads the file called last after all others, because files appear one by one in a store.
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

// beneath yields the names of all files beneath a local folder, relative to it, with the system's separators. It yields
// no folders, because they are created with their files.
func beneath(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if name, err = filepath.Rel(dir, name); err == nil && !yield(name, nil) {
				// The caller wants no more; WalkDir takes this as an end without an error.
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield("", err)
		}
	}
}

// RemoveAll sends one request for each object. A store cannot remove a folder in one step, so a kill may leave some of
// them. The next run's RemoveAll finds these.
func (b *bucket) RemoveAll(pattern string) error { return Each(atOnce, b.matching(pattern), b.Remove) }

// matching yields the names of the objects that match the pattern or lie beneath a match. It lists the objects that
// begin like the pattern before its first special character.
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
			// The compared part has as many elements as the pattern: it is the object itself, or a folder above it.
			matches, err := path.Match(pattern, firstParts(name, 1+strings.Count(pattern, "/")))
			if (matches || err != nil) && !yield(name, err) {
				return
			}
		}
	}
}

// firstParts returns a name up to its n-th slash.
func firstParts(name string, n int) string {
	// The end of the last found part, after its slash.
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
