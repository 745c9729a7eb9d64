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

// hiddenDir is the folder that collections keep to themselves, and dirName the index's in it.
const (
	hiddenDir = ".gleaner"
	dirName   = "index"
)

// place is where an index lives.
type place struct {
	dir    string
	frozen bool   // nothing can be written there
	away   string // why it is not in the collection; "" when it is
}

// placeOf decides where the index of a collection lives: in its hidden folder; when nothing can be written there, and
// for collections in object stores, among the user's caches under a name that is the collection's. An index that lies
// in a folder which cannot be written is used as it is.
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
	// A folder of somebody else's, in which nothing of ours should appear.
	if ok, err := there(hidden); err != nil || !ok {
		return cached(name, "the folder was not made by gleaner")
	}
	dir := filepath.Join(hidden, dirName)
	// Tried and not read from the mode: mounts and access lists say otherwise.
	why := writable(dir)
	if why == nil {
		return place{dir: dir}, nil
	}
	// An index that somebody else keeps up to date, as on a shared disk.
	if ok, err := there(filepath.Join(dir, indexFile)); err == nil && ok {
		return place{dir: dir, frozen: true, away: why.Error()}, nil
	}
	return cached(name, why.Error())
}

// writable is nil when files can be made in a folder, which is made.
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

// cached is the place of a collection's index among the user's caches.
func cached(name, why string) (place, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return place{}, fmt.Errorf("index: %s, and there is no folder for caches: %w", why, err)
	}
	// A name of its own for each collection, with no character that a file system could refuse.
	hash := sha256.Sum256([]byte(name))
	dir := filepath.Join(caches, "gleaner", dirName, hex.EncodeToString(hash[:10])) // 80 bits tell collections apart
	if err := writable(dir); err != nil {
		return place{}, fmt.Errorf("index: %s, and the folder for caches cannot be written: %w", why, err)
	}
	return place{dir: dir, away: why}, nil
}
