package folder

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// scratchName matches folders that Scratch made. Users hardly use such names.
var scratchName = pattern.Lazy(`^gleaner-scratch-[a-z]+-[0-9]+$`)

// Scratch makes a folder in the system's folder for temporary files. kind is a word of small letters for the work.
// remove removes the folder. If the process is killed, the next call in another process removes it, because the process
// holds a lock on it. Where the system has no such locks, it stays.
func Scratch(kind string) (dir string, remove func() error, err error) {
	sweepOnce.Do(sweepScratch)
	for {
		if dir, err = os.MkdirTemp("", "gleaner-scratch-"+kind+"-*"); err != nil {
			return "", nil, err
		}
		f, err := os.Open(dir)
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		// Where it cannot be locked, others cannot lock it to remove it either.
		_ = share(f)
		if !isAt(f, dir) { // another process came between the two steps and removed it
			_ = f.Close()
			continue
		}
		return dir, func() error { return errors.Join(os.RemoveAll(dir), f.Close()) }, nil
	}
}

// sweepOnce limits the work: folders for temporary files may have many entries.
var sweepOnce sync.Once

// sweepScratch removes the folders of ended processes. It ignores errors, because the cleanup is optional.
func sweepScratch() {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil || !locks {
		return
	}
	for _, e := range entries {
		if e.IsDir() && scratchName().MatchString(e.Name()) {
			removeFree(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// removeFree removes a folder that no process has locked, if nobody else may enter it: Scratch makes no others. Any
// user of the machine may put something with such a name there.
func removeFree(dir string) {
	f, err := openOwn(dir)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // nothing was written
	if lock(f) == nil && isAt(f, dir) {
		_ = os.RemoveAll(dir)
	}
}

// isAt reports whether f is still the folder with that name.
func isAt(f *os.File, dir string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(dir)
	return err == nil && os.SameFile(opened, now)
}
