package claim

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

// lockFile is the lock's name in the hidden folder.
const lockFile = "lock"

// ExtractorsFile is the name of a file in the folder that users write. It says which extractors run on which captures.
// No run changes it, and it may exist before the first run.
const ExtractorsFile = "extractors.yaml"

// Marker is the file in the hidden folder that names the owner and the layout of a folder. Collections and conversions
// use it alike.
type Marker struct {
	Name    string                 // of the file
	Text    string                 // its content
	Knows   func(text string) bool // reports whether another content is ours too; may be nil
	Foreign error                  // error for a folder that is not empty and has no marker
}

// Claim marks the folder as ours, unless it is already, and takes its lock, which Close releases. For a folder with
// other content it returns m.Foreign and changes nothing; if another run has the lock, folder.ErrBusy.
func (m Marker) Claim(f folder.Folder) (*Claimed, error) {
	lock, err := m.claim(f)
	if err != nil {
		return nil, err
	}
	return &Claimed{f: f, lock: lock}, nil
}

// Claimed is a folder that this process owns until Close.
type Claimed struct {
	f          folder.Folder
	lock       io.Closer
	generation Generation
	left       bool
}

// Begin begins a run and ends what workers still do for an earlier run. It returns ErrBusy while a noted job has not
// ended: see AwaitJob.
func (c *Claimed) Begin(ended func(note []byte) error) (err error) {
	// The job first: finding it at work must not end its generation.
	if err := AwaitJob(c.f, ended); err != nil {
		return err
	}
	c.generation, err = NextGeneration(c.f)
	return err
}

// Generation returns the run's generation, for its workers. Before Begin it is the zero value.
func (c *Claimed) Generation() Generation { return c.generation }

// Leave makes Close keep the run's generation: the job continues without this process.
func (c *Claimed) Leave() { c.left = true }

// Close releases the folder and ends the run's generation.
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
	// Checked before anything is made: a folder of another owner stays untouched.
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
	// Written under the lock, so that one of two first runs writes it.
	if err := f.Write(holdings.Hidden(m.Name), []byte(m.Text)); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// marked reports whether the folder has the marker. A folder without it must be vacant.
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

// vacant returns nil if the folder is empty or holds only what a run killed during Claim left.
func (m Marker) vacant(f folder.Folder) error {
	names, err := f.Names("")
	// Users may write this file before the first run.
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
	// A process killed while it wrote the marker leaves a temporary file.
	temp := regexp.MustCompile(`^\.` + regexp.QuoteMeta(m.Name) + `\.tmp-` + folder.UniquePattern + `$`)
	for _, name := range inner {
		if name != lockFile && !temp.MatchString(name) {
			return m.Foreign
		}
	}
	return nil
}
