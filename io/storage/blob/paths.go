package blob

import (
	"cmp"
	"os"
	"path/filepath"
)

// Paths finds real paths of many files. It caches those of folders, and is not safe for concurrent use.
type Paths struct {
	wd   string            // the working directory
	dirs map[string]string // real paths of folders, by their names
}

// NewPaths returns paths for a process in its working directory.
func NewPaths() (*Paths, error) {
	wd, err := filepath.Abs(".")
	return &Paths{wd: wd, dirs: map[string]string{}}, err
}

// Dir returns the working directory.
func (p *Paths) Dir() string { return p.wd }

// Real returns the absolute path of a local file without links. A relative name is relative to dir, or to the working
// directory if dir is "".
func (p *Paths) Real(dir, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(cmp.Or(dir, p.wd), name)
	}
	// Caching folders resolves the links of a folder of a million archives once. The file itself may be a link too.
	parent, base := filepath.Split(filepath.Clean(name))
	there, known := p.dirs[parent]
	if !known {
		there = RealPath(filepath.Clean(parent))
		p.dirs[parent] = there
	}
	path := filepath.Join(there, base)
	// The folders above have no links now, so one Lstat replaces RealPath.
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink == 0 {
		return path
	}
	return RealPath(path)
}
