// Package folder is the folder that a run writes to: on a local disk, in Google Cloud Storage or in S3. It has what a
// run needs to commit its work, and no more: files that appear whole or not at all, renaming, removing, listing and a
// lock.
//
//	f, err := folder.Open(ctx, "gs://bucket/out", store)
//	defer f.Close()
//	w, err := f.Create("part.tmp")
//	// … write …
//	err = w.Close()
//	err = f.Rename("part.tmp", "part") // now others see it
//
// Names are relative to the folder and have slashes. Files in a folder of an object store are objects; a file that is
// being written is on a local disk until it is renamed, so no half of it is ever to be seen and nothing of it remains
// in the store when the process is killed.
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

// Folder is a folder. Its methods may be called by several goroutines at the same time. Callers that need a few of them
// name an interface of their own, as package holdings does, or one of the four.
type Folder interface {
	Files
	Changes
	Locks
	Staging
	Close() error
}

// Files is what reads a folder.
type Files interface {
	// Path is the name that the folder was opened by, or with a name the whole name of a file in it.
	Path(name string) string
	// Names are the files and folders directly in dir, "" for the folder itself, sorted. A folder that is not there is
	// empty.
	Names(dir string) ([]string, error)
	// Stats describe the files directly in dir, by name.
	Stats(dir string) (map[string]Stat, error)
	// Size is a file's length in bytes; of one that is not there the error is fs.ErrNotExist, as of Open.
	Size(name string) (int64, error)
	Open(name string) (Reader, error)
	// AtOnce is how many calls are best made at a time where there are many: see Each.
	AtOnce() int
}

// Changes is what writes files, and changes which there are.
type Changes interface {
	// Make makes the folder and the one called dir in it, if they are not there.
	Make(dir string) error
	// Create begins a file under a name that nobody else uses. Others see it when it is renamed, and in some folders
	// before.
	Create(name string) (File, error)
	// Write writes a small file, at once for all who read.
	Write(name string, data []byte) error
	// WriteNew is Write for a name that no file has yet: of several who write one name, one succeeds, and the others get
	// fs.ErrExist. In an object store a small file that holds these very bytes already counts as written by this call.
	WriteNew(name string, data []byte) error
	// Rename gives a file another name, at once for all who read; a file that has that name is replaced. In an object
	// store the old name may remain when the process is killed.
	Rename(from, to string) error
	// Remove removes a file, which may be gone already.
	Remove(name string) error
	// RemoveAll removes the files and folders whose names the pattern matches (see path.Match), with all beneath them.
	RemoveAll(pattern string) error
	// Sync makes the names in dir durable.
	Sync(dir string) error
}

// Locks is what processes keep each other out by.
type Locks interface {
	// Lock keeps other runs out, until its result is closed or the process ends. The error is ErrBusy when another has
	// the lock.
	Lock(name string) (io.Closer, error)
	// Hold reports whether a file is there, fs.ErrNotExist where it is not, and on a disk keeps Retire from removing it
	// until the result is closed. In an object store nothing can be kept so: what Hold tells holds for the moment.
	Hold(name string) (io.Closer, error)
	// Retire removes a file that others may Hold, and waits for them to close it, but not for ever: then the error is
	// ErrBusy. A file that is gone already is not an error.
	Retire(name string) error
}

// Staging is what makes a folder elsewhere and brings it in, and cleans up after it.
type Staging interface {
	// Temp makes a local folder for temporary files, under a name that nobody else uses, which the caller removes.
	Temp(name string) (path string, err error)
	// Adopt gives a folder that Temp made the name dir, with all that is in it. When the file called last, which is
	// directly in it, is visible, all are. On a disk it is one step, and dir must not hold anything yet; in an object
	// store files are uploaded, several at a time, in place of those that have their names, and temp stays as it is.
	Adopt(temp, dir, last string) error
	// Sweep removes what writers that were killed have left where Names does not show it. Nobody may be writing.
	Sweep() error
}

// Stat is the metadata of a file.
type Stat struct {
	Size     int64     // bytes
	Modified time.Time // zero in an object store, where renaming writes the file again
}

// Reader is a file that is being read.
type Reader interface {
	io.Reader
	io.ReaderAt
	io.Closer
	Size() int64 // bytes
}

// File is a file that is being written. Sync, before Close, brings it to the disk. Stat tells the time that Stats of a
// local folder tells later, whatever the file is called then.
type File interface {
	io.Writer
	Sync() error
	Stat() (fs.FileInfo, error)
	Close() error
}

// ErrBusy is a lock that another run has.
var ErrBusy = errors.New("folder: another run is writing to this folder")

// Check reports whether name can be a folder's.
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

// Open returns the folder called name: a path, or a gs:// or s3:// URL, which is reached by store. It need not be
// there.
func Open(ctx context.Context, name string, store *blob.Store) Folder {
	if blob.IsRemote(name) {
		return newBucket(ctx, name, store)
	}
	return &local{name}
}
