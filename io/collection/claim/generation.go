package claim

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// A job may outlive its command, for example if the command was killed. Its workers must not write into the next run.
// So each run has a generation: a file in the hidden folder with a unique name. The next process to open the folder
// removes the file, and that stops all writes of the earlier run; see Guard.
//
// No comparison is needed. Each run writes its own file first and then removes those of others. So if two processes
// open the folder at once, for example after a lost lock, at most one keeps its file.

// ErrSuperseded means that another run has opened the folder since: the current run must not write any more.
var ErrSuperseded = errors.New("another run has opened this folder since, or the command of this one was " +
	"interrupted: nothing more of it is written")

const generationStart = "generation-"

var generationPattern = pattern.Lazy(`^` + generationStart + folder.UniquePattern + `$`)

// Generation identifies a run for its workers and travels with a job's options. The zero value guards nothing.
type Generation string

func (g Generation) file() string { return holdings.Hidden(generationStart + string(g)) }

// NextGeneration ends all generations of f and begins a new one. The caller has the folder's lock.
func NextGeneration(f folder.Folder) (Generation, error) {
	g := Generation(folder.Unique())
	// WriteNew, so that the store itself ensures that the name is new.
	if err := f.WriteNew(g.file(), []byte("Removed when this run ends, or when another takes its place.\n")); err != nil {
		return "", fmt.Errorf("generation: %w", err)
	}
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return "", fmt.Errorf("generation: %w", err)
	}
	for _, name := range names {
		if !generationPattern().MatchString(name) || holdings.Hidden(name) == g.file() {
			continue
		}
		if err := f.Retire(holdings.Hidden(name)); err != nil {
			return "", fmt.Errorf("a worker of an earlier run is writing to this folder: %w", err)
		}
	}
	return g, nil
}

// End ends the generation: from now on its workers cannot write to f.
func (g Generation) End(f folder.Folder) error {
	if g == "" {
		return nil
	}
	if err := f.Retire(g.file()); err != nil {
		return fmt.Errorf("generation: %w", err)
	}
	return nil
}

// Guard returns f for a worker of the run g: changes fail with ErrSuperseded after another run has taken the folder. On
// a disk the check and the change are atomic. In an object store one change that is under way may still happen.
// Temporary files may always be removed.
func (g Generation) Guard(f folder.Folder) folder.Folder {
	if g == "" {
		return f
	}
	return guarded{f, g}
}

// While calls do while the run g has f; do may change f. It returns ErrSuperseded if another run has begun. Another run
// that begins meanwhile waits some seconds for do.
func (g Generation) While(f folder.Folder, do func() error) error {
	if g == "" {
		return do()
	}
	return guarded{f, g}.while(do)
}

// guarded checks the generation before each change. Reads and local temporary files go straight to the inner folder.
type guarded struct {
	folder.Folder
	g Generation
}

func (f guarded) while(change func() error) error {
	held, err := f.Hold(f.g.file())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%s)", ErrSuperseded, f.Path(""))
	}
	if err != nil {
		return err
	}
	return errors.Join(change(), held.Close())
}

func (f guarded) Make(dir string) error {
	return f.while(func() error { return f.Folder.Make(dir) })
}

// Create checks too, so that a superseded job does not read a whole unit before it fails.
func (f guarded) Create(name string) (file folder.File, err error) {
	err = f.while(func() error {
		file, err = f.Folder.Create(name)
		return err
	})
	return file, err
}

func (f guarded) Temp(name string) (dir string, err error) {
	err = f.while(func() error {
		dir, err = f.Folder.Temp(name)
		return err
	})
	return dir, err
}

func (f guarded) Write(name string, data []byte) error {
	return f.while(func() error { return f.Folder.Write(name, data) })
}

func (f guarded) WriteNew(name string, data []byte) error {
	return f.while(func() error { return f.Folder.WriteNew(name, data) })
}

func (f guarded) Rename(from, to string) error {
	return f.while(func() error { return f.Folder.Rename(from, to) })
}

// Remove lets a superseded worker remove its temporary files.
func (f guarded) Remove(name string) error {
	if base := path.Base(name); strings.HasPrefix(base, ".") && strings.Contains(base, ".tmp-") {
		return f.Folder.Remove(name)
	}
	return f.while(func() error { return f.Folder.Remove(name) })
}

func (f guarded) Adopt(temp, dir, last string) error {
	return f.while(func() error { return f.Folder.Adopt(temp, dir, last) })
}

func (f guarded) RemoveAll(pattern string) error {
	return f.while(func() error { return f.Folder.RemoveAll(pattern) })
}

func (f guarded) Sweep() error { return f.while(f.Folder.Sweep) }

func (f guarded) Lock(string) (io.Closer, error) {
	return nil, errors.New("a worker takes no lock")
}
