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

// local is a folder of a file system, mounted ones included.
type local struct{ dir string }

func (l *local) Path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *local) Close() error { return nil }

func (l *local) Make(dir string) error { return os.MkdirAll(l.Path(dir), 0o755) }

// os.ReadDir has sorted them.
func (l *local) Names(dir string) ([]string, error) {
	entries, err := os.ReadDir(l.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		// A run's folder need not be there before its first file.
		return nil, nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// Not by os.ReadDir and Info one after the other: on mounted file systems each takes a round trip, so several are
// asked for at a time.
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
	// One place for each name, so that no lock is needed.
	list := make([]fs.FileInfo, len(names))
	errs := make([]error, len(names))
	Numbers(runtime.GOMAXPROCS(0), len(names), func(i int) { list[i], errs[i] = stat(prefix + names[i]) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	stats := make(map[string]Stat, len(names))
	for i, info := range list {
		// nil is a file that was removed while we looked.
		if info != nil && info.Mode().IsRegular() {
			stats[names[i]] = Stat{info.Size(), info.ModTime()}
		}
	}
	return stats, nil
}

// stat describes a file; nil when it is not there any more.
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
	// Asked of the open file: the name may get another one meanwhile.
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 {
		err = &fs.PathError{Op: "open", Path: l.Path(name), Err: errNoFile}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return localReader{f, info.Size()}, nil
}

// errNoFile is a pipe or a device where a folder has its files. Reading from a pipe may wait for ever.
var errNoFile = errors.New("not a regular file")

type localReader struct {
	*os.File
	size int64
}

func (r localReader) Size() int64 { return r.size }

// O_EXCL: a file that is there was made by another writer, or by one that was killed, and is not to be written
// over.
func (l *local) Create(name string) (File, error) {
	return os.OpenFile(l.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Write writes to a temporary name, "." and the name and ".tmp-" and something unique, and renames.
func (l *local) Write(name string, data []byte) error { return l.write(name, data, l.Rename) }

// WriteNew links the temporary file to its name, since renaming would replace a file that has it.
func (l *local) WriteNew(name string, data []byte) error {
	return l.write(name, data, func(temp, name string) error {
		// To link to a name that is taken fails, in one step and on all machines that share the file system: the
		// error is fs.ErrExist.
		if err := os.Link(l.Path(temp), l.Path(name)); err != nil {
			return err
		}
		return l.Remove(temp)
	})
}

// write writes a temporary file and has give give it its name.
func (l *local) write(name string, data []byte, give func(temp, name string) error) error {
	dir, base := path.Split(name)
	// The name begins with a dot, so that readers of the folder do not take it for one of theirs when the process
	// is killed before it is renamed. It is in the same folder, because renaming works within one file system only.
	temp := dir + "." + base + ".tmp-" + Unique()
	f, err := l.Create(temp)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		// Before it gets its name: after a power cut a name could else lead to a file without its content.
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = give(temp, name)
	}
	if err != nil {
		// Nothing is left where the name could not be given. Remove bears that the file is gone.
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
	// The file stays when the lock is closed. To remove it would let one run lock a file without a name while
	// another makes it again.
	f, err := os.OpenFile(l.Path(name), os.O_RDWR|os.O_CREATE|nonblock, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Closing the file gives the lock back.
	return f, nil
}

// A lock that many may have: of the open file, so that it goes with the process, too.
func (l *local) Hold(name string) (io.Closer, error) {
	f, err := os.OpenFile(l.Path(name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if err := share(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Retire may have been quicker: then this is the lock of a file that has no name any more.
	if _, err := os.Stat(l.Path(name)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Other holders of the file are renaming it, which takes microseconds. One that holds it longer was stopped, or its
// machine is.
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
	// Removed under the lock: who opened the file before finds that its name is gone when it gets the lock.
	if err == nil {
		err = l.Remove(name)
	}
	return errors.Join(err, f.Close())
}

// In the folder itself, so that Adopt can rename it: it has to be on the same file system.
func (l *local) Temp(name string) (string, error) {
	path := l.Path(name)
	return path, os.Mkdir(path, 0o755)
}

// On a disk, many at a time are as slow as one, because renaming and removing lock the folder.
func (l *local) AtOnce() int { return 1 }

// One step, and durable with the Sync that the caller does. A folder that holds something cannot be replaced.
func (l *local) Adopt(temp, dir, _ string) error { return os.Rename(temp, l.Path(dir)) }

// No match is not an error. What could not be removed does not keep the rest from being removed.
func (l *local) RemoveAll(pattern string) error {
	names, err := fs.Glob(os.DirFS(l.dir), pattern)
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(l.Path(name)))
	}
	return err
}

// Link gives a file a second name. Only folders on a disk have it, and not on each file system.
func (l *local) Link(from, to string) error { return os.Link(l.Path(from), l.Path(to)) }

// All that a killed writer leaves here is shown by Names.
func (l *local) Sweep() error { return nil }

var attempts atomic.Int64

// Unique is a part of a name that nobody else uses: not in this process (counter), nor on this machine (process id),
// nor on any other (64 random bits).
func Unique() string {
	var b [8]byte
	rand.Read(b[:]) // documented to never fail
	return fmt.Sprintf("%d-%x-%d", os.Getpid(), b, attempts.Add(1))
}
