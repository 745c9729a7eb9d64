package collection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// A runner may continue with a job whose command has ended: after an interrupt that it did not hear of, or when the
// command was killed. Its workers must not write among what the next run writes. So each run has a generation, which is
// an empty promise in the hidden folder: a file of a name that no other run has. Who opens the folder next removes the
// file, and with it ends whatever goes on for the run before; see Guard.
//
// It needs no comparison of what two runs have written. Each writes its own file before it looks for others' and
// removes them; so of two that open one folder at the same moment, as after a lock that was lost, one at most keeps
// its file.

// ErrSuperseded is a folder that another run has opened since: what this one does is not to be written any more.
var ErrSuperseded = errors.New("collection: another run has opened this folder since, or the command of this one was " +
	"interrupted: nothing more of it is written")

const generationStart = "generation-"

// generationPattern is how such files are called, in the hidden folder.
var generationPattern = regexp.MustCompile(`^` + generationStart + uniquePattern + `$`)

// Generation names a run to its workers. It travels with a job's options. The zero value is that of no run, which
// guards nothing.
type Generation string

func (g Generation) file() string { return holdings.Hidden(generationStart + string(g)) }

// NextGeneration ends all generations of f and begins one. The caller has the folder's lock.
func NextGeneration(f folder.Folder) (Generation, error) {
	g := Generation(folder.Unique())
	// Not Write, which would do as well: that nobody has this name is said by the store itself.
	if err := f.WriteNew(g.file(), []byte("Removed when this run ends, or when another takes its place.\n")); err != nil {
		return "", fmt.Errorf("collection: generation: %w", err)
	}
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return "", fmt.Errorf("collection: generation: %w", err)
	}
	for _, name := range names {
		if !generationPattern.MatchString(name) || holdings.Hidden(name) == g.file() {
			continue
		}
		if err := f.Retire(holdings.Hidden(name)); err != nil {
			return "", fmt.Errorf("collection: a worker of an earlier run is writing to this folder: %w", err)
		}
	}
	return g, nil
}

// End ends the generation: from now on its workers write nothing to f.
func (g Generation) End(f folder.Folder) error {
	if g == "" {
		return nil
	}
	if err := f.Retire(g.file()); err != nil {
		return fmt.Errorf("collection: generation: %w", err)
	}
	return nil
}

// Guard returns f for a worker of the run g: every change is made only while that run has the folder, and is
// ErrSuperseded else. On a disk nothing comes between asking and changing; in an object store a request does, which may
// let through one change that was under way. Files under temporary names may be removed always.
func (g Generation) Guard(f folder.Folder) folder.Folder {
	if g == "" {
		return f
	}
	return guarded{f, g}
}

// While calls do while the run has f: what do changes, it changes for that run. It is ErrSuperseded when another run
// has begun, which waits for do some seconds.
func (g Generation) While(f folder.Folder, do func() error) error {
	if g == "" {
		return do()
	}
	return guarded{f, g}.while(do)
}

// guarded asks before each change. What only reads, and local files that nobody else sees, are the inner folder's.
type guarded struct {
	folder.Folder
	g Generation
}

// while makes a change while the generation lasts.
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

// Create asks, too: so a job that was superseded does not read a whole unit before it finds out.
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

// Remove lets a worker that is stopped so clean up after itself.
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
	return nil, errors.New("collection: a worker takes no lock")
}
