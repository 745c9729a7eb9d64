package collection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Marker is the file, in the hidden folder, by which a folder says whose it is and what layout it has. The folder of a
// collection and that of a conversion are claimed alike by it.
type Marker struct {
	Name    string                 // of the file
	Text    string                 // what it says
	Knows   func(text string) bool // whether one that says something else is ours, too; nil for none
	Foreign error                  // of a folder that holds something and has no marker
}

// Claim makes the folder ours, or finds that it is, and takes its lock, which Close gives back. A folder that holds
// anything else is m.Foreign, and is not touched; one of another run is folder.ErrBusy.
func (m Marker) Claim(f folder.Folder) (*Claimed, error) {
	lock, err := m.claim(f)
	if err != nil {
		return nil, err
	}
	return &Claimed{f: f, lock: lock}, nil
}

// Claimed is a folder that this process has, for as long as it is not closed.
type Claimed struct {
	f          folder.Folder
	lock       io.Closer
	generation Generation
	left       bool
}

// Begin begins a run, which ends whatever a runner still does for an earlier one. While the job of a note has not
// ended the error is ErrBusy: see AwaitJob.
func (c *Claimed) Begin(ended func(note []byte) error) (err error) {
	// First the note: who only finds that a job is at work must not end it.
	if err := AwaitJob(c.f, ended); err != nil {
		return err
	}
	c.generation, err = NextGeneration(c.f)
	return err
}

// Generation is the run's, for its workers; of a folder in which none has begun it guards nothing.
func (c *Claimed) Generation() Generation { return c.generation }

// Leave has Close leave the run's workers alone: their job goes on without this process.
func (c *Claimed) Leave() { c.left = true }

// Close lets others have the folder, and ends the run's generation.
func (c *Claimed) Close() (err error) {
	if !c.left {
		err = c.generation.End(c.f)
	}
	return errors.Join(err, c.lock.Close())
}

func (m Marker) claim(f folder.Folder) (lock io.Closer, err error) {
	if err := f.Make(""); err != nil {
		return nil, err
	}
	// Looked at before anything is made: a folder of somebody else's stays untouched.
	marked, err := m.marked(f)
	if err != nil {
		return nil, err
	}
	if err := f.Make(holdings.HiddenDir); err != nil {
		return nil, err
	}
	if lock, err = f.Lock(holdings.Hidden(lockFile)); err != nil || marked {
		return lock, err
	}
	// Under the lock, so that of two first runs one writes it.
	if err := f.Write(holdings.Hidden(m.Name), []byte(m.Text)); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// marked reports whether the folder carries the marker; one without it must be empty.
func (m Marker) marked(f folder.Folder) (bool, error) {
	text, err := folder.ReadFile(f, holdings.Hidden(m.Name), holdings.MaxMarker)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, m.vacant(f)
	case err != nil:
		return false, err
	case string(text) != m.Text && (m.Knows == nil || !m.Knows(string(text))):
		return false, fmt.Errorf("%s: %w", f.Path(holdings.Hidden(m.Name)), holdings.ErrLayout)
	}
	return true, nil
}

// vacant is nil when the folder holds nothing, or only what a run that was killed while it claimed the folder left.
func (m Marker) vacant(f folder.Folder) error {
	names, err := f.Names("")
	// Users write it before the first run.
	names = slices.DeleteFunc(names, func(name string) bool { return name == ExtractorsFile })
	if err != nil || len(names) == 0 {
		return err
	}
	if len(names) > 1 || names[0] != holdings.HiddenDir {
		return m.Foreign
	}
	inner, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	// What a process leaves that was killed while it wrote the marker.
	temp := regexp.MustCompile(`^\.` + regexp.QuoteMeta(m.Name) + `\.tmp-` + uniquePattern + `$`)
	for _, name := range inner {
		if name != lockFile && !temp.MatchString(name) {
			return m.Foreign
		}
	}
	return nil
}
