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

// beneath are the names of all files beneath a local folder.
func beneath(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if name, err = filepath.Rel(dir, name); err == nil && !yield(name, nil) {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield("", err)
		}
	}
}

func (b *bucket) RemoveAll(pattern string) error { return Each(atOnce, b.matching(pattern), b.Remove) }

// matching are the names of the objects that lie beneath what the pattern matches, or are that themselves. Those are
// listed that begin as the pattern does before its first special character.
func (b *bucket) matching(pattern string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
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
			matches, err := path.Match(pattern, firstParts(name, 1+strings.Count(pattern, "/")))
			if (matches || err != nil) && !yield(name, err) {
				return
			}
		}
	}
}

// firstParts is a name without what follows its n-th slash.
func firstParts(name string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(name[at:], '/')
		if i < 0 {
			return name
		}
		at += i + 1
	}
	return name[:at-1]
}
