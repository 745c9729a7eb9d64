package folder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
)

// local is a folder of a local or mounted file system.
type local struct{ dir string }

func (l *local) Path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *local) Close() error { return nil }

func (l *local) Make(dir string) error { return os.MkdirAll(l.Path(dir), 0o755) }

// Names relies on os.ReadDir to sort.
func (l *local) Names(dir string) ([]string, error) {
	entries, err := os.ReadDir(l.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		// A run's folder need not exist before its first file.
		return nil, nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// Stats asks for several files at a time, because on mounted file systems each takes a round trip. With os.ReadDir and
// Info the requests would come one by one.
func (l *local) Stats(dir string) (map[string]Stat, error) {
	d, err := os.Open(l.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	prefix := l.Path(dir) + string(filepath.Separator)
	// Each name has its own place, so no lock is needed.
	list := make([]fs.FileInfo, len(names))
	errs := make([]error, len(names))
	Numbers(runtime.GOMAXPROCS(0), len(names), func(i int) { list[i], errs[i] = stat(prefix + names[i]) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	stats := make(map[string]Stat, len(names))
	for i, info := range list {
		// nil is a file that was removed in the meantime.
		if info != nil && info.Mode().IsRegular() {
			stats[names[i]] = Stat{info.Size(), info.ModTime()}
		}
	}
	return stats, nil
}

// stat describes a file. It returns nil if the file no longer exists.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

func (l *local) Size(name string) (int64, error) {
	info, err := os.Stat(l.Path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (l *local) Open(name string) (Reader, error) {
	f, err := os.OpenFile(l.Path(name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	// Asked of the open file, because the name may refer to another one in the meantime.
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 {
		err = &fs.PathError{Op: "open", Path: l.Path(name), Err: errNoFile}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return localReader{f, info.Size()}, nil
}

// errNoFile means a pipe or a device instead of a file. Reading from a pipe may wait forever.
var errNoFile = errors.New("not a regular file")

type localReader struct {
	*os.File
	size int64
}

func (r localReader) Size() int64 { return r.size }

// Create uses O_EXCL: an existing file belongs to another writer, or to a killed one, and must not be overwritten.
func (l *local) Create(name string) (File, error) {
	return os.OpenFile(l.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Write writes to a temporary name, "." and the name and ".tmp-" and a unique part, and renames it.
func (l *local) Write(name string, data []byte) error { return l.write(name, data, l.Rename) }

// WriteNew links the temporary file to its name, since renaming would replace an existing file.
func (l *local) WriteNew(name string, data []byte) error {
	return l.write(name, data, func(temp, name string) error {
		// Linking to a taken name fails in one step with fs.ErrExist, on all machines that share the file system.
		if err := os.Link(l.Path(temp), l.Path(name)); err != nil {
			return err
		}
		return l.Remove(temp)
	})
}

// write writes a temporary file and calls give to give it its name.
func (l *local) write(name string, data []byte, give func(temp, name string) error) error {
	dir, base := path.Split(name)
	// The leading dot hides the file from readers of the folder if the process is killed before the rename. It is in
	// the same folder, because renaming works within one file system only.
	temp := dir + "." + base + ".tmp-" + Unique()
	f, err := l.Create(temp)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		// Synced before the rename: after a power cut a name could otherwise lead to a file without its content.
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = give(temp, name)
	}
	if err != nil {
		// Without a name nothing remains. Remove accepts a missing file.
		return errors.Join(err, l.Remove(temp))
	}
	// The folder holds the name, which is durable only when the folder is.
	return l.Sync(dir)
}

func (l *local) Rename(from, to string) error { return rename(l.Path(from), l.Path(to)) }

func (l *local) Remove(name string) error {
	err := os.Remove(l.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (l *local) Sync(dir string) error {
	d, err := os.Open(l.Path(dir))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (l *local) Lock(name string) (io.Closer, error) {
	// The file stays when the lock is closed. Removing it would let one run lock a file without a name while another
	// makes it again.
	f, err := os.OpenFile(l.Path(name), os.O_RDWR|os.O_CREATE|nonblock, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Closing the file releases the lock.
	return f, nil
}

// Hold takes a shared lock on the open file, which also ends with the process.
func (l *local) Hold(name string) (io.Closer, error) {
	f, err := os.OpenFile(l.Path(name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if err := share(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Retire may have been faster: then this is the lock of a file that has lost its name.
	if _, err := os.Stat(l.Path(name)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Other holders of the file are renaming it, which takes microseconds. One that holds it longer was stopped, or its
// machine was.
const (
	retireTries = 200
	retirePause = 50 * time.Millisecond
)

func (l *local) Retire(name string) error {
	f, err := os.OpenFile(l.Path(name), os.O_RDWR|nonblock, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = lock(f)
	for n := 1; errors.Is(err, ErrBusy) && n < retireTries; n++ {
		time.Sleep(retirePause)
		err = lock(f)
	}
	// Removed under the lock: a process that opened the file earlier finds the name gone when it gets the lock.
	if err == nil {
		err = l.Remove(name)
	}
	return errors.Join(err, f.Close())
}

// Temp makes it in the folder itself, because Adopt needs the same file system to rename it.
func (l *local) Temp(name string) (string, error) {
	path := l.Path(name)
	return path, os.Mkdir(path, 0o755)
}

// AtOnce is 1: on a disk, many calls are as slow as one, because renaming and removing lock the folder.
func (l *local) AtOnce() int { return 1 }

// Adopt is one step, and durable after the caller's Sync. It cannot replace a folder with content.
func (l *local) Adopt(temp, dir, _ string) error { return os.Rename(temp, l.Path(dir)) }

// RemoveAll accepts a pattern without matches. An error does not keep the rest from being removed.
func (l *local) RemoveAll(pattern string) error {
	names, err := fs.Glob(os.DirFS(l.dir), pattern)
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(l.Path(name)))
	}
	return err
}

// Link gives a file a second name. Only folders on a disk have it, and not on each file system.
func (l *local) Link(from, to string) error { return os.Link(l.Path(from), l.Path(to)) }

// Sweep has nothing to do: Names shows all leftovers of a killed writer.
func (l *local) Sweep() error { return nil }

// UniquePattern matches what Unique returns.
const UniquePattern = `\d+-[0-9a-f]{16}-\d+`

var attempts atomic.Int64

// Unique returns a part of a name that nobody else uses. It differs within this process (counter), on this machine
// (process id), and on others (64 random bits).
func Unique() string {
	var b [8]byte
	rand.Read(b[:]) // documented to never fail
	return fmt.Sprintf("%d-%x-%d", os.Getpid(), b, attempts.Add(1))
}
