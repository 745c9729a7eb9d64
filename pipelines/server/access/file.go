package access

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// File is a file of rules that is read again when it has changed.
type File struct {
	path string

	mu    sync.Mutex
	rules *Rules
	seen  map[string]stamp // by the names of files: this one, and those that it names
	bad   map[string]stamp // of a version that cannot be used; nil if there is none
	next  time.Time        // of the next check
}

// stamp distinguishes versions of a file. It is zero for a missing one.
type stamp struct {
	size     int64
	modified time.Time
}

// checkTime is the time between two checks of a file. A changed file is read when it is older than that: half of a
// file may be valid and allow more.
const checkTime = time.Second

// Open reads a file of rules. An error names the file and the line.
func Open(path string) (*File, error) {
	f := &File{path: path}
	var err error
	f.rules, f.seen, err = read(path)
	return f, err
}

// read reads the rules, and returns the stamps of all files as they were before reading.
func read(path string) (*Rules, map[string]stamp, error) {
	seen := map[string]stamp{path: stampOf(path)}
	data, err := limited(path)
	if err != nil {
		return nil, seen, err
	}
	rules, err := Parse(data, func(name string) ([]byte, error) {
		// Names are relative to the file that has them.
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		seen[name] = stampOf(name)
		return limited(name)
	})
	if err != nil {
		return nil, seen, fmt.Errorf("%s:%w", path, err)
	}
	return rules, seen, nil
}

func limited(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > MaxBytes {
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", path, MaxBytes)
	}
	return os.ReadFile(path)
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// Rules returns the rules of the file as it is now. If it cannot be used, the last valid ones stay.
func (f *File) Rules() *Rules {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if now.Before(f.next) {
		return f.rules
	}
	f.next = now.Add(checkTime)
	current := stampsOf(f.seen)
	if same(current, f.seen) || f.bad != nil && same(stampsOf(f.bad), f.bad) || recent(current, now) {
		return f.rules
	}
	rules, seen, err := read(f.path)
	if err != nil {
		f.bad = seen
		if errors.Is(err, fs.ErrNotExist) {
			slog.Error("the rules of access are gone: those read last stay", "error", err)
		} else {
			slog.Error("the rules of access cannot be used: those read last stay", "error", err)
		}
		return f.rules
	}
	f.rules, f.seen, f.bad = rules, seen, nil
	slog.Info("read the rules of access again", "file", f.path)
	return f.rules
}

func stampsOf(of map[string]stamp) map[string]stamp {
	stamps := make(map[string]stamp, len(of))
	for name := range of {
		stamps[name] = stampOf(name)
	}
	return stamps
}

func same(a, b map[string]stamp) bool {
	for name, s := range a {
		if b[name] != s {
			return false
		}
	}
	return true
}

// recent reports whether a file was changed just now, and may still be being written.
func recent(stamps map[string]stamp, now time.Time) bool {
	for _, s := range stamps {
		if age := now.Sub(s.modified); age >= 0 && age < checkTime {
			return true
		}
	}
	return false
}
