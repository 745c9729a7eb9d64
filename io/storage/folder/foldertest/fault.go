// Package foldertest makes calls to a folder fail in tests. One call may fail, or all from one on, as on a full disk.
// Or the process may end in a call as by kill -9.
//
//	undisturbed := &foldertest.Fault{}
//	run(undisturbed.Wrap(f))
//	for at := range undisturbed.Calls() {
//		run((&foldertest.Fault{At: at + 1, Rest: true, Err: syscall.ENOSPC}).Wrap(copyOf(f)))
//	}
package foldertest

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Fault is a failing call. Several folders and goroutines may share it; it counts all their calls.
type Fault struct {
	At   int64         // the call, from 1; 0 for none
	Kill bool          // the process ends there, as by kill -9
	Rest bool          // all calls after it fail too
	Err  syscall.Errno // error of the call; EIO when it is 0

	seen atomic.Int64
}

// Calls returns the number of calls so far, including calls to files that are being written.
func (f *Fault) Calls() int64 { return f.seen.Load() }

// Wrap returns a folder with the fault.
func (f *Fault) Wrap(inner folder.Folder) folder.Folder { return faulty{inner, f} }

func (f *Fault) call(op, name string) error {
	n := f.seen.Add(1)
	if f.At == 0 || n < f.At || n > f.At && !f.Rest {
		return nil
	}
	if f.Kill {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until it arrives
	}
	return &fs.PathError{Op: op, Path: name, Err: cmp.Or(f.Err, syscall.EIO)}
}

// faulty is a folder with a fault. Other methods, such as Path and Close, cannot fail.
type faulty struct {
	folder.Folder
	fault *Fault
}

// try makes a call, or makes it fail.
func try[T any](f *Fault, op, name string, do func() (T, error)) (T, error) {
	if err := f.call(op, name); err != nil {
		var none T
		return none, err
	}
	return do()
}

// do is try for calls that return only an error.
func do(f *Fault, op, name string, call func() error) error {
	_, err := try(f, op, name, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

func (f faulty) Make(dir string) error {
	return do(f.fault, "mkdir", dir, func() error { return f.Folder.Make(dir) })
}

func (f faulty) Names(dir string) ([]string, error) {
	return try(f.fault, "readdir", dir, func() ([]string, error) { return f.Folder.Names(dir) })
}

func (f faulty) Stats(dir string) (map[string]folder.Stat, error) {
	return try(f.fault, "stat", dir, func() (map[string]folder.Stat, error) { return f.Folder.Stats(dir) })
}

func (f faulty) Size(name string) (int64, error) {
	return try(f.fault, "stat", name, func() (int64, error) { return f.Folder.Size(name) })
}

func (f faulty) Open(name string) (folder.Reader, error) {
	return try(f.fault, "open", name, func() (folder.Reader, error) { return f.Folder.Open(name) })
}

func (f faulty) Create(name string) (folder.File, error) {
	file, err := try(f.fault, "create", name, func() (folder.File, error) { return f.Folder.Create(name) })
	if err != nil {
		return nil, err
	}
	return faultyFile{file, f.fault, name}, nil
}

func (f faulty) Write(name string, data []byte) error {
	return do(f.fault, "write", name, func() error { return f.Folder.Write(name, data) })
}

func (f faulty) WriteNew(name string, data []byte) error {
	return do(f.fault, "link", name, func() error { return f.Folder.WriteNew(name, data) })
}

func (f faulty) Rename(from, to string) error {
	return do(f.fault, "rename", from, func() error { return f.Folder.Rename(from, to) })
}

func (f faulty) Remove(name string) error {
	return do(f.fault, "unlink", name, func() error { return f.Folder.Remove(name) })
}

func (f faulty) RemoveAll(pattern string) error {
	return do(f.fault, "unlink", pattern, func() error { return f.Folder.RemoveAll(pattern) })
}

func (f faulty) Adopt(temp, dir, last string) error {
	return do(f.fault, "rename", dir, func() error { return f.Folder.Adopt(temp, dir, last) })
}

func (f faulty) Sync(dir string) error {
	return do(f.fault, "fsync", dir, func() error { return f.Folder.Sync(dir) })
}

func (f faulty) Lock(name string) (io.Closer, error) {
	return try(f.fault, "flock", name, func() (io.Closer, error) { return f.Folder.Lock(name) })
}

func (f faulty) Temp(name string) (string, error) {
	return try(f.fault, "mkdir", name, func() (string, error) { return f.Folder.Temp(name) })
}

// faultyFile is a file in such a folder.
type faultyFile struct {
	folder.File
	fault *Fault
	name  string
}

func (f faultyFile) Write(p []byte) (int, error) {
	return try(f.fault, "write", f.name, func() (int, error) { return f.File.Write(p) })
}

func (f faultyFile) Sync() error {
	return do(f.fault, "fsync", f.name, f.File.Sync)
}
