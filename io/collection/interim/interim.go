// Package interim keeps files that one pass over the inputs leaves for the next, in the hidden folder.
package interim

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// File names a file in the hidden folder that one pass over the inputs leaves for the next. Kind says what it holds,
// and Key is the Key of what it was made from. Making it again gives the same bytes.
type File struct{ Kind, Key string }

// The kinds of interim files.
const (
	Sketches  = "sketches"  // what the pages of one unit say about their hosts
	Templates = "templates" // the templates of all hosts
	Listings  = "listing"   // a part of a run's plan, or of finished work
)

var interimPattern = pattern.Lazy(`^(` + Sketches + `|` + Templates + `|` + Listings +
	`)-[0-9a-f]{64}$`)

func (f File) Name() string { return f.Kind + "-" + f.Key }

// Write writes the file to the folder of an open collection, whole or not at all.
func (f File) Write(in folder.Folder, data []byte) error {
	// A name that the pattern does not match would never be removed.
	if !interimPattern().MatchString(f.Name()) {
		return fmt.Errorf("%s: not an interim file", f.Name())
	}
	return in.Write(holdings.Hidden(f.Name()), data)
}

// Open opens the file for reading. It returns fs.ErrNotExist if the file does not exist.
func (f File) Open(in folder.Folder) (folder.Reader, error) {
	return in.Open(holdings.Hidden(f.Name()))
}

// Read reads the file. It returns fs.ErrNotExist if the file does not exist.
func (f File) Read(in folder.Folder) ([]byte, error) {
	return folder.ReadFile(in, holdings.Hidden(f.Name()), maxInterimBytes)
}

// maxInterimBytes limits an interim file that is read whole: the samples of the hosts of one unit.
const maxInterimBytes = 1 << 30

// Exists reports whether the file exists.
func (f File) Exists(in folder.Folder) (bool, error) {
	_, err := in.Size(holdings.Hidden(f.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Remove removes the interim files of a kind.
func Remove(f folder.Folder, kind string) error {
	return remove(f, func(name string) bool { return strings.HasPrefix(name, kind+"-") })
}

// Keep removes all interim files except these.
func Keep(f folder.Folder, keep []File) error {
	kept := make(map[string]bool, len(keep))
	for _, k := range keep {
		kept[k.Name()] = true
	}
	return remove(f, func(name string) bool { return !kept[name] })
}

func remove(f folder.Folder, unwanted func(name string) bool) error {
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !interimPattern().MatchString(name) || !unwanted(name) {
			continue
		}
		// Several workers may remove at once.
		if err := f.Remove(holdings.Hidden(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
