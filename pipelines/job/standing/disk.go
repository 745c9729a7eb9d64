package standing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// stdinPattern matches names that package work gives to archives from standard input: the folder of the run and the
// start of their SHA-256.
var stdinPattern = pattern.Lazy(`/stdin-[0-9a-f]{16}$`)

// Gone reports whether a file that the command has not found no longer exists. In doubt it returns false: other
// errors, such as a missing permission, prove nothing.
func (n *Names) Gone(id string, covered bool) bool {
	switch {
	// An object store lists all files, so a covered file that was not found was removed.
	case !filepath.IsAbs(id):
		return covered
	case stdinPattern().MatchString(id):
		return false // an archive from standard input never was a file there
	}
	// Lstat counts a dangling link as existing.
	_, err := os.Lstat(pathIn(id))
	return errors.Is(err, fs.ErrNotExist)
}

// EmptyAbove returns the nearest existing folder above file if that folder is empty, or "".
func (n *Names) EmptyAbove(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		// Folders that cannot be opened count as missing.
		d, err := os.Open(dir)
		if err == nil {
			names, _ := d.Readdirnames(1) // an unreadable folder is not known to be empty
			if err := d.Close(); err == nil && len(names) > 0 {
				return ""
			}
			return dir
		}
		// At the root, Dir returns its argument.
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
