package index

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// hiddenDir is the hidden folder of collections, and dirName the index's folder in it.
const (
	hiddenDir = ".gleaner"
	dirName   = "index"
)

// place is where an index is.
type place struct {
	dir    string
	frozen bool   // nothing can be written there
	away   string // why it is not in the collection; "" if it is
}

// placeOf returns the place of a collection's index: its hidden folder. If that cannot be written, or the collection is
// in an object store, it is in the user's cache folder, named after the collection. An existing index in a read-only
// folder is used as it is.
func placeOf(f folder.Folder, o Options) (place, error) {
	if o.Dir != "" {
		return place{dir: o.Dir}, os.MkdirAll(o.Dir, 0o755)
	}
	name := f.Path("")
	if blob.IsRemote(name) {
		return cached(name, "the collection is in an object store")
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return place{}, err
	}
	hidden := filepath.Join(name, hiddenDir)
	// A folder of somebody else, in which we write nothing.
	if ok, err := there(hidden); err != nil || !ok {
		return cached(name, "the folder was not made by gleaner")
	}
	dir := filepath.Join(hidden, dirName)
	// Tried, because mounts and access lists override the mode.
	why := writable(dir)
	if why == nil {
		return place{dir: dir}, nil
	}
	// Somebody else keeps this index up to date, for example on a shared disk.
	if ok, err := there(filepath.Join(dir, indexFile)); err == nil && ok {
		return place{dir: dir, frozen: true, away: why.Error()}, nil
	}
	return cached(name, why.Error())
}

// writable creates a folder and returns nil if files can be created in it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".try-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// cached returns the place of a collection's index in the user's cache folder.
func cached(name, why string) (place, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return place{}, fmt.Errorf("index: %s, and there is no folder for caches: %w", why, err)
	}
	// A unique name, valid in any file system.
	hash := sha256.Sum256([]byte(name))
	dir := filepath.Join(caches, "gleaner", dirName, hex.EncodeToString(hash[:10])) // 80 bits are unique
	if err := writable(dir); err != nil {
		return place{}, fmt.Errorf("index: %s, and the folder for caches cannot be written: %w", why, err)
	}
	return place{dir: dir, away: why}, nil
}

// Dir returns the folder of a collection's index, for files beside it, and reports whether it can be written.
func Dir(f folder.Folder) (dir string, canWrite bool, err error) {
	p, err := placeOf(f, Options{})
	return p.dir, !p.frozen, err
}
