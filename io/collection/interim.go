package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Interim names a file that one pass over the inputs leaves for the next, in the hidden folder: what it holds, and the
// Key of what it was made of. Whoever makes it again writes the same bytes.
type Interim struct{ Kind, Key string }

// The kinds of interim files.
const (
	KindSketches  = "sketches"  // what the pages of one unit tell of their hosts
	KindTemplates = "templates" // the templates of all hosts
	KindListing   = "listing"   // a part of the plan of a run, or of what was done before it
)

var interimPattern = regexp.MustCompile(`^(` + KindSketches + `|` + KindTemplates + `|` + KindListing +
	`)-[0-9a-f]{64}$`)

func (f Interim) name() string { return f.Kind + "-" + f.Key }

// Write makes the file in the folder of an open collection: whole, or after an error not at all.
func (f Interim) Write(in folder.Folder, data []byte) error {
	// A name is checked before it is written: what does not match would never be removed.
	if !interimPattern.MatchString(f.name()) {
		return fmt.Errorf("collection: %s: not an interim file", f.name())
	}
	// In one step, so that a worker that finds it can trust it.
	if err := in.Write(holdings.Hidden(f.name()), data); err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	return nil
}

// Open opens the file for reading. One that is not there is fs.ErrNotExist.
func (f Interim) Open(in folder.Folder) (folder.Reader, error) {
	r, err := in.Open(holdings.Hidden(f.name()))
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	return r, nil
}

// Read reads the file. One that is not there is fs.ErrNotExist.
func (f Interim) Read(in folder.Folder) ([]byte, error) {
	data, err := folder.ReadFile(in, holdings.Hidden(f.name()), maxInterimBytes)
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	return data, nil
}

// maxInterimBytes bounds an interim file that is read whole: the samples of the hosts of one unit.
const maxInterimBytes = 1 << 30

// Exists reports whether the file is there.
func (f Interim) Exists(in folder.Folder) (bool, error) {
	_, err := in.Size(holdings.Hidden(f.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("collection: %w", err)
	}
	return true, nil
}

// RemoveInterims removes the interim files of a kind, when nobody needs them any longer.
func RemoveInterims(f folder.Folder, kind string) error {
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	for _, name := range names {
		if !interimPattern.MatchString(name) || !strings.HasPrefix(name, kind+"-") {
			continue
		}
		// Several workers may come here at once.
		if err := f.Remove(holdings.Hidden(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("collection: %w", err)
		}
	}
	return nil
}

// KeepInterims removes all interim files but these.
func (c *Collection) KeepInterims(keep []Interim) error {
	kept := map[string]bool{}
	for _, f := range keep {
		kept[f.name()] = true
	}
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	for _, name := range names {
		// Other files of the hidden folder are none of its business.
		if kept[name] || !interimPattern.MatchString(name) {
			continue
		}
		if err := c.f.Remove(holdings.Hidden(name)); err != nil {
			return fmt.Errorf("collection: %w", err)
		}
	}
	return nil
}
