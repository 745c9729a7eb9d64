// Package folder is a run's output folder: on a local disk, in Google Cloud Storage or in S3. It has the operations
// that a run needs to commit its work. These are files that appear whole or not at all, renaming, removing, listing and
// a lock.
//
//	f, err := folder.Open(ctx, "gs://bucket/out", store)
//	defer f.Close()
//	w, err := f.Create("part.tmp")
//	// … write …
//	err = w.Close()
//	err = f.Rename("part.tmp", "part") // now others see it
//
// Names are relative to the folder and have slashes. Files in a folder of an object store are objects. There, a file
// that is being written is on a local disk until it is renamed. So nobody sees a part of it, and the store has nothing
// of it when the process is killed.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Folder is a folder. Its methods are safe for concurrent use. Callers that need a few of them define their own
// interface, as package holdings does, or use one of the four.
type Folder interface {
	Files
	Changes
	Locks
	Staging
	Close() error
}

// Files reads a folder.
type Files interface {
	// Path returns the name by which the folder was opened, or the full name of a file in it.
	Path(name string) string
	// Names returns the sorted names of the files and folders directly in dir; "" is the folder itself. A missing
	// folder is empty.
	Names(dir string) ([]string, error)
	// Stats describes the files directly in dir, by name.
	Stats(dir string) (map[string]Stat, error)
	// Size returns a file's length in bytes. For a missing file, Size and Open return fs.ErrNotExist.
	Size(name string) (int64, error)
	Open(name string) (Reader, error)
	// AtOnce returns the best number of concurrent calls if there are many: see Each.
	AtOnce() int
}

// Changes writes and changes files.
type Changes interface {
	// Make makes the folder and the folder dir in it, if they are missing.
	Make(dir string) error
	// Create creates a file under a name that nobody else uses. Others see it after Rename, and in some folders
	// earlier.
	Create(name string) (File, error)
	// Write writes a small file. Readers see the whole new content or the old one.
	Write(name string, data []byte) error
	// WriteNew is Write for a new name: if several write one name, one succeeds, and the others get fs.ErrExist. In an
	// object store a small file that already holds these bytes counts as written by this call.
	WriteNew(name string, data []byte) error
	// Rename renames a file and replaces a file with the new name. Readers see the change at once. In an object store
	// the old name may remain if the process is killed.
	Rename(from, to string) error
	// Remove removes a file. It accepts a missing file.
	Remove(name string) error
	// RemoveAll removes the files and folders that match the pattern (see path.Match), with everything beneath them.
	RemoveAll(pattern string) error
	// Sync makes the names in dir durable.
	Sync(dir string) error
}

// Locks excludes other processes.
type Locks interface {
	// Lock excludes other runs until its result is closed or the process ends. It returns ErrBusy if another has the
	// lock.
	Lock(name string) (io.Closer, error)
	// Hold returns fs.ErrNotExist for a missing file. On a disk it keeps Retire from removing the file until the result
	// is closed. An object store has no such protection: there the result of Hold is valid only for the moment.
	Hold(name string) (io.Closer, error)
	// Retire removes a file that others may Hold. It waits for them to close it, and returns ErrBusy if that takes too
	// long. It accepts a missing file.
	Retire(name string) error
}

// Staging makes a folder elsewhere, moves it in, and cleans up.
type Staging interface {
	// Temp makes a local folder for temporary files, under a unique name. The caller removes it.
	Temp(name string) (path string, err error)
	// Adopt gives a folder from Temp the name dir, with its content. Once the file called last, which is directly in
	// it, is visible, all files are. On a disk this is one step, and dir must be empty. In an object store it uploads
	// files, several at a time, and replaces those with the same names; temp stays unchanged.
	Adopt(temp, dir, last string) error
	// Sweep removes the hidden leftovers of killed writers, which Names does not show. Nobody may be writing.
	Sweep() error
}

// Stat is the metadata of a file.
type Stat struct {
	Size     int64     // bytes
	Modified time.Time // zero in an object store, where renaming writes the file again
}

// Reader is an open file for reading.
type Reader interface {
	io.Reader
	io.ReaderAt
	io.Closer
	Size() int64 // bytes
}

// File is a file that is being written. Sync, before Close, writes it to disk. Stat returns the time that Stats of a
// local folder returns later, even after a rename.
type File interface {
	io.Writer
	Sync() error
	Stat() (fs.FileInfo, error)
	Close() error
}

// ErrBusy means that another run has the lock.
var ErrBusy = errors.New("folder: another run is writing to this folder")

// Check returns an error unless name can be a folder's name.
func Check(name string) error {
	scheme, rest, remote := strings.Cut(name, "://")
	switch bucket, inside, _ := strings.Cut(rest, "/"); {
	case !utf8.ValidString(name): // it travels to workers as JSON
		return fmt.Errorf("%s: the name of a folder to write to is UTF-8", schemas.NameOf(name))
	case !remote:
		return nil
	case scheme != "gs" && scheme != "s3":
		return fmt.Errorf("%s: folders are paths, gs://bucket/name or s3://bucket/name", name)
	case bucket == "" || strings.Trim(inside, "/") == "":
		return fmt.Errorf("%s: name a folder in the bucket, as in %s://bucket/name", name, scheme)
	}
	return nil
}

// Open returns the folder called name: a path, or a gs:// or s3:// URL, which store accesses. It need not exist.
func Open(ctx context.Context, name string, store *blob.Store) Folder {
	if blob.IsRemote(name) {
		return newBucket(ctx, name, store)
	}
	return &local{name}
}
